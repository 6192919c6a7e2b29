// What a task has cost so far, and how long the next answer may be.
import type { ModelUsage } from "../../contracts/index.js";
import type { Coordinator } from "../../coordinator/index.js";
import type { AskBudget } from "./ask-request.js";

export interface Spending {
  /** Tokens that the next answer may have; undefined if the budget does not cover reading the next request. */
  readonly allow: (requestTokens: number) => number | undefined;
  readonly add: (usage: ModelUsage) => void;
  readonly read: () => { readonly usage: ModelUsage; readonly cost: number | undefined };
}

/** A shorter answer is of no use. */
const minAnswerTokens = 64;

export const openSpending = (
  { maxAnswerTokens, budgetTokens, inputPrice, outputPrice }: Coordinator["model"],
  { tokens = budgetTokens, dollars }: AskBudget,
): Spending => {
  let inputTokens = 0;
  let outputTokens = 0;
  const toDollars = (read: number, written: number): number | undefined =>
    inputPrice === undefined || outputPrice === undefined
      ? undefined
      : (read * inputPrice + written * outputPrice) / 1e6;
  const inMoney = (requestTokens: number): number => {
    const spent = toDollars(inputTokens + requestTokens, outputTokens);
    if (dollars === undefined || spent === undefined || outputPrice === undefined)
      return Number.POSITIVE_INFINITY;
    return spent >= dollars ? 0 : Math.floor(((dollars - spent) * 1e6) / outputPrice);
  };
  return {
    allow: (requestTokens) => {
      const left = tokens - inputTokens - outputTokens - requestTokens;
      const allowed = Math.min(maxAnswerTokens, left, inMoney(requestTokens));
      return allowed < Math.min(minAnswerTokens, maxAnswerTokens) ? undefined : allowed;
    },
    add: (usage) => {
      inputTokens += usage.inputTokens;
      outputTokens += usage.outputTokens;
    },
    read: () => ({ usage: { inputTokens, outputTokens }, cost: toDollars(inputTokens, outputTokens) }),
  };
};
