// Where an import leads: one path for the many ways agents write it.

/** `./servers/github/createIssue.ts`, `../servers/github/index.js`, `servers/github` → the path of a library file. */
export const toModulePath = (specifier: string): string =>
  specifier
    .replace(/^(\.{1,2}\/)+/, "")
    .replace(/^\/+/, "")
    .replace(/\.(ts|js|mjs|mts)$/, "")
    .replace(/\/index$/, "");
