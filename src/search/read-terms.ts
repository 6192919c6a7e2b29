// Tools → the numbers of their terms, field by field.
import type { Steps } from "../contracts/index.js";
import type { FieldName } from "./ranking-weights.js";
import { readToolTexts } from "./read-tool-texts.js";
import type { SearchableTool, ServerDescriptions } from "./search-index.js";
import type { Vocabulary } from "./vocabulary.js";
import { splitWords } from "./words.js";

export type FieldTerms = Readonly<Record<FieldName, readonly number[]>>;

/** Longer texts seldom come twice. */
const longestRemembered = 200;

/** Reads every tool; the vocabulary learns their words. */
export function* readTerms(
  tools: readonly SearchableTool[],
  vocabulary: Vocabulary,
  serverDescriptions: ServerDescriptions,
): Steps<readonly FieldTerms[]> {
  // The tools of a server repeat its name, their parameters and what is said of these.
  const remembered = new Map<string, readonly number[]>();

  const learnText = (text: string): readonly number[] => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const terms: number[] = [];
    for (const word of splitWords(text)) {
      const term = vocabulary.learn(word);
      if (term !== undefined) terms.push(term);
    }
    if (text.length <= longestRemembered) remembered.set(text, terms);
    return terms;
  };

  const learnTexts = (texts: readonly string[]): readonly number[] => {
    const all: number[] = [];
    for (const text of texts) for (const term of learnText(text)) all.push(term);
    return all;
  };

  const read: FieldTerms[] = [];
  for (const tool of tools) {
    const texts = readToolTexts(tool, serverDescriptions.get(tool.server));
    read.push({
      name: learnTexts(texts.name),
      server: learnTexts(texts.server),
      summary: learnTexts(texts.summary),
      details: learnTexts(texts.details),
      parameterNames: learnTexts(texts.parameterNames),
      parameterTexts: learnTexts(texts.parameterTexts),
      serverTexts: learnTexts(texts.serverTexts),
    });
    yield;
  }
  return read;
}
