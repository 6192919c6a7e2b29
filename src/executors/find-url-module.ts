// Finds the file of the package that implements URL inside the guests, whose engines have none.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** A module without imports of its own: it is read as text, by the sandbox's process. */
export const findUrlModule = (): string =>
  join(dirname(require.resolve("whatwg-url-minimum/package.json")), "dist", "whatwg-url-minimum.mjs");
