// `run` and `check`: run a program in the sandbox, in the foreground or the background, or only check it.

import { spawn } from "node:child_process";
import {
  CoordinatorError,
  type ErrorCode,
  type Language,
  type RunRequest,
  type RunResult,
  toCoordinatorError,
} from "../../../contracts/index.js";
import { type Coordinator, renderManifest, withOwnCommand } from "../../../coordinator/index.js";
import { type Command, type CommandContext, toExitCode } from "../command.js";
import { programOptions, readChoice, readCount, readLanguage, readProgram, readText } from "../read-words.js";
import { renderDiagnostic, renderOmitted } from "../render/error.js";
import { toPlainText } from "../render/plain-text.js";
import { noteCommand, type RunningCommand, showRun, watchRun } from "../render/run.js";
import type { Screen } from "../screen.js";

const outputs = ["json", "text", "toon", "structured"] as const;

const runProgram = async (context: CommandContext): Promise<number> => {
  const { screen, open, words, options, signal } = context;
  const isBackgroundProcess = isBackground();
  const timeoutMs = readCount(options, "timeout", "run");
  const output = readChoice(options, "output", outputs, "run");
  const code = await readProgram(words, options, "run");
  const language = readLanguage(words, options, "run", code);
  const workspace = readText(options, "workspace");
  const session = readText(options, "session");
  const request: RunRequest = {
    code,
    countTokens: true,
    language,
    output,
    servers: options.texts.server,
    profile: readText(options, "profile"),
    workspace,
    session,
    simulate: options.facts.has("simulate") || undefined,
    mode: options.facts.has("plan") ? "plan" : undefined,
    limits: timeoutMs === undefined ? undefined : { timeoutMs },
  };
  noteLanguage(context, language);
  const coordinator = await open();
  const where = { screen, coordinator, workspace };
  if (options.facts.has("background"))
    return isBackgroundProcess
      ? runInBackground(coordinator, request)
      : startBackgroundRun({ ...where, signal }, request);
  if (options.facts.has("plan") && !screen.isJson)
    screen.note(`${screen.styleNote("yellow", "plan")} Reads are made; writes are listed below, not made`);
  const running = restoreSession(coordinator, request).then(() =>
    coordinator.runCode({ ...request, signal, ...watchRun(where, output !== undefined) }),
  );
  const exitCode = await showRun({ ...where, signal }, running);
  // Somebody relies on these rules. By now the tools of the servers that were used are known.
  for (const text of await coordinator.checkApprovals()) screen.warn(toPlainText(text));
  return exitCode;
};

/** Restores the variables that earlier commands left in the session. */
const restoreSession = async (
  coordinator: Coordinator,
  { session, workspace }: RunRequest,
): Promise<void> => {
  if (session === undefined) return;
  const logs = await coordinator.listSessionLogs({ workspace });
  if (!logs.some((log) => log.session_id === session)) return;
  await coordinator.resumeSession({ session, workspace });
};

/** In the background process: reports when the program starts, or how it ended before that. */
const runInBackground = (coordinator: Coordinator, request: RunRequest): Promise<number> =>
  reportToCommand(async (report) => {
    await restoreSession(coordinator, request);
    const { promise: started, resolve: onStart } = Promise.withResolvers<void>();
    const { runId } = await coordinator.startRun({ ...request, isBackground: true, onStart });
    const ended = coordinator.waitForRun({ runId, workspace: request.workspace });
    const first = await Promise.race([started.then(() => undefined), ended]);
    report({ runId, result: first?.result });
    const { result } = await ended;
    return result?.error === undefined ? 0 : toExitCode(result.error);
  });

/** Starts the background process, and says how to follow the run. */
const startBackgroundRun = async (
  { screen, ...where }: RunningCommand & { readonly signal: AbortSignal },
  { code }: RunRequest,
): Promise<number> => {
  const { runId = "", result } = await screen.during("starting", startInBackground(code));
  // It ended before it started: the check refused it.
  if (result?.error !== undefined) return showRun({ screen, ...where }, Promise.resolve(result));
  if (screen.isJson) {
    screen.document({ runId, status: "running" });
    return 0;
  }
  screen.print(runId);
  const toCommand = (words: readonly string[]): string => where.coordinator.toCommand(words, where.workspace);
  noteCommand(
    screen,
    "It runs in the background. This shows what it does",
    toCommand(["runs", runId, "--follow"]),
  );
  noteCommand(screen, "This stops it", toCommand(["runs", "cancel", runId]));
  return 0;
};

/** A person who wrote Python without saying so should know why it runs as Python. */
const noteLanguage = ({ screen, options }: CommandContext, language: Language | undefined): void => {
  const isGuessed = language === "python" && readText(options, "language") === undefined;
  if (isGuessed && screen.isVerbose)
    screen.note("Recognized as Python; --language typescript overrides that");
};

export const run: Command = {
  name: "run",
  usage: ["run FILE", "run -e CODE", "run - < FILE", "run FILE --session SESSION", "run FILE --background"],
  description:
    "Streams what the program prints to stdout, followed by what it returns. Without --language, the language is detected from the file's suffix or the program itself. --json prints one document: mode, status, value, logs, error, warnings, calls, durationMs, runId, statistics, meter. With --background the command prints the run's id and ends, while the run continues; runs shows, follows and cancels it. With --session it sees the variables of earlier programs of that session.",
  examples: [
    ["mcp-coordinator run report.ts", "A file"],
    ["mcp-coordinator run -e 'return 6 * 7' --json", "Inline code, JSON output"],
    ["mcp-coordinator run report.ts --plan", "What it would change"],
    ["mcp-coordinator run report.ts --server github --timeout 5000", "Only one server, at most five seconds"],
    [
      "mcp-coordinator run -e 'const rows = await db.query()' --session s1",
      "Keep its variables for the next run",
    ],
    ["mcp-coordinator run nightly.ts --background --timeout 3600000", "Up to an hour, in the background"],
  ],
  options: {
    ...programOptions,
    output: {
      type: "string",
      value: "FORM",
      choices: outputs,
      summary: "Print what a model would read: json, text, toon or structured",
    },
    profile: { type: "string", value: "PROFILE", summary: "Apply a profile of the configuration" },
    workspace: {
      type: "string",
      value: "WORKSPACE",
      summary: "The workspace whose files and memory it sees (default: from the settings)",
    },
    plan: {
      type: "boolean",
      summary: "Make reads, list writes without making them; commit carries out the plan",
    },
    session: {
      type: "string",
      value: "SESSION",
      summary: "Share variables with the other programs of this session",
    },
    background: { type: "boolean", summary: "Print the run's id and continue in the background" },
    simulate: {
      type: "boolean",
      summary: "Answer calls with made-up values of the right type; no server is called",
    },
    timeout: { type: "string", value: "MS", summary: "Stop it after this many milliseconds" },
    server: {
      type: "string",
      multiple: true,
      value: "SERVER",
      summary: "Only this server may be called (repeatable)",
    },
  },
  run: runProgram,
};

/** Tells the new process that it is the background. Servers do not inherit it. */
const variable = "MCP_COORDINATOR_BACKGROUND";

/** The folder of the command line, before --folder changes it: the same words mean the same again. */
const startFolder = process.cwd();

/** What the background reports: its program runs, or it has already ended, or it could not be started. */
interface BackgroundReport {
  readonly runId?: string | undefined;
  readonly result?: RunResult | undefined;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly hint: string } | undefined;
}

/** Whether this process is the background of another command. Can be asked once. */
const isBackground = (): boolean => {
  const isSet = process.env[variable] === "1" && process.send !== undefined;
  delete process.env[variable];
  return isSet;
};

const send = (report: BackgroundReport): void => {
  // The command that waited may have been ended.
  if (process.connected) process.send?.(report, undefined, {}, () => {});
};

/** In the background: runs `work`, which is given the function that reports. */
const reportToCommand = async (
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
const startInBackground = async (code: string): Promise<BackgroundReport> => {
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

/** Names a slow or hanging server instead of waiting for it. */
const waitMs = 1000;

/** Lists the servers that could not be asked, with the next step. */
const printUnchecked = (screen: Screen, servers: readonly string[]): void => {
  if (servers.length === 0) return;
  const next = withOwnCommand(
    '"mcp-coordinator tools SERVER" waits for a server and caches its tools; "mcp-coordinator doctor" says what is wrong.',
  );
  screen.say(`These servers did not list their tools: ${servers.map(toPlainText).join(", ")}. ${next}`);
};

export const check: Command = {
  name: "check",
  usage: ["check FILE", "check -e CODE", "check - < FILE"],
  description:
    "Checks names, imports, arguments, fields of declared results and missing awaits against the servers that the program uses. Exits with 1 if the program would be refused.",
  examples: [
    ["mcp-coordinator check report.ts", "Every certain error, or the tools that it can call"],
    ["mcp-coordinator check report.py", "A Python program"],
  ],
  options: programOptions,
  run: async ({ screen, open, words, options }) => {
    const code = await readProgram(words, options, "check");
    const language = readLanguage(words, options, "check", code);
    const coordinator = await open();
    const result = await screen.during("checking", coordinator.checkCode({ code, waitMs, language }));
    if (screen.isJson) screen.document(result);
    else {
      for (const diagnostic of result.diagnostics)
        for (const line of renderDiagnostic(diagnostic, screen.style)) screen.say(line);
      for (const line of renderOmitted(result.omitted)) screen.say(line);
      printUnchecked(screen, result.unlisted ?? []);
      if (result.isValid) for (const line of renderManifest(result.manifest)) screen.say(toPlainText(line));
    }
    return result.isValid ? 0 : 1;
  },
};
