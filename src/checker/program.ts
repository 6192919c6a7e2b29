// What is known of a program before it runs: its imports, and the module that the sandbox gets. Plain data.
import { findOriginal } from "./find-original.js";
import { openLines, type ProgramPosition } from "./program-error.js";

/** One import of a program. `names` are the imported names; "all" for a namespace or a whole module. */
export interface ProgramImport {
  /** The specifier as it was written. */
  readonly specifier: string;
  /** The normalised path: `servers/github`, `servers/github/createIssue`. */
  readonly path: string;
  readonly names: readonly string[] | "all";
  /** Where it stands in the text as it was given. */
  readonly position?: ProgramPosition | undefined;
}

export interface PreparedProgram {
  /** The program's text without a fence. */
  readonly text: string;
  /** In TypeScript a JavaScript module whose default export is the program as an async function; in Python the text. */
  readonly code: string;
  readonly imports: readonly ProgramImport[];
  /** Every word that could be an identifier: what the globals are chosen from. */
  readonly words: ReadonlySet<string>;
  /** What it leaves behind for the next program of its session; in Python perhaps more than that. */
  readonly declares: readonly string[];
  /** Lines of the fence above the text. */
  readonly removedLines: number;
  /** The source map of `code` from its second line on; absent where `code` is the text itself. */
  readonly mappings?: string | undefined;
}

/** A hand-written module of the library as it lies in its file. */
export interface ModuleText {
  /** As programs import it: `servers/github/triage`. */
  readonly path: string;
  /** As messages name it: `servers/github/triage.ts`. */
  readonly file: string;
  readonly source: string;
}

/** A hand-written module of the library, ready to be linked with a program. */
export interface PreparedModule extends PreparedProgram {
  readonly path: string;
  readonly file: string;
}

/** The line of `code` on which the text's own first line stands, where there is a source map. */
const firstLine = 2;

/** Turns a position in `code` into one of the text as it was given. */
export const toSource = (
  program: PreparedProgram | PreparedModule,
  line: number,
  column: number,
): ProgramPosition | undefined => {
  const { text, removedLines, mappings } = program;
  const found =
    mappings === undefined ? { line, column } : findOriginal(mappings, line - firstLine, column - 1);
  if (found === undefined) return undefined;
  return {
    ...("file" in program ? { file: program.file } : {}),
    line: found.line + removedLines,
    column: found.column,
    excerpt: openLines(text).excerpt(found.line),
  };
};
