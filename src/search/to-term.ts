// A word → the term it is indexed under: stop words go, inflection goes.
import { stemmer } from "stemmer";

const stopWords = new Set(
  `a about above after all also am an and any are as at be because been before being below between both but by can
  cannot could did do does doing don down during each etc few for from further give had has have having he help her here
  him his how i if in into is it its itself just let like me more most my myself need needs no nor not of off on once
  only or other our ours out over own please same she should so some such tell than that the their theirs them then
  there these they this those through to too under until up upon us use used uses using very via want wants was we were
  what when where which while who whom why will with within would you your yours d ll m re s t ve e g`.split(
    /\s+/,
  ),
);

/** Words that the stemmer would confuse with another ("news" with "new"). */
const unstemmed = new Set(["news", "data", "media", "docs", "kubernetes", "address"]);

/** The term of a lower-case word; undefined for a word that says nothing. */
export const toTerm = (word: string): string | undefined => {
  if (stopWords.has(word)) return undefined;
  if (unstemmed.has(word) || !/^[a-z]{3,}$/.test(word)) return word;
  return stemmer(word);
};
