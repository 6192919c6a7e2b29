// Renders a run for a model: what it printed and returned, what went wrong and where, and the next step if it is not finished.
import {
  describeQuestion,
  type ErrorCode,
  type ManifestCall,
  type RunError,
  type RunPlan,
  type RunQuestion,
  type RunResult,
  toVisibleText,
} from "../../contracts/index.js";
import { renderManifestCall } from "./render-manifest.js";

/** One text per block, complete and as JSON. The part shown to a model is in `shown`, if requested. */
export const renderRunTexts = (result: RunResult): readonly string[] => {
  if (result.shown !== undefined) return result.shown.texts;
  const { value } = result;
  const logs = renderLogs(result.logs);
  const texts = [
    ...(logs === undefined ? [] : [logs]),
    ...(value === undefined ? [] : [typeof value === "string" ? value : JSON.stringify(value)]),
    ...renderErrorTexts(result),
    ...renderNextTexts(result),
  ];
  if (texts.length === 0) texts.push("The program ended without printing or returning anything.");
  return [...renderSimulated(result), ...texts, ...renderWarnings(result), ...renderNotes(result)];
};

/** How to resume the run, and what a plan would do. */
export const renderNextTexts = (result: Partial<RunResult>): readonly string[] => [
  ...renderNextStep(result),
  ...renderPlan(result),
];

export const renderLogs = (logs: RunResult["logs"]): string | undefined =>
  logs.length === 0 ? undefined : logs.map((line) => line.text).join("\n");

/** What went wrong and where. */
export const renderErrorTexts = (result: Pick<RunResult, "error" | "calls">): readonly string[] =>
  result.error === undefined ? [] : [renderError(result.error, result)];

/** Says clearly that values are simulated, or that a plan is not what was done. */
export const renderSimulated = (result: Partial<RunResult>): readonly string[] => {
  const { simulated } = result;
  const answers =
    simulated === undefined || simulated.length === 0
      ? "the program called none of the simulated servers"
      : `the answers of ${simulated.join(", ")} are made up; no call reached a server`;
  return [...(simulated === undefined ? [] : [`SIMULATED: ${answers}.`]), ...renderPlanLabel(result)];
};

const maxWarnings = 3;
/** Maximum characters of one warning. */
const maxWarningLength = 300;

/** Findings that are not certain mistakes: a few lines in one text. After an error, one is enough. */
export const renderWarnings = ({
  warnings = [],
  error,
}: Pick<Partial<RunResult>, "warnings" | "error">): readonly string[] => {
  if (warnings.length === 0) return [];
  const shown = warnings.slice(0, error === undefined ? maxWarnings : 1).map((warning) => {
    const place = `${warning.file === undefined ? "" : `${warning.file}, `}line ${warning.line}`;
    const text = warning.hint === undefined ? warning.message : `${warning.message}. ${warning.hint}`;
    const message = text.replace(/\s+/g, " ");
    const line = message.length > maxWarningLength ? `${message.slice(0, maxWarningLength - 1)}…` : message;
    return `Warning, ${place}: ${line}`;
  });
  const more = warnings.length - shown.length;
  return [[...shown, ...(more > 0 && error === undefined ? [`and ${more} more warnings`] : [])].join("\n")];
};

/** What the next program can be written with. */
export const renderNotes = ({ notes = [] }: Pick<Partial<RunResult>, "notes">): readonly string[] =>
  notes.length === 0 ? [] : [notes.join("\n")];

/** Other errors that a model reads at once: it corrects these first, and the next check lists the rest. */
const maxOthers = 4;

const renderOthers = ({ others = [], omitted = 0 }: RunError): readonly string[] => {
  const more = Math.max(0, others.length - maxOthers) + omitted;
  return [
    ...others.slice(0, maxOthers),
    ...(more === 0 ? [] : [`and ${more} more error${more === 1 ? "" : "s"}`]),
  ];
};

/** Frames that a model reads: the innermost and the next ones. */
const maxFrames = 6;

/** The frames below the first, which the position already shows. */
const renderTrace = ({ trace = [] }: RunError): readonly string[] => {
  const rest = trace.slice(1);
  const more = rest.length - maxFrames;
  return [
    ...rest
      .slice(0, maxFrames)
      .map(
        ({ function: name, file, line, column, excerpt }) =>
          `  called from ${file === undefined ? "" : `${file}, `}line ${line}, column ${column}${name === undefined ? "" : ` in ${name}`}: ${excerpt}`,
      ),
    ...(more > 0 ? [`  and ${more} more calls`] : []),
  ];
};

const renderError = (error: RunError, { calls }: Pick<RunResult, "calls">): string => {
  const lines = [`${error.code}: ${error.message}`];
  const { file, line, column, excerpt } = error;
  if (line !== undefined) {
    const place = `${file === undefined ? "" : `${file}, `}line ${line}, column ${column}`;
    // A guardrail may withhold the excerpt.
    const quoted = excerpt === "" ? " (the line is empty)" : excerpt === undefined ? "" : `: ${excerpt}`;
    lines.push(`  at ${place}${quoted}`);
  }
  lines.push(...renderTrace(error));
  if (!error.message.endsWith(error.hint)) lines.push(error.hint);
  lines.push(...renderOthers(error));
  const made = calls
    .filter((call) => call.status === "answered")
    .map((call) => `${call.server}.${call.tool}`);
  if (made.length > 0)
    lines.push(
      `Calls already made:  ${made.slice(0, 10).join(", ")}${made.length > 10 ? ` and ${made.length - 10} more` : ""}`,
    );
  return lines.join("\n");
};

const maxCalls = 50;
const maxArguments = 300;

const choices: Partial<Record<ErrorCode, string>> = {
  RUN_DIVERGED: 'Add choose: "fork" to continue from there with new calls; calls already made stay made.',
  RUN_UNCERTAIN:
    'Find out whether it was done, then add choose: "skip" (it was) or choose: "repeat" (it was not).',
};

/** What a run waits for, and how it is described. */
const renderQuestion = (runId: string, question: RunQuestion): string => {
  const read = `code: "" and resume: "${runId}"`;
  if (question.kind === "approval")
    return [
      `The run "${runId}" waits until a person allows ${question.calls?.length === 1 ? "this call" : "these calls"}:`,
      ...renderPlaces(question.manifest ?? []),
      ...renderCalls(question.calls ?? []),
      // The first line is the question itself.
      ...(question.manifest === undefined ? question.text.split("\n").slice(1) : []),
      `${toApprovalHint(question.command ?? `mcp-coordinator resume ${runId}`)}`,
      `Then continue with ${read}.`,
    ].join("\n");
  if (question.kind === "sign-in")
    return [
      `The run "${runId}" waits until a person signs in to the server "${question.server}". You cannot do it for them.`,
      toVisibleText(question.text),
      toApprovalHint(question.command ?? `mcp-coordinator login ${question.server}`),
      `Then the run continues by itself. Read its result with ${read}.`,
    ].join("\n");
  if (question.kind === "sampling")
    return `The run "${runId}" waits: the server "${question.server}" asks for an answer of a model, which only a client that offers sampling can give.`;
  const lines = describeQuestion(question).map(toVisibleText);
  if (question.kind === "elicitation" && question.mayAgentAnswer !== true)
    return [
      `The run "${runId}" waits until a person answers. You cannot answer for them.`,
      ...lines,
      question.isLive === true
        ? `Only a client that shows forms can pass on the answer. The server gives up after some minutes; continue with ${read}.`
        : `${toApprovalHint(question.command ?? `mcp-coordinator resume ${runId}`)}\nThen continue with ${read}.`,
    ].join("\n");
  const { type, enum: choices, ...rest } = question.schema;
  const isText = type === "string" && Object.keys(rest).length === 0;
  const wanted =
    isText && choices === undefined
      ? "a string"
      : isText
        ? `one of ${JSON.stringify(choices)}`
        : `JSON of ${JSON.stringify(question.schema)}`;
  const asked = question.kind === "input" ? question.text : `\n${lines.join("\n")}`;
  return `The run "${runId}" waits for an answer: ${asked}\nAsk the user, then continue with ${read} and answer: ${wanted}.`;
};

const renderPlaces = (calls: readonly ManifestCall[]): readonly string[] => [
  ...calls.slice(0, maxCalls).map((call, at) => `${at + 1}. ${renderManifestCall(call)}`),
  ...(calls.length > maxCalls ? [`and ${calls.length - maxCalls} more`] : []),
];

/** The next step after a run that paused or failed, if its calls are stored. */
export const renderNextStep = ({
  runId = "",
  isResumable,
  error,
  question,
}: Partial<RunResult>): readonly string[] => {
  if (question !== undefined) return [renderQuestion(runId, question)];
  if (isResumable !== true) return [];
  const step = `To resume, correct the program and pass resume: "${runId}": the calls it made are answered from the journal, not repeated.`;
  const choice = error === undefined ? undefined : choices[error.code];
  return [choice === undefined ? step : `${step}\n${choice}`];
};

/** Why a plan cannot be committed. Undefined if it can. */
export const findObstacle = ({ status, plan, simulated = [] }: Partial<RunResult>): string | undefined => {
  const calls = plan?.calls ?? [];
  if (status !== "completed") return `its program ${status}`;
  if (calls.some(({ usesSimulated }) => usesSimulated === true))
    return "the program may have inspected a made-up answer before it made the marked calls";
  return calls.some(({ server }) => simulated.includes(server)) ? "its servers are simulated" : undefined;
};

const listCalls = (count: number): string => `${count} call${count === 1 ? "" : "s"}`;

const renderPlan = (result: Partial<RunResult>): readonly string[] => {
  const { plan } = result;
  if (plan === undefined) return [];
  const { planId, calls, warnings = [] } = plan;
  const obstacle = findObstacle(result);
  const next =
    obstacle === undefined
      ? `Make exactly these with code: "", resume: "${planId}" and choose: "commit".`
      : `This plan cannot be committed: ${obstacle}.`;
  return [
    [
      ...(calls.length === 0
        ? ["It would make no call that changes something."]
        : [`It would make ${listCalls(calls.length)}:`, ...renderCalls(calls), next]),
      ...warnings.map((warning) => `Warning: ${warning}`),
    ].join("\n"),
  ];
};

/** Says clearly that a plan is not what was done. */
const renderPlanLabel = ({ plan }: Partial<RunResult>): readonly string[] => {
  if (plan === undefined) return [];
  const made =
    plan.usesSimulated === true ? "; what was printed and returned is computed from made-up answers" : "";
  return [`PLAN "${plan.planId}": no server was changed${made}.`];
};

/** The calls, one per line, for people and models to review. */
const renderCalls = (calls: RunPlan["calls"]): readonly string[] => {
  const lines = calls.slice(0, maxCalls).map(({ server, tool, arguments: given, dependsOn }, at) => {
    const text = toVisibleText(JSON.stringify(given));
    const shown = text.length > maxArguments ? `${text.slice(0, maxArguments)}…` : text;
    const mark = dependsOn === undefined ? "" : ` (after a made-up answer: ${dependsOn[0]})`;
    return `${at + 1}. ${server}.${tool}(${shown})${mark}`;
  });
  return calls.length > maxCalls ? [...lines, `and ${calls.length - maxCalls} more`] : lines;
};

/** For a model: contains nothing that approves a call. */
export const toApprovalHint = (command: string): string => `They do it at a terminal, with:\n${command}`;
