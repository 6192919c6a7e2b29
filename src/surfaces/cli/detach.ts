// `run --background`: the same command again in a process of its own, which survives this one and reports when its program starts.
import { spawn } from "node:child_process";
import {
  CoordinatorError,
  type ErrorCode,
  type RunResult,
  toCoordinatorError,
} from "../../contracts/index.js";

/** Tells the new process that it is the background. Servers do not inherit it. */
const variable = "MCP_COORDINATOR_BACKGROUND";

/** The folder of the command line, before --folder changes it: the same words mean the same again. */
const startFolder = process.cwd();

/** What the background reports: its program runs, or it has already ended, or it could not be started. */
export interface BackgroundReport {
  readonly runId?: string | undefined;
  readonly result?: RunResult | undefined;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly hint: string } | undefined;
}

/** Whether this process is the background of another command. Can be asked once. */
export const isBackground = (): boolean => {
  const isSet = process.env[variable] === "1" && process.send !== undefined;
  delete process.env[variable];
  return isSet;
};

const send = (report: BackgroundReport): void => {
  // The command that waited may have been ended.
  if (process.connected) process.send?.(report, undefined, {}, () => {});
};

/** In the background: runs `work`, which is given the function that reports. */
export const reportToCommand = async (
  work: (report: (report: BackgroundReport) => void) => Promise<number>,
): Promise<number> => {
  // A parent that ends, and a terminal that is closed, do not end the run.
  process.on("disconnect", () => {});
  process.on("SIGHUP", () => {});
  try {
    return await work(send);
  } catch (thrown) {
    const { code, message, hint } = toCoordinatorError(thrown);
    send({ error: { code, message, hint } });
    throw thrown;
  }
};

/** Starts this command line in the background. Resolves when its program runs; throws if it does not start. */
export const startInBackground = async (code: string): Promise<BackgroundReport> => {
  const [, file = "", ...words] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, file, ...words], {
    cwd: startFolder,
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "ignore", "ignore", "ipc"],
    env: { ...process.env, [variable]: "1" },
  });
  child.stdin?.on("error", () => {});
  child.stdin?.end(code);
  const report = await new Promise<BackgroundReport>((resolve, reject) => {
    const fail = (state: string): void =>
      reject(new CoordinatorError("INTERNAL", `Cannot start the run in the background: ${state}`));
    child.once("message", (message) => resolve(message as BackgroundReport));
    child.once("error", ({ message }) => fail(message));
    child.once("exit", (status) => fail(`its process ended with ${status} before the program started`));
  });
  if (child.connected) child.disconnect();
  child.unref();
  const { error } = report;
  if (error !== undefined) throw new CoordinatorError(error.code, error.message, { hint: error.hint });
  return report;
};
