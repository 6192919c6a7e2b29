// Runs a short command of this machine to completion. A failure is a result, not an exception.
import { execFile } from "node:child_process";

export interface CommandResult {
  readonly isDone: boolean;
  readonly output: string;
  /** The last line of stderr, or why it could not be started. */
  readonly complaint: string;
}

export interface CommandOptions {
  /** Nothing else of the host's environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export const runCommand = (
  command: string,
  args: readonly string[],
  { environment, timeoutMs }: CommandOptions,
): Promise<CommandResult> =>
  new Promise<CommandResult>((resolve) => {
    const child = execFile(
      command,
      [...args],
      { env: environment, timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: 1 << 22, windowsHide: true },
      (error, output, stderr) =>
        resolve({
          isDone: error === null,
          output,
          complaint: error === null ? "" : toComplaint(stderr, error),
        }),
    );
    child.stdin?.end();
    // Some failures are thrown: ENOMEM, for example.
  }).catch((error: Error) => ({ isDone: false, output: "", complaint: error.message }));

const toComplaint = (
  stderr: string,
  error: Error & { readonly killed?: boolean | undefined; readonly code?: unknown },
): string => {
  const lastLine = stderr.trim().split("\n").at(-1) ?? "";
  if (error.killed === true) return "it timed out";
  if (error.code === "ENOENT") return "not installed";
  return lastLine || (typeof error.code === "number" ? `it ended with ${error.code}` : error.message);
};
