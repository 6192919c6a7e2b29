// Makes an agent's Python ready for a sandbox: the fence off, the words that could be servers found. The guest compiles it.
import type { PreparedProgram } from "./program.js";
import { stripFence } from "./strip-fence.js";

export const preparePython = (given: string): PreparedProgram => {
  const { code: text, removedLines } = stripFence(given);
  return {
    text,
    code: text,
    imports: [],
    words: new Set(text.match(/[\p{ID_Start}_][\p{ID_Continue}]*/gu)),
    toSource: (line, column) => ({
      line: line + removedLines,
      column,
      excerpt: (text.split("\n")[line - 1] ?? "").trim().slice(0, 200),
    }),
  };
};
