// Releases memory after large values have passed through the host: neither V8 nor the C library does so while idle.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openNativeCalls } from "../walls/native-calls.mjs";
import { findNativeFolder } from "../walls/walls.js";

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
