// Lets the host go on with other work while a large content is walked through.
import { setImmediate as nextTurn } from "node:timers/promises";

const stretchBytes = 4 * 1024 * 1024;

/** A function to be told how far the walk has come; it waits for a turn after every stretch. */
export const pauseEvery = (): ((at: number) => Promise<void> | undefined) => {
  let since = 0;
  return (at) => {
    if (at - since < stretchBytes) return undefined;
    since = at;
    return nextTurn();
  };
};
