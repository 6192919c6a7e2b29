// Text → lower-case words: identifiers split at case and separators, unspaced scripts into pairs of characters.

/** Longer runs are keys, hashes or encoded data, not words. */
const longestWord = 40;

const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const scriptRuns = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+/g;
/** A letter outside a to z; arrows, dashes and emoji, which plain texts have too, are none. */
const foreignLetter = /[^\P{L}A-Za-z]/u;

const withoutAccents = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");

const splitUnspaced = (word: string): string[] =>
  (word.match(scriptRuns) ?? []).flatMap((run) => {
    if (!unspaced.test(run) || run.length < 3) return [run];
    return Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2));
  });

/** Runs of capitals, then words with or without a first capital; digits stay with what they follow. */
// linear: a run of capitals gives back one letter at most
const identifierPieces = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+/g;

const splitPlain = (text: string): string[] => {
  const words = text.match(identifierPieces) ?? [];
  return words.filter((word) => word.length <= longestWord).map((word) => word.toLowerCase());
};

/** Splits any text into words; "getHTTPStatus_code" gives get, http, status, code. */
export const splitWords = (text: string): string[] => {
  if (!foreignLetter.test(text)) return splitPlain(text);
  const runs = withoutAccents(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return runs.flatMap((run) => {
    if (!foreignLetter.test(run)) return splitPlain(run);
    if (run.length > longestWord && !unspaced.test(run)) return [];
    return unspaced.test(run) ? splitUnspaced(run.toLowerCase()) : [run.toLowerCase()];
  });
};
