// The process at the end of a chain of starters: what bubblewrap runs, not bubblewrap.
import { readFileSync } from "node:fs";

/** Follows only children. The process itself where there are none, or where they cannot be read. */
export const findDescendant = (processId: number | undefined): number | undefined => {
  if (processId === undefined) return undefined;
  try {
    const children = readFileSync(`/proc/${processId}/task/${processId}/children`, "utf8");
    const [first] = children.trim().split(" ");
    return first ? findDescendant(Number(first)) : processId;
  } catch {
    return processId;
  }
};
