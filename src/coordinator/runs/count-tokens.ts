// Counts the tokens of a text.
import { CoordinatorError } from "../../contracts/index.js";
import type { TokenCounter } from "../../output/index.js";

/** Tokens of a text as current models of the o200k family count them. */
export const countTokens = async (counter: TokenCounter, text: string): Promise<number> => {
  const tokens = await counter.count(text);
  if (tokens !== undefined) return tokens;
  throw new CoordinatorError(
    "INTERNAL",
    `Cannot count the tokens of ${text.length} characters: too much waits to be counted`,
  );
};
