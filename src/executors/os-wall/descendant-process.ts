// Finds the process at the end of a chain of wrappers: the one that bubblewrap runs, not bubblewrap.
import { readFileSync } from "node:fs";

/** Follows only children. Returns the process itself if it has none or they cannot be read. */
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
