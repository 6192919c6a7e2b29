// Generates the token table: the only generated file that unit tests need.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTokenTable } from "../../scripts/make-token-table.mjs";

/** Vitest calls it before the first test. Does nothing when the table is up to date. */
export const setup = () => makeTokenTable(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
