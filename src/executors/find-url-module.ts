// Finds the package file that implements URL inside guests, whose engines have none.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** A module without imports: the sandbox process reads it as text. */
export const findUrlModule = (): string =>
  join(dirname(require.resolve("whatwg-url-minimum/package.json")), "dist", "whatwg-url-minimum.mjs");
