// `run`: runs a program in the sandbox, from a file, the command line or stdin.
import type { OutputMode, RunRequest, RunResult } from "../../../contracts/index.js";
import type { Coordinator } from "../../../coordinator/index.js";
import {
  type Command,
  type CommandContext,
  type GivenOptions,
  pausedExitCode,
  toExitCode,
} from "../command.js";
import { askPerson } from "../prompt/ask-person.js";
import { inWorkspace, readCount, readLanguage, readProgram, readText, usage } from "../read-words.js";
import { type NextStep, printLog, printResult, renderCall } from "../render/run.js";
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
  simulated: result.simulated,
  statistics: result.statistics,
  meter: result.meter ?? null,
  artifacts: result.artifacts,
  shown: result.shown,
});

const runProgram = async ({ screen, open, words, options, signal }: CommandContext): Promise<number> => {
  const timeoutMs = readCount(options, "timeout", "run");
  const language = readLanguage(words, options, "run");
  const output = readOutput(options);
  const code = await readProgram(words, options, "run");
  const servers = options.texts.server;
  const profile = readText(options, "profile");
  const workspace = readText(options, "workspace");
  const coordinator = await open();
  const running = coordinator.runCode({
    code,
    signal,
    countTokens: true,
    language,
    output,
    servers,
    profile,
    workspace,
    simulate: options.facts.has("simulate") || undefined,
    mode: options.facts.has("plan") ? "plan" : undefined,
    limits: timeoutMs === undefined ? undefined : { timeoutMs },
    ...watchRun({ screen, coordinator, workspace }, output !== undefined),
  });
  return showRun({ screen, coordinator, workspace, signal }, running);
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
  else if (signal.aborted) screen.note("cancelled");
  else if (result.shown !== undefined)
    for (const text of result.shown.texts) screen.print(screen.plain(text));
  else printResult(screen, result, await readNextStep({ screen, ...where }, result));
  if (result.status === "paused") return pausedExitCode;
  return result.error === undefined ? 0 : toExitCode(result.error);
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
  usage: ["run FILE", "run -e CODE", "run - < FILE"],
  description:
    "Streams what the program prints to stdout, followed by what it returns. --json prints one document: status, value, logs, error, warnings, calls, durationMs, runId, statistics, meter.",
  examples: [
    ["mcp-coordinator run report.ts", "A file"],
    ["mcp-coordinator run -e 'return 6 * 7' --json", "Inline code, JSON output"],
    ["mcp-coordinator run report.ts --plan", "What it would change"],
    ["mcp-coordinator run report.ts --server github --timeout 5000", "Only one server, at most five seconds"],
  ],
  options: {
    eval: { type: "string", short: "e", value: "CODE", summary: "The program itself" },
    language: {
      type: "string",
      value: "NAME",
      choices: ["typescript", "python"],
      summary: "typescript (default) or python",
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
      summary: "The workspace whose files and memory it sees (default: default)",
    },
    plan: {
      type: "boolean",
      summary: "Make reads, list writes without making them; commit carries out the plan",
    },
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
