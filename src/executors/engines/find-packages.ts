// Finds files of installed packages that sandbox processes load.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { nativePackage } from "../walls/walls.js";

const require = createRequire(import.meta.url);

/** The module that implements URL inside guests, whose engines have none. It has no imports: the sandbox process reads it as text. */
export const findUrlModule = (): string =>
  join(dirname(require.resolve("whatwg-url-minimum/package.json")), "dist", "whatwg-url-minimum.mjs");

/** The package folder of the foreign-function binary for system calls; undefined if it is not installed. */
export const findNativeFolder = (): string | undefined => {
  try {
    return dirname(require.resolve(`${nativePackage}/package.json`));
  } catch {
    return undefined;
  }
};
