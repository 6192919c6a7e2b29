// Waits for the clock: for tests that compare ages.
import { setTimeout as wait } from "node:timers/promises";

/** File systems may note times in steps of ten milliseconds. */
const stepMs = 20;

/** Resolves when whatever is written next has a later time than everything until now. */
export const clockMoves = async (): Promise<void> => {
  const from = Date.now();
  while (Date.now() < from + stepMs) await wait(1);
};
