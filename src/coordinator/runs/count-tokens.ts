// Counts the tokens of a text.
import { CoordinatorError } from "../../contracts/index.js";
import type { TokenCounter } from "../../output/index.js";

/** Counts tokens as the o200k tokenizer does. */
export const countTokens = async (counter: TokenCounter, text: string): Promise<number> => {
  const tokens = await counter.count(text);
  if (tokens !== undefined) return tokens;
  throw new CoordinatorError(
    "INTERNAL",
    `Cannot count the tokens of ${text.length} characters: too much waits to be counted`,
  );
};
