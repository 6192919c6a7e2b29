// Gives memory back after large values have gone through the host: neither V8 nor the C library does so by itself while nothing happens.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { findNativeFolder } from "./os-wall/find-native-folder.js";
import { openNativeCalls } from "./os-wall/native-calls.mjs";

/** Less than this is not worth a collection. */
const minBytes = 8 * 1024 * 1024;
const quietMs = 1000;
/** A larger heap takes too long to collect at once: V8 collects it in steps, in its own time. */
const maxHeapBytes = 256 * 1024 * 1024;

let bytes = 0;
let timer: NodeJS.Timeout | undefined;
let collect: (() => void) | undefined;
let trim: (() => void) | undefined;

/** A value of that size went through; some time after the last one, its memory is given back. */
export const noteTransfer = (size: number): void => {
  bytes += size;
  if (bytes < minBytes) return;
  if (timer === undefined) timer = setTimeout(giveBack, quietMs).unref();
  else timer.refresh();
};

const giveBack = (): void => {
  timer = undefined;
  bytes = 0;
  collect ??= openCollector();
  trim ??= openTrim();
  // What the first collection lets go of outside the heap, only a second one frees.
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

/** Freed pages of the C library's heaps go back to the system: glibc keeps them otherwise. */
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
