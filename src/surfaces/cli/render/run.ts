// Renders a run for people: its output, value, calls, questions and a summary line.
import type {
  CallRecord,
  LogLine,
  RunError,
  RunMeter,
  RunPlan,
  RunQuestion,
  RunResult,
} from "../../../contracts/index.js";
import { findObstacle } from "../../../coordinator/index.js";
import type { Screen, Style } from "../screen.js";
import { noteError } from "./error.js";
import { cut, pad, renderBytes, renderDuration, toOneLine, toPlainText } from "./plain-text.js";

const logStyles: Partial<Record<LogLine["level"], Style>> = { error: "red", warn: "yellow", debug: "dim" };

/** A line that the program printed. */
export const printLog = (screen: Screen, { level, text }: LogLine): void => {
  const style = logStyles[level];
  const plain = screen.plain(text);
  screen.print(style === undefined ? plain : screen.style(style, plain));
};

/** A call in one line. */
export const renderCall = (call: CallRecord, columns: number): string => {
  const isPlanned = call.isCaptured === true && call.status === "answered";
  const mark = call.isReplayed === true ? "↺" : isPlanned ? "○" : call.status === "answered" ? "✓" : "✗";
  const answered = isPlanned ? "planned" : renderBytes(call.answerBytes);
  const outcome = call.status === "answered" ? answered : (call.code ?? "failed");
  const end = `${renderDuration(call.durationMs).padStart(8)}  ${outcome.padStart(9)}`;
  const name = cut(toOneLine(`${mark} ${call.server}.${call.tool}`), columns - end.length - 2);
  return `${pad(name, Math.min(columns - end.length - 2, 48))}${end}`;
};

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const renderSummary = ({ status, stopReason, calls, plan, durationMs, statistics }: RunResult): string =>
  [
    plan !== undefined && status === "completed" ? "planned" : status,
    ...(stopReason === undefined ? [] : [`(${stopReason})`]),
    `in ${renderDuration(durationMs)}:`,
    `${plural(calls.length - (plan?.calls.length ?? 0), "call")},`,
    `${renderBytes(statistics.answerBytes)} of answers,`,
    `${renderBytes(statistics.outputBytes)} of output`,
  ].join(" ");

const renderTokens = (tokens: number): string =>
  `${tokens.toLocaleString("en-US")} token${tokens === 1 ? "" : "s"}`;

/** What the run cost the model, and what it saved. */
const renderMeter = ({ returnedTokens, keptTokens, savedTokens }: RunMeter, calls: number): string => {
  const line = `returned ${renderTokens(returnedTokens)}, kept ${keptTokens.toLocaleString("en-US")} away`;
  if (calls === 0 || savedTokens >= 0) return line;
  return `${line}; calling directly would have cost ${renderTokens(-savedTokens)} less, definitions aside`;
};

const withPosition = (error: RunError): RunError => {
  if (error.line === undefined) return error;
  const place = `${error.file === undefined ? "" : `${error.file}, `}line ${error.line}`;
  const excerpt = error.excerpt === undefined ? "" : `\n${place}: ${error.excerpt.trim()}`;
  return { ...error, message: `${error.message}${excerpt === "" ? ` (${place})` : excerpt}` };
};

/** Why a program did not complete, with the line of the error. */
export const noteFailure = (screen: Screen, error: RunError): void => noteError(screen, withPosition(error));

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
const noteCommand = (screen: Screen, what: string, command: string): void => {
  screen.note(`${screen.styleNote("cyan", "next")}  ${what}:`);
  screen.noteWhole(`  ${command}`);
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
    noteAnswering(screen, { ...question, command }, code);
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
  else if (kind === "approval") noteCommand(screen, "At a terminal this shows the calls and asks", command);
  else if (schema.type === "boolean")
    noteCommand(screen, "This answers yes; --no instead of --yes answers no", `${command} --yes`);
  else noteCommand(screen, "At a terminal this asks; elsewhere it takes --answer TEXT or --no", command);
};

const printPlan = (screen: Screen, result: RunResult, { toCommand }: NextStep): void => {
  const { planId = "", calls = [], warnings = [] } = result.plan ?? {};
  screen.note(
    calls.length === 0
      ? "It would make no call that changes something"
      : `It would make ${plural(calls.length, "call")}:`,
  );
  for (const [at, { server, tool, arguments: given, dependsOn }] of calls.entries()) {
    const mark = dependsOn === undefined ? "" : `  (after a made-up answer: ${dependsOn[0]})`;
    screen.print(toPlainText(`${at + 1}. ${server}.${tool} ${JSON.stringify(given)}${mark}`));
  }
  for (const warning of warnings)
    screen.note(`${screen.styleNote("yellow", "warning")} ${toPlainText(warning)}`);
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

/** Makes clear that a plan was not carried out. */
export const notePlan = (screen: Screen, { usesSimulated }: RunPlan): void =>
  screen.note(
    `${screen.styleNote("yellow", "plan")} no server was changed${usesSimulated === true ? "; what was printed and returned is computed from made-up answers" : ""}`,
  );

/** The end of a run: the value on stdout, the rest on stderr. */
export const printResult = (screen: Screen, result: RunResult, next: NextStep): void => {
  if (result.simulated !== undefined)
    screen.note(
      `${screen.styleNote("yellow", "simulated")} the answers of ${toPlainText(result.simulated.join(", "))} are made up; no call reached a server`,
    );
  if (result.plan !== undefined) notePlan(screen, result.plan);
  if (result.value !== undefined) {
    const text = typeof result.value === "string" ? result.value : JSON.stringify(result.value, undefined, 2);
    screen.print(screen.plain(text));
  }
  if (result.error !== undefined) noteFailure(screen, result.error);
  for (const { file, line, message, hint } of result.warnings ?? []) {
    const place = `${file === undefined ? "" : `${file}, `}line ${line}`;
    const text = `${place}: ${message}${hint === undefined ? "" : `. ${hint}`}`;
    screen.note(`${screen.styleNote("yellow", "warning")} ${toPlainText(text)}`);
  }
  if (result.isResumable === true) noteResume(screen, result, next);
  if (result.plan !== undefined) printPlan(screen, result, next);
  if (screen.isWatched || screen.isVerbose) {
    screen.note(screen.styleNote("dim", toPlainText(renderSummary(result))));
    if (result.meter !== undefined)
      screen.note(screen.styleNote("dim", renderMeter(result.meter, result.calls.length)));
  }
};

/** The question as lines, with text from the program made safe for a terminal. */
export const renderQuestion = (question: RunQuestion): readonly string[] => [
  toPlainText(question.text),
  ...listChoices(question).map((choice, at) => toPlainText(`  ${at + 1}) ${choice}`)),
  ...(question.calls ?? []).map(({ server, tool, arguments: given }, at) =>
    toPlainText(`${at + 1}. ${server}.${tool} ${JSON.stringify(given)}`),
  ),
];

/** The choices, if the question has any. */
export const listChoices = ({ schema }: RunQuestion): readonly string[] =>
  Array.isArray(schema.enum) ? schema.enum.filter((choice) => typeof choice === "string") : [];
