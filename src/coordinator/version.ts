// The package's own version.
import { readFileSync } from "node:fs";

/** The version in package.json. */
export const version: string = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
).version;
