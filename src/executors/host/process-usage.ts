// Facts about a process from the operating system: resource usage, and the process behind its wrappers.
import { readFileSync } from "node:fs";

const pageBytes = 4096;
const tickMs = 10;

const readProcess = (processId: number | undefined, file: string): string => {
  if (process.platform !== "linux" || processId === undefined) return "";
  try {
    return readFileSync(`/proc/${processId}/${file}`, "utf8");
  } catch {
    return "";
  }
};

/** Resident bytes; 0 where they cannot be read. */
export const readResidentBytes = (processId: number | undefined): number =>
  Number(readProcess(processId, "statm").split(" ")[1] ?? 0) * pageBytes;

/** Processor time of all its threads; 0 where it cannot be read. */
export const readProcessorMs = (processId: number | undefined): number => {
  const text = readProcess(processId, "stat");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs;
};

/**
 * The process at the end of a chain of wrappers: the one that bubblewrap runs, not bubblewrap. Follows only children.
 * Returns the process itself if it has none or they cannot be read.
 */
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
