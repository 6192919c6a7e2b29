// Renders the next step after a run that is not finished: how to resume it, or the plan that it made.
import {
  type ErrorCode,
  type RunPlan,
  type RunQuestion,
  type RunResult,
  toVisibleText,
} from "../../contracts/index.js";
import { toApprovalHint } from "../runs/take-answer.js";

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
      ...renderCalls(question.calls ?? []),
      `${toApprovalHint(question.command ?? `mcp-coordinator resume ${runId}`)}`,
      `Then continue with ${read}.`,
    ].join("\n");
  const { type, enum: choices, ...rest } = question.schema;
  const isText = type === "string" && Object.keys(rest).length === 0;
  const wanted =
    isText && choices === undefined
      ? "a text"
      : isText
        ? `one of ${JSON.stringify(choices)}`
        : `JSON of ${JSON.stringify(question.schema)}`;
  return `The run "${runId}" waits for an answer: ${question.text}\nAsk the user, then continue with ${read} and answer: ${wanted}.`;
};

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

export const renderPlan = (result: Partial<RunResult>): readonly string[] => {
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
export const renderPlanLabel = ({ plan }: Partial<RunResult>): readonly string[] => {
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
