// Runs one short command of a container runtime and returns its exit code and output.
import { type ExecFileOptions, execFile } from "node:child_process";

export interface CommandResult {
  readonly isDone: boolean;
  readonly output: string;
  /** The last line of stderr, or why it could not be started. */
  readonly complaint: string;
}

export interface CommandOptions {
  readonly timeoutMs?: number | undefined;
}

/** The runtimes need these variables; they see nothing else of the host's environment. */
const passedVariables = [
  "PATH",
  "HOME",
  "USERPROFILE",
  "SYSTEMROOT",
  "TMPDIR",
  "XDG_RUNTIME_DIR",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "DBUS_SESSION_BUS_ADDRESS",
  "DOCKER_HOST",
  "DOCKER_CONTEXT",
  "DOCKER_CONFIG",
  "CONTAINER_HOST",
  "CONTAINERS_CONF",
  "CONTAINERS_STORAGE_CONF",
];

/** The environment of the runtime's own command; none of it reaches a container. */
export const runtimeEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    passedVariables.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Runs it to completion. A failure is a result, not an exception. */
export const runCommand = (
  command: string,
  args: readonly string[],
  { timeoutMs = 60_000 }: CommandOptions = {},
): Promise<CommandResult> => {
  const options: ExecFileOptions = {
    env: runtimeEnvironment(),
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: 1 << 22,
    windowsHide: true,
  };
  return new Promise((resolve) => {
    const child = execFile(command, [...args], options, (error, stdout, stderr) => {
      const complaint = error === null ? "" : toComplaint(String(stderr), error);
      resolve({ isDone: error === null, output: String(stdout), complaint });
    });
    child.stdin?.end();
  });
};

const toComplaint = (
  stderr: string,
  error: Error & { readonly killed?: boolean | undefined; readonly code?: unknown },
): string => {
  const lastLine = stderr.trim().split("\n").at(-1) ?? "";
  if (error.killed === true) return "it timed out";
  if (error.code === "ENOENT") return "not installed";
  return lastLine || error.message;
};
