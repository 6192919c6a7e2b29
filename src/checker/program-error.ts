// PROGRAM_INVALID errors and the line and column they refer to.
import { CoordinatorError } from "../contracts/index.js";

export interface ProgramPosition {
  /** The adapter file it is in; absent if it is in the program. */
  readonly file?: string | undefined;
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

const maxExcerpt = 200;

export interface Lines {
  /** The line and column of an offset, both starting at 1. */
  readonly find: (offset: number) => { readonly line: number; readonly column: number };
  /** The start of a line, trimmed. */
  readonly excerpt: (line: number) => string;
}

/** Line positions of a text, computed once for many lookups. */
export const openLines = (text: string): Lines => {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return {
    find: (offset) => {
      let low = 0;
      let high = starts.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle;
      }
      return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
    },
    excerpt: (line) => {
      const start = starts[line - 1];
      return start === undefined ? "" : text.slice(start, starts[line]).trim().slice(0, maxExcerpt);
    },
  };
};

/** The position of an offset in a text, with its source line. */
export const toPosition = (text: string, offset: number): ProgramPosition => {
  const lines = openLines(text);
  const place = lines.find(offset);
  return { ...place, excerpt: lines.excerpt(place.line) };
};

/** PROGRAM_INVALID with the position in `details`. */
export const programError = (message: string, position?: ProgramPosition, hint?: string): CoordinatorError =>
  new CoordinatorError("PROGRAM_INVALID", message, {
    details: position,
    hint,
  });

/** A text that the checker gave up on because parsing it took too much stack, time or memory. */
export const tooComplex = (name = "the program"): CoordinatorError =>
  programError(
    `Cannot check ${name}: it is nested too deeply or too complex`,
    undefined,
    "Split long expressions and deep nesting into several statements or functions.",
  );
