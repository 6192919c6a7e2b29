// How much memory a process holds, as the operating system counts it.
import { readFileSync } from "node:fs";

const pageBytes = 4096;

/** Bytes in memory; 0 where it cannot be read. */
export const readResidentBytes = (processId: number | undefined): number => {
  if (process.platform !== "linux" || processId === undefined) return 0;
  try {
    return Number(readFileSync(`/proc/${processId}/statm`, "utf8").split(" ")[1]) * pageBytes;
  } catch {
    return 0;
  }
};
