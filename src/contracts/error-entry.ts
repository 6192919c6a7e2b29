// One row of the table of error codes.

/** Who has to act: `user` fixes a config or a program, `upstream` is the other side's failure, `host` is our bug. */
export type ErrorKind = "user" | "upstream" | "host";

export interface ErrorEntry {
  readonly kind: ErrorKind;
  /** What it means, one sentence; docs/errors.md shows the same text. */
  readonly meaning: string;
  /** The next step when the thrower has no better one. */
  readonly hint: string;
}

export const entry = (kind: ErrorKind, meaning: string, hint: string): ErrorEntry => ({
  kind,
  meaning,
  hint,
});
