// Runs an installer until it ends, with a timeout.
import spawn from "cross-spawn";
import { CoordinatorError } from "../../contracts/index.js";
import { diagnoseStart, isInstallerNoise } from "../diagnose-start.js";
import { createTextTail } from "../line-splitter.js";
import type { FetchJob } from "./fetch-queue.js";

const maxTextLength = 64 * 1024;

export interface InstallerEnd {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the installer's exit and output. Throws if it cannot be started or exceeds the timeout. */
export const runInstaller = (
  { command, cwd, timeoutMs, specs }: FetchJob,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<InstallerEnd> =>
  new Promise((resolve, reject) => {
    const isGroupLeader = process.platform !== "win32";
    const child = spawn(command, [...args], {
      env: { ...env },
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      detached: isGroupLeader,
    });
    const fail = (state: string, cause?: unknown): void =>
      reject(
        new CoordinatorError("UPSTREAM_UNREACHABLE", `Cannot install "${specs[0]}": ${state}`, {
          cause,
          details: { phase: "fetch", stderr: stderr.read() },
        }),
      );
    const stdout = createTextTail(maxTextLength);
    const stderr = createTextTail(maxTextLength);
    child.stdout?.setEncoding("utf8").on("data", stdout.add);
    child.stderr?.setEncoding("utf8").on("data", stderr.add);
    const timer = setTimeout(() => {
      try {
        if (isGroupLeader && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // It has already ended.
      }
      fail(`it takes longer than ${timeoutMs} ms, the limit "fetchTimeoutMs"`);
    }, timeoutMs);
    child.on("error", (error) => {
      clearTimeout(timer);
      fail(`"${command}" cannot be started`, error);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ exitCode: code ?? undefined, stdout: stdout.read(), stderr: stderr.read() });
    });
  });

/** npm prints the reason after lines with its code, path and command; others print it last. */
const toReason = (stderr: string): string => {
  const lines = stderr
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !isInstallerNoise(line));
  const errors = lines.filter((line) => /^npm (?:error|ERR!)/.test(line));
  const reasons = errors.filter(
    (line) => !/^npm (?:error|ERR!) (?:code|path|command|errno|syscall|dest|A complete log)\b/.test(line),
  );
  const reason = reasons[0] ?? errors[0] ?? lines.at(-1) ?? "";
  return reason.replace(/^npm (?:error|ERR!) /, "").slice(0, 300);
};

/** The same, but throws if the installer fails. */
export const runInstallerOrThrow = async (
  job: FetchJob,
  args: readonly string[],
  env: Readonly<Record<string, string>> = job.env,
): Promise<InstallerEnd> => {
  const end = await runInstaller(job, args, env);
  if (end.exitCode === 0) return end;
  const { command, specs, installer } = job;
  const diagnosis = diagnoseStart({ command, package: specs[0], exitCode: end.exitCode, stderr: end.stderr });
  const details = { phase: "fetch", exitCode: end.exitCode, stderr: end.stderr.slice(-8 * 1024) };
  if (diagnosis !== undefined) {
    const { state, hint, reason } = diagnosis;
    throw new CoordinatorError("UPSTREAM_UNREACHABLE", `Cannot install "${specs[0]}": ${state}`, {
      hint,
      details: { ...details, reason },
    });
  }
  const said = toReason(end.stderr);
  const state = end.exitCode === undefined ? "was ended" : `exited with code ${end.exitCode}`;
  throw new CoordinatorError(
    "UPSTREAM_UNREACHABLE",
    `Cannot install "${specs[0]}": ${installer === "container" ? "the container runtime" : installer} ${state}${said === "" ? "" : `; it said "${said}"`}`,
    {
      hint: "Check the package's name and the network, then try again; nothing incomplete was left behind",
      details,
    },
  );
};
