// The exit codes of a command.
import type { ErrorCode, ErrorKind } from "../../contracts/index.js";

/** A server failed or could not be reached. */
export const serverExitCode = 3;

const byKind: Readonly<Record<ErrorKind, number>> = { user: 1, upstream: serverExitCode, host: 4 };

/** 1: the user's config or program; 2: the command line; 3: a server; 4: our own failure. */
export const toExitCode = (error: { readonly code: ErrorCode; readonly kind: ErrorKind }): number =>
  error.code === "USAGE" ? 2 : byKind[error.kind];

/** The run waits for an answer. */
export const pausedExitCode = 5;

/** The codes in words, for help. */
export const exitCodeHelp: readonly (readonly [code: string, meaning: string])[] = [
  ["0", "done"],
  ["1", "your configuration or program needs a change"],
  ["2", "the command was not understood"],
  ["3", "a server failed or could not be reached"],
  ["4", "a bug in mcp-coordinator, or no sandbox"],
  ["5", "the run waits for an answer"],
  ["130", "stopped by Ctrl-C"],
];
