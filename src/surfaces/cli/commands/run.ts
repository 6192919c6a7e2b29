// `run`: runs a program in the sandbox, from a file, the command line or stdin.
import type { Language, OutputMode, RunRequest, RunResult } from "../../../contracts/index.js";
import type { Coordinator } from "../../../coordinator/index.js";
import {
  type Command,
  type CommandContext,
  type GivenOptions,
  pausedExitCode,
  toExitCode,
} from "../command.js";
import { isBackground, reportToCommand, startInBackground } from "../detach.js";
import { askPerson } from "../prompt/ask-person.js";
import { inWorkspace, readCount, readLanguage, readProgram, readText, usage } from "../read-words.js";
import { toPlainText } from "../render/plain-text.js";
import { type NextStep, noteCommand, printLog, printResult, renderCall } from "../render/run.js";
import type { Screen } from "../screen.js";

const outputs = ["json", "text", "toon", "structured"] as const;

const readOutput = (options: GivenOptions): OutputMode | undefined => {
  const text = readText(options, "output");
  const found = outputs.find((output) => output === text);
  if (text === undefined || found !== undefined) return found;
  throw usage('read "--output"', `it is "${text}", expected one of ${outputs.join(", ")}`, "run");
};

/** The document of `--json`. Missing values are null, so that the keys are always the same. */
const toDocument = (result: RunResult) => ({
  /** "plan" and "simulation" have changed nothing. */
  mode: result.plan !== undefined ? "plan" : result.simulated !== undefined ? "simulation" : "run",
  status: result.status,
  value: result.value ?? null,
  logs: result.logs,
  error: result.error ?? null,
  warnings: result.warnings ?? [],
  calls: result.calls,
  durationMs: result.durationMs,
  runId: result.runId,
  stopReason: result.stopReason,
  isResumable: result.isResumable,
  question: result.question,
  plan: result.plan,
  manifest: result.manifest,
  simulated: result.simulated,
  statistics: result.statistics,
  meter: result.meter ?? null,
  artifacts: result.artifacts,
  shown: result.shown,
});

const runProgram = async (context: CommandContext): Promise<number> => {
  const { screen, open, words, options, signal } = context;
  const isHere = isBackground();
  const timeoutMs = readCount(options, "timeout", "run");
  const output = readOutput(options);
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
    return isHere ? runHere(coordinator, request) : runThere({ ...where, signal }, request);
  if (options.facts.has("plan") && !screen.isJson)
    screen.note(`${screen.styleNote("yellow", "plan")} Reads are made; writes are listed below, not made`);
  const running = restoreSession(coordinator, request).then(() =>
    coordinator.runCode({ ...request, signal, ...watchRun(where, output !== undefined) }),
  );
  const exitCode = await showRun({ ...where, signal }, running);
  // Somebody relies on these rules. By now the tools of the servers that were used are known.
  for (const text of await coordinator.checkApprovals())
    screen.note(`${screen.styleNote("yellow", "warning")} ${toPlainText(text)}`);
  return exitCode;
};

/** Restores the variables that earlier commands left in the session. */
const restoreSession = async (
  coordinator: Coordinator,
  { session, workspace }: RunRequest,
): Promise<void> => {
  if (session === undefined) return;
  const logs = await coordinator.listSessionLogs(inWorkspace({}, workspace));
  if (!logs.some((log) => log.session_id === session)) return;
  await coordinator.resumeSession(inWorkspace({ session }, workspace));
};

/** In the background process: reports when the program starts, or how it ended before that. */
const runHere = (coordinator: Coordinator, request: RunRequest): Promise<number> =>
  reportToCommand(async (report) => {
    await restoreSession(coordinator, request);
    const { promise: started, resolve: onStart } = Promise.withResolvers<void>();
    const { runId } = await coordinator.startRun({ ...request, isBackground: true, onStart });
    const ended = coordinator.waitForRun(inWorkspace({ runId }, request.workspace));
    const first = await Promise.race([started.then(() => undefined), ended]);
    report({ runId, result: first?.result });
    const { result } = await ended;
    return result?.error === undefined ? 0 : toExitCode(result.error);
  });

/** Starts the background process, and says how to follow the run. */
const runThere = async (
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

/** A command that runs something, and its screen. */
export interface RunningCommand {
  readonly screen: Screen;
  readonly coordinator: Coordinator;
  readonly workspace?: string | undefined;
}

/** Shows lines, calls and questions as they happen. */
export const watchRun = (
  { screen, coordinator, workspace }: RunningCommand,
  isShownLater = false,
): Pick<RunRequest, "onLog" | "onCall" | "onQuestion"> => ({
  ...askPerson(screen, coordinator, workspace),
  onLog: screen.isJson || isShownLater ? undefined : (line) => printLog(screen, line),
  onCall:
    !screen.isJson && (screen.isWatched || screen.isVerbose)
      ? (call) => screen.note(screen.styleNote("dim", renderCall(call, screen.columns)))
      : undefined,
});

/** Waits for a run, shows how it ended, and returns the exit code. */
export const showRun = async (
  { screen, signal, ...where }: RunningCommand & { readonly signal: AbortSignal },
  running: Promise<RunResult>,
): Promise<number> => {
  const result = await screen.during("running", running);
  if (screen.isJson) screen.document(toDocument(result));
  else if (signal.aborted && result.status !== "paused") screen.note("cancelled");
  else if (result.shown !== undefined)
    for (const text of result.shown.texts) screen.print(screen.plain(text));
  else {
    printResult(screen, result, await readNextStep({ screen, ...where }, result));
    if (screen.isVerbose) await noteServers(screen, where.coordinator);
  }
  if (result.status === "paused") return pausedExitCode;
  return result.error === undefined ? 0 : toExitCode(result.error);
};

/** The servers that the run has started, or that were already running. */
const noteServers = async (screen: Screen, coordinator: Coordinator): Promise<void> => {
  const ready = (await coordinator.listServers()).filter(({ status }) => status === "ready");
  if (ready.length === 0) return;
  const names = ready.map(({ name, toolCount = 0 }) => `${name} (${toolCount} tools)`).join(", ");
  screen.note(screen.styleNote("dim", `servers started: ${toPlainText(names)}`));
};

/** The approval code is for a person at a terminal only: the reader of a pipe may be an agent. */
export const readNextStep = async (
  { screen, coordinator, workspace }: RunningCommand,
  { runId, question }: Pick<RunResult, "runId" | "question">,
): Promise<NextStep> => {
  const toCommand: NextStep["toCommand"] = (words) => coordinator.toCommand(words, workspace);
  if (question?.kind !== "approval" || !screen.canAsk) return { toCommand };
  return { toCommand, code: (await coordinator.readQuestion(inWorkspace({ runId }, workspace)))?.code };
};

export const run: Command = {
  name: "run",
  usage: ["run FILE", "run -e CODE", "run - < FILE", "run FILE --session SESSION", "run FILE --background"],
  description:
    "Streams what the program prints to stdout, followed by what it returns. Without --language, the file's suffix or the program itself tells the language. --json prints one document: mode, status, value, logs, error, warnings, calls, durationMs, runId, statistics, meter. With --background the run continues after the command and prints its id; runs shows, follows and cancels it. With --session it sees the variables of earlier programs of that session.",
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
    eval: { type: "string", short: "e", value: "CODE", summary: "The program itself" },
    language: {
      type: "string",
      value: "NAME",
      choices: ["typescript", "python"],
      summary: "typescript or python (default: recognized)",
    },
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
    background: { type: "boolean", summary: "Print its id and continue in a process of its own" },
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
