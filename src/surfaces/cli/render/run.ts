// Shows a run to people: calls and lines as they happen, then its value, errors, questions, plan and next step.
import type {
  CallRecord,
  LogLine,
  RunError,
  RunMeter,
  RunQuestion,
  RunRequest,
  RunResult,
} from "../../../contracts/index.js";
import { type Coordinator, findObstacle, renderManifest } from "../../../coordinator/index.js";
import { pausedExitCode, toExitCode } from "../command.js";
import { askPerson, renderQuestion } from "../prompt/ask-person.js";
import type { Screen, Style } from "../screen.js";
import { noteFailure } from "./error.js";
import {
  cut,
  pad,
  plural,
  renderBytes,
  renderDuration,
  shortenCommand,
  toOneLine,
  toPlainText,
} from "./plain-text.js";

const logStyles: Partial<Record<LogLine["level"], Style>> = { error: "red", warn: "yellow", debug: "dim" };

/** A line that the program printed. */
export const printLog = (screen: Screen, { level, text }: LogLine): void => {
  const style = logStyles[level];
  const plain = screen.plain(text);
  screen.print(style === undefined ? plain : screen.style(style, plain));
};

/** A call in one line. */
export const renderCall = (call: CallRecord, columns: number): string => {
  // Only a call that was made gets the mark of success.
  const unmade = call.isCaptured === true ? "planned" : call.isSimulated === true ? "simulated" : undefined;
  const made = call.isReplayed === true ? "↺" : "✓";
  const mark = call.status === "failed" ? "✗" : unmade === undefined ? made : "○";
  const answered = unmade ?? renderBytes(call.answerBytes);
  const outcome = call.status === "answered" ? answered : (call.code ?? "failed");
  const end = `${renderDuration(call.durationMs).padStart(8)}  ${outcome.padStart(9)}`;
  const name = cut(toOneLine(`${mark} ${call.server}.${call.tool}`), columns - end.length - 2);
  return `${pad(name, Math.min(columns - end.length - 2, 48))}${end}`;
};

/** How a run ended, in a word. A plan or a simulation is never called completed. */
const nameEnd = ({ status, plan, simulated }: RunResult): string => {
  const mode = plan !== undefined ? "plan" : simulated !== undefined ? "simulation" : undefined;
  if (mode === undefined) return status;
  return status === "completed" ? (mode === "plan" ? "planned" : "simulated") : `${mode} ${status}`;
};

const renderSummary = (result: RunResult): string => {
  const { stopReason, calls, durationMs, statistics } = result;
  const made = calls.filter((call) => call.isCaptured !== true && call.isSimulated !== true).length;
  return [
    nameEnd(result),
    ...(stopReason === undefined ? [] : [`(${stopReason})`]),
    `in ${renderDuration(durationMs)}:`,
    `${plural(made, "call")} made,`,
    `${renderBytes(statistics.answerBytes)} of answers,`,
    `${renderBytes(statistics.outputBytes)} of output`,
  ].join(" ");
};

const renderTokens = (tokens: number): string =>
  `${tokens.toLocaleString("en-US")} token${tokens === 1 ? "" : "s"}`;

/** What a model would have read of the run, and what it would not. */
const renderMeter = ({ returnedTokens, keptTokens }: RunMeter): string =>
  keptTokens === 0
    ? `a model would read ${renderTokens(returnedTokens)}`
    : `a model would read ${renderTokens(returnedTokens)} instead of ${renderTokens(returnedTokens + keptTokens)}`;

/** What can be done with a run that ended early: a description, and the command words. */
const defaultChoice = [
  "resumes it without repeating its calls. Add FILE to use a corrected program",
  [],
] as const;
const choices: Partial<Record<RunError["code"], readonly (readonly [string, readonly string[]])[]>> = {
  RUN_DIVERGED: [["continues from there with new calls; what was done stays done", ["--fork"]]],
  RUN_UNCERTAIN: [
    ["continues if it was done", ["--skip"]],
    ["continues if it was not done", ["--repeat"]],
  ],
};

/** A command gets its own line, so that the line can be pasted. */
export const noteCommand = (screen: Screen, what: string, command: string): void => {
  screen.note(`${screen.styleNote("cyan", "next")}  ${what}:`);
  screen.noteWhole(`  ${screen.isWatched ? shortenCommand(command) : command}`);
};

/** How to print the next command. */
export interface NextStep {
  /** The command line for these words, with the configuration and workspace of the run. */
  readonly toCommand: (words: readonly string[]) => string;
  /** Approves the waiting calls. Only where a person reads it. */
  readonly code?: string | undefined;
}

/** How to resume a stored run. */
export const noteResume = (
  screen: Screen,
  { runId, error, question }: RunResult,
  { toCommand, code }: NextStep,
): void => {
  const command = toCommand(["resume", runId]);
  if (question !== undefined) {
    screen.note(screen.styleNote("yellow", "The run waits for an answer"));
    for (const line of renderQuestion(question)) screen.note(line);
    const login = question.kind === "sign-in" ? toCommand(["login", question.server ?? ""]) : command;
    noteAnswering(screen, { ...question, command: login }, code);
    return;
  }
  const known = error === undefined ? undefined : choices[error.code];
  for (const [what, words] of known ?? [defaultChoice])
    noteCommand(screen, `This ${what}`, toCommand(["resume", runId, ...words]));
};

/** The command that answers a question. Approval needs the code or a terminal; anybody may answer the program's own question. */
export const noteAnswering = (screen: Screen, question: RunQuestion, code: string | undefined): void => {
  const { kind, schema, command = "" } = question;
  if (kind === "approval" && code !== undefined)
    noteCommand(
      screen,
      `This approves exactly that; --no instead of "--yes ${code}" denies it`,
      `${command} --yes ${code}`,
    );
  else if (kind === "elicitation" && code !== undefined)
    noteCommand(
      screen,
      "At a terminal, this asks for the answer. Elsewhere, add --answer JSON; --no alone declines",
      `${command} --yes ${code}`,
    );
  else if (kind === "sign-in")
    noteCommand(screen, "This signs in. The run then continues by itself", command);
  else if (kind === "elicitation") noteCommand(screen, "At a terminal, this asks for the answer", command);
  else if (kind === "approval")
    noteCommand(screen, "At a terminal, this shows the calls and asks for approval", command);
  else if (schema.type === "boolean")
    noteCommand(screen, "This answers yes; --no instead of --yes answers no", `${command} --yes`);
  else
    noteCommand(
      screen,
      "At a terminal, this asks for the answer; elsewhere, add --answer TEXT or --no",
      command,
    );
};

const printPlan = (screen: Screen, result: RunResult, { toCommand }: NextStep): void => {
  const { planId = "", calls = [], warnings = [] } = result.plan ?? {};
  if (result.manifest !== undefined)
    for (const line of renderManifest(result.manifest))
      screen.note(screen.styleNote("dim", toPlainText(line)));
  screen.note(
    calls.length === 0
      ? "It would make no call that changes something"
      : `It would make ${plural(calls.length, "call")}:`,
  );
  for (const [at, { server, tool, arguments: given, dependsOn }] of calls.entries()) {
    const mark = dependsOn === undefined ? "" : `  (after a made-up answer: ${dependsOn[0]})`;
    screen.print(toPlainText(`${at + 1}. ${server}.${tool} ${JSON.stringify(given)}${mark}`));
  }
  for (const warning of warnings) screen.warn(toPlainText(warning));
  if (calls.length === 0) return;
  const obstacle = findObstacle(result);
  if (obstacle !== undefined) screen.note(`This plan cannot be committed: ${obstacle}`);
  else
    noteCommand(
      screen,
      `This makes ${calls.length === 1 ? "this call" : `these ${calls.length} calls`} and no other`,
      toCommand(["commit", planId]),
    );
};

/** Makes clear that a plan was not carried out, or that answers are made up. */
export const noteMode = (screen: Screen, { plan, simulated }: RunResult): void => {
  if (simulated !== undefined)
    screen.note(
      `${screen.styleNote("yellow", "simulated")} ${simulated.length === 0 ? "it called none of the simulated servers" : `the answers of ${toPlainText(simulated.join(", "))} are made up; no call reached a server`}`,
    );
  if (plan !== undefined)
    screen.note(
      `${screen.styleNote("yellow", "plan")} no server was changed${plan.usesSimulated === true ? "; what was printed and returned is computed from made-up answers" : ""}`,
    );
};

/** The end of a run: the value on stdout, the rest on stderr. */
export const printResult = (screen: Screen, result: RunResult, next: NextStep): void => {
  noteMode(screen, result);
  if (result.value !== undefined) {
    const text = typeof result.value === "string" ? result.value : JSON.stringify(result.value, undefined, 2);
    screen.print(screen.plain(text));
  }
  if (result.error !== undefined) noteFailure(screen, result.error);
  for (const { file, line, message, hint } of result.warnings ?? []) {
    const place = `${file === undefined ? "" : `${file}, `}line ${line}`;
    const text = `${place}: ${message}${hint === undefined ? "" : `. ${hint}`}`;
    screen.warn(toPlainText(text));
  }
  for (const note of result.notes ?? []) screen.note(screen.styleNote("dim", toPlainText(note)));
  if (result.isResumable === true) noteResume(screen, result, next);
  if (result.plan !== undefined) printPlan(screen, result, next);
  if (screen.isVerbose) screen.note(screen.styleNote("dim", `run ${result.runId}`));
  if (screen.isWatched || screen.isVerbose)
    screen.note(screen.styleNote("dim", toPlainText(renderSummary(result))));
  // Made-up answers say nothing about costs.
  if (screen.isVerbose && result.meter !== undefined && result.plan === undefined && !result.simulated)
    screen.note(screen.styleNote("dim", renderMeter(result.meter)));
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
  return { toCommand, code: (await coordinator.readQuestion({ runId, workspace }))?.code };
};
