// Makes an agent's Python ready for a sandbox: the fence off, the words that could be servers found. The guest compiles it.
import type { PreparedProgram, ProgramImport } from "./program.js";
import { stripFence } from "./strip-fence.js";

export const preparePython = (given: string): PreparedProgram => {
  const { code: text, removedLines } = stripFence(given);
  return {
    text,
    code: text,
    imports: findImports(text, removedLines),
    words: new Set(text.match(/[\p{ID_Start}_][\p{ID_Continue}]*/gu)),
    toSource: (line, column) => ({
      line: line + removedLines,
      column,
      excerpt: (text.split("\n")[line - 1] ?? "").trim().slice(0, 200),
    }),
  };
};

/** Every module that an import statement names, with its place. What is imported in other ways is the guest's affair. */
const findImports = (text: string, removedLines: number): readonly ProgramImport[] =>
  text.split("\n").flatMap((line, at) => {
    const [, from, list = ""] = /^\s*(?:from\s+([\w.]+)\s+import\b|import\s+([\w.,\s]+))/.exec(line) ?? [];
    const modules =
      from === undefined ? list.split(",").map((part) => part.trim().split(/\s/)[0] ?? "") : [from];
    return modules
      .filter((module) => module !== "")
      .map((module) => ({
        specifier: module,
        path: module,
        names: "all" as const,
        position: () => ({
          line: at + 1 + removedLines,
          column: line.search(/\S/) + 1,
          excerpt: line.trim().slice(0, 200),
        }),
      }));
  });
