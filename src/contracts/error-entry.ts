// One row of the error table.

/** Who has to act: `user` fixes a config or a program, `upstream` failed on the other side, `host` is our bug. */
export type ErrorKind = "user" | "upstream" | "host";

export interface ErrorEntry {
  readonly kind: ErrorKind;
  /** What it means, in one sentence. docs/errors.md shows the same text. */
  readonly meaning: string;
  /** The next step, unless the thrower has a better one. */
  readonly hint: string;
}

export const entry = (kind: ErrorKind, meaning: string, hint: string): ErrorEntry => ({
  kind,
  meaning,
  hint,
});
