// What is known of a program before it runs: its imports, and the module that the sandbox gets.
import type { ProgramPosition } from "./program-error.js";

/** One import of a program. `names` are the imported names; "all" for a namespace or a whole module. */
export interface ProgramImport {
  /** The specifier as it was written. */
  readonly specifier: string;
  /** The normalised path: `servers/github`, `servers/github/createIssue`. */
  readonly path: string;
  readonly names: readonly string[] | "all";
  /** Where it stands in the text as it was given. */
  readonly position: () => ProgramPosition | undefined;
}

export interface PreparedProgram {
  /** The program's text without a fence. */
  readonly text: string;
  /** A JavaScript module whose default export is the program as an async function. */
  readonly code: string;
  readonly imports: readonly ProgramImport[];
  /** Every word that could be an identifier: what the globals are chosen from. */
  readonly words: ReadonlySet<string>;
  /** What it leaves behind for the next program of its session; in Python perhaps more than that. */
  readonly declares?: () => ReadonlySet<string>;
  /** Turns a position in `code` into one of the text as it was given. */
  readonly toSource: (line: number, column: number) => ProgramPosition | undefined;
}

/** A hand-written module of the library, ready to be linked with a program. */
export interface PreparedModule extends PreparedProgram {
  /** As programs import it: `servers/github/triage`. */
  readonly path: string;
  /** As messages name it: `servers/github/triage.ts`. */
  readonly file: string;
}
