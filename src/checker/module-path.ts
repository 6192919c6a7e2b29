// Normalises import paths: one path for the many ways agents write it.
import { posix } from "node:path";

/** `./servers/github/createIssue.ts`, `../servers/github/index.js`, `servers/github` → the path of a library file. */
export const toModulePath = (specifier: string, folder?: string): string =>
  (folder === undefined || !isBeside(specifier) ? specifier : posix.join(folder, specifier))
    .replace(/^(\.{1,2}\/)+/, "")
    .replace(/^\/+/, "")
    .replace(/\.(ts|js|mjs|mts)$/, "")
    .replace(/\/index$/, "");

/** Resolves an import relative to a library file. A path that starts at the library root means the same everywhere. */
const isBeside = (specifier: string): boolean =>
  /^\.{1,2}\//.test(specifier) && !/^(?:\.{1,2}\/)+(?:servers|skills)\//.test(specifier);
