// Which libraries are already imported for a program. Forking a process with few libraries is quicker: with the largest ones it
// takes longer than most programs run. So there is a level for each prefix of the list, opened when a program needs it.
import type { GuestNeeds } from "../../host/process-executor.js";

export interface PreloadLevels<Level> {
  readonly choose: (needs: GuestNeeds) => Level;
  /** The levels opened so far. */
  readonly opened: () => readonly Level[];
}

/** @param open opens a level that has these imported */
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
 * How many of the libraries must be imported for a program. All of them if unknown: in a session, whose next programs are
 * unknown, and for a library that may need others. What a run imports itself takes time and counts towards its memory.
 */
const countPreloads = (libraries: readonly string[], { libraries: wanted, session }: GuestNeeds): number => {
  if (wanted === undefined || session !== undefined || wanted.some((name) => !libraries.includes(name)))
    return libraries.length;
  return Math.max(0, ...wanted.map((name) => libraries.indexOf(name) + 1));
};
