// A cheap upper bound of the tokens that o200k makes of a text: the tokenizer itself takes 80 MB and a third of a second to load.
import { wordsOfOneToken, wordsOfTwoTokens } from "./known-words.js";

/** The pieces that o200k cuts a text into before it looks them up; no token reaches over two of them. */
const piece =
  /[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+/gu;

const toList = (text: string): readonly string[] => text.trim().split(/\s+/);

const words = new Map([
  ...toList(wordsOfOneToken).map((word) => [word, 1] as const),
  ...toList(wordsOfTwoTokens).map((word) => [word, 2] as const),
]);

/** What stands between the words of signatures and of JSON, by the tokens it takes. */
const signsByTokens: readonly (readonly string[])[] = [
  [". , : ; ?: ( ) () (): ({ [] ]: _ } }} .\\", '\\" " ": ":" ":{" ":[" "," ."," ," {" "}'],
  ['[]; \\"; \\". "}," "}}," "]}," }},{" )[] _({ "}}}," :"," [{"'],
  ['({…}) \\"[]; "]}} ."}," "]}}}," "]}},{" "]}}]'],
  ["({…}):"],
];
/** The same with a space before them. */
const spacedByTokens: readonly string[] = [
  '{ } }; }) }): }), | … [ {} {}; \\" _',
  "}[] })[]",
  "{…} {…}; }[];",
  "{…}[]",
  "{…}[];",
];
/** Verbs that most names begin with: one token with the dot before them. */
const verbs =
  "get list create update delete search add read write set run find remove send move edit upload download execute query fetch check start stop open close copy rename generate";

const signs = new Map([
  ...signsByTokens.flatMap((lines, at) => lines.flatMap(toList).map((sign) => [sign, at + 1] as const)),
  ...spacedByTokens.flatMap((line, at) => toList(line).map((sign) => [` ${sign}`, at + 1] as const)),
  ...toList(verbs).map((verb) => [`.${verb}`, 1] as const),
  ...toList("code tools tool server servers id ids").map((word) => [`_${word}`, 1] as const),
]);

const boundWord = (lead: string, word: string): number => {
  const spelling = word.toLowerCase();
  const isUsual = word === spelling || word.slice(1) === spelling.slice(1);
  const known = isUsual ? words.get(spelling) : undefined;
  const before = lead === "" || lead === " " ? 0 : 1;
  if (known !== undefined) return before + known;
  // What can be spoken is made of longer tokens than letters in a row that no word has.
  const isSpoken = isUsual && /[aeiouy]/.test(spelling) && !/[^aeiouy]{4}/.test(spelling);
  return before + Math.min(word.length, 1 + Math.ceil(word.length / (isSpoken ? 3 : 2)));
};

const boundPiece = (text: string): number => {
  const known = signs.get(text);
  if (known !== undefined) return known;
  // No token is shorter than one byte.
  if (/[^\x20-\x7e\n]/.test(text)) return Buffer.byteLength(text);
  const [, lead = "", word = ""] = /^([^A-Za-z]?)([A-Za-z]+)$/.exec(text) ?? [];
  if (word !== "") return boundWord(lead, word);
  return /^(?:\d+|\s+)$/.test(text) ? 1 : text.length;
};

/** Hardly ever less than the tokenizer counts, over a whole text; for signatures about a third more. */
export const boundTokens = (text: string): number => {
  let sum = 0;
  for (const [found] of text.matchAll(piece)) sum += boundPiece(found);
  return sum;
};
