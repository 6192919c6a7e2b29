// Waits for the clock: for tests that compare ages.
import { setTimeout as wait } from "node:timers/promises";

/** File systems may record times in steps of ten milliseconds. */
const stepMs = 20;

/** Resolves when the next write gets a later time than all earlier ones. */
export const clockMoves = async (): Promise<void> => {
  const from = Date.now();
  while (Date.now() < from + stepMs) await wait(1);
};
