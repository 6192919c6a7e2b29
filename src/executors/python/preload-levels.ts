// Which libraries a program finds imported. A fork of a process that has few of them is quicker: with the largest ones it takes longer
// than most programs run. So there is a level for each start of the list, from none to all, opened when a program needs it.
import type { GuestNeeds } from "../pooled-executor.js";

export interface PreloadLevels<Level> {
  readonly choose: (needs: GuestNeeds) => Level;
  /** Those that were needed so far. */
  readonly opened: () => readonly Level[];
}

/** @param open makes a level that has these imported */
export const openPreloadLevels = <Level>(
  libraries: readonly string[],
  open: (imported: readonly string[]) => Level,
): PreloadLevels<Level> => {
  const levels = new Map<number, Level>();
  return {
    choose: (needs) => {
      const count = countPreloads(libraries, needs);
      const level = levels.get(count) ?? open(libraries.slice(0, count));
      levels.set(count, level);
      return level;
    },
    opened: () => [...levels.values()],
  };
};

/**
 * How many of the libraries a program has to find imported. All of them where that cannot be told: in a session, whose next programs
 * nobody knows, and with a library that may need others. What a run imports by itself takes time, and counts to its memory.
 */
const countPreloads = (libraries: readonly string[], { libraries: wanted, session }: GuestNeeds): number => {
  if (wanted === undefined || session !== undefined || wanted.some((name) => !libraries.includes(name)))
    return libraries.length;
  return Math.max(0, ...wanted.map((name) => libraries.indexOf(name) + 1));
};
