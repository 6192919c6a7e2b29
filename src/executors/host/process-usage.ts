// Memory and other resources: those of a process and the process behind its wrappers, and those that the host has left.
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openNativeCalls } from "../walls/syscalls.mjs";
import { findNativeFolder } from "../walls/walls.js";

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

/** Less than this is not worth a collection. */
const minBytes = 8 * 1024 * 1024;
const quietMs = 1000;
/** A larger heap takes too long to collect at once; V8 collects it incrementally. */
const maxHeapBytes = 256 * 1024 * 1024;

let bytes = 0;
let timer: NodeJS.Timeout | undefined;
let collect: (() => void) | undefined;
let trim: (() => void) | undefined;

/** Notes a value of this size. Its memory is released some time after the last one. */
export const noteTransfer = (size: number): void => {
  bytes += size;
  if (bytes < minBytes) return;
  if (timer === undefined) timer = setTimeout(releaseMemory, quietMs).unref();
  else timer.refresh();
};

const releaseMemory = (): void => {
  timer = undefined;
  bytes = 0;
  collect ??= openCollector();
  trim ??= openTrim();
  // Memory outside the heap that the first collection unlinks is freed by the second.
  if (process.memoryUsage().heapUsed <= maxHeapBytes) collect();
  setImmediate(() => {
    if (process.memoryUsage().heapUsed <= maxHeapBytes) collect?.();
    trim?.();
  });
};

const openCollector = (): (() => void) => {
  setFlagsFromString("--expose-gc");
  const collector = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  return collector;
};

/** Returns freed heap pages of the C library to the system. glibc keeps them otherwise. */
const openTrim = (): (() => void) => {
  const folder = process.platform === "linux" ? findNativeFolder() : undefined;
  try {
    const malloc_trim = openNativeCalls(folder ?? "").findFunction("malloc_trim", "int", ["uint64"]);
    return () => void malloc_trim(0);
  } catch {
    // Another C library, or no native calls here.
    return () => {};
  }
};
