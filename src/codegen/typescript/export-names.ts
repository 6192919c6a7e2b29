// The names a tool is exported under: its function name, and the spelling its server uses.
import type { Tool } from "../../contracts/index.js";

/** A module can have one default, and one with `then` would be called by whoever awaits its import. */
const impossibleExports = new Set(["default", "then"]);

const isExportable = (name: string): boolean => !impossibleExports.has(name) && !/\p{Cs}/u.test(name);

/** Function name first; `asked` are other spellings that a program uses. */
export const listExportNames = (tool: Tool, asked: readonly string[] = []): readonly string[] => [
  ...new Set([tool.functionName, tool.name, ...asked].filter(isExportable)),
];
