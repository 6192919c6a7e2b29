// A program that cannot be run, told with its own line and column.
import { CoordinatorError } from "../contracts/index.js";

export interface ProgramPosition {
  /** The adapter's file that it is in; absent when it is in the program. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

/** The place of an offset in a text, starting at 1, with the text of its line. */
export const toPosition = (text: string, offset: number): ProgramPosition => {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return {
    line,
    column: offset - before.lastIndexOf("\n"),
    excerpt: (text.split("\n")[line - 1] ?? "").trim().slice(0, 200),
  };
};

/** PROGRAM_INVALID with the position in `details`. */
export const programError = (message: string, position?: ProgramPosition, hint?: string): CoordinatorError =>
  new CoordinatorError("PROGRAM_INVALID", message, {
    ...(position === undefined ? {} : { details: position }),
    ...(hint === undefined ? {} : { hint }),
  });
