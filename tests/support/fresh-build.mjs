// Builds what tests start as processes: the checker process runs from dist/, whatever the test itself imports.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../../scripts/build.mjs";

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Vitest calls it before the first test. Does nothing when the build is up to date. */
export const setup = () => build(checkout, process.execPath, console.error);
