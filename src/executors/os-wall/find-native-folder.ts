// Finds the foreign-function binary with which a sandbox process makes system calls.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { nativePackage } from "./walls.js";

const require = createRequire(import.meta.url);

/** The folder of its package; undefined if it is not installed. */
export const findNativeFolder = (): string | undefined => {
  try {
    return dirname(require.resolve(`${nativePackage}/package.json`));
  } catch {
    return undefined;
  }
};
