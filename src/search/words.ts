// Splits text into lower-case words, and maps a word to the term it is indexed under.
import { stemmer } from "stemmer";

/** Longer runs are keys, hashes or encoded data, not words. */
const maxWordLength = 40;

const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const scriptRuns = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+/g;
/** A letter outside a to z. Arrows, dashes and emoji are not letters. */
const foreignLetter = /[^\P{L}A-Za-z]/u;

const withoutAccents = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");

/** Scripts without spaces become pairs of characters. */
const splitUnspaced = (word: string): string[] =>
  (word.match(scriptRuns) ?? []).flatMap((run) => {
    if (!unspaced.test(run) || run.length < 3) return [run];
    return Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2));
  });

/** Runs of capitals, or words with or without a first capital; digits stay with the word before them. */
// linear: a run of capitals gives back one letter at most
const identifierPieces = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+/g;

const splitPlain = (text: string): string[] => {
  const words = text.match(identifierPieces) ?? [];
  return words.filter((word) => word.length <= maxWordLength).map((word) => word.toLowerCase());
};

/** "getHTTPStatus_code" gives get, http, status, code. */
export const splitWords = (text: string): string[] => {
  if (!foreignLetter.test(text)) return splitPlain(text);
  const runs = withoutAccents(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return runs.flatMap((run) => {
    if (!foreignLetter.test(run)) return splitPlain(run);
    if (run.length > maxWordLength && !unspaced.test(run)) return [];
    return unspaced.test(run) ? splitUnspaced(run.toLowerCase()) : [run.toLowerCase()];
  });
};

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

/** Words that the stemmer would confuse with others ("news" with "new"). */
const unstemmed = new Set(["news", "data", "media", "docs", "kubernetes", "address"]);

/** The stem of a lower-case word; undefined for a stop word. */
export const toTerm = (word: string): string | undefined => {
  if (stopWords.has(word)) return undefined;
  if (unstemmed.has(word) || !/^[a-z]{3,}$/.test(word)) return word;
  return stemmer(word);
};
