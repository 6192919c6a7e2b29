// Checks people's answers to a paused run: an answer must fit the question and applies only to it.
import { createHash } from "node:crypto";
import { validateArguments } from "../../catalog/index.js";
import type {
  AskedCall,
  Json,
  PeopleAnswer,
  RecordedRun,
  RunQuestion,
  RunResult,
  Tool,
} from "../../contracts/index.js";
import { CoordinatorError, toCoordinatorError } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import type { ResumeRequest } from "./durable-verbs.js";

/** Identifies one question of one attempt, so that an answer applies to exactly what was shown. */
export const hashQuestion = (asked: {
  readonly runId: string;
  readonly attempt: number;
  readonly question: RunQuestion;
}): string => {
  const { kind, text, schema, calls = [] } = asked.question;
  const facts = [asked.runId, asked.attempt, kind, text, schema, calls.map(toPlace)];
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
};

/** The question of a paused run, if it has one. */
export const readAsked = ({ paused }: RecordedRun): RunQuestion | undefined =>
  (paused?.reason as Partial<RunResult> | undefined)?.question;

export const isAnswered = ({ answer, isDeclined }: Pick<ResumeRequest, "answer" | "isDeclined">): boolean =>
  answer !== undefined || isDeclined === true;

/** A client sends JSON, so large integers have already been rounded. */
const isRounded = (value: Json | undefined): boolean => {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(isRounded);
};

/** Returns undefined without an answer. Throws ANSWER_INVALID. */
export const takeAnswer = (
  { configuration, toCommand }: Pick<Host, "configuration" | "toCommand">,
  recorded: RecordedRun,
  request: ResumeRequest,
): ((question: RunQuestion) => PeopleAnswer | undefined) | undefined => {
  if (!isAnswered(request)) return undefined;
  const { runId, attempt: last } = recorded;
  const { answer, isDeclined, answeredBy = "person", attempt = last, questionHash, workspace } = request;
  const asked = readAsked(recorded);
  if (asked === undefined) throw invalid(runId, "it does not wait for an answer");
  const isOther =
    questionHash !== undefined && questionHash !== hashQuestion({ runId, attempt: last, question: asked });
  if (attempt !== last || isOther) throw invalid(runId, "it asks something else by now");
  const isForPeople =
    answeredBy === "agent" || (answeredBy === "client" && configuration.settings.approvals === "outside");
  if (asked.kind === "approval" && isForPeople)
    throw invalid(
      runId,
      "only people can approve calls",
      toApprovalHint(toCommand(["resume", runId], workspace)),
    );
  if (isRounded(answer))
    throw invalid(
      runId,
      "a number in the answer is an integer beyond 2^53, which lost digits",
      "Answer with a text.",
    );
  const given = toGiven(runId, asked, isDeclined === true ? undefined : answer);
  const left = [...toPlaces(asked)];
  return (question) => {
    const [place = ""] = toPlaces(question);
    const at = left.indexOf(place);
    if (at === -1) return undefined;
    // One answer per shown call: a program that repeats the call asks again.
    left.splice(at, 1);
    return given;
  };
};

/** For a model: contains nothing that approves a call. */
export const toApprovalHint = (command: string): string => `They do it at a terminal, with:\n${command}`;

const toGiven = (runId: string, { kind, schema }: RunQuestion, answer: Json | undefined): PeopleAnswer => {
  if (answer === undefined) return kind === "approval" ? { answer: false } : { isDeclined: true };
  try {
    validateArguments(toTool(schema), { answer });
  } catch (thrown) {
    const { message } = toCoordinatorError(thrown);
    throw invalid(runId, message.replace(/^[^:]*: /, "").replace('argument "answer"', "the answer"));
  }
  return { answer };
};

/** Validates an answer like the single argument of a tool. */
const toTool = (schema: RunQuestion["schema"]): Tool => ({
  server: "people",
  name: "ask",
  functionName: "ask",
  description: "",
  inputSchema: { type: "object", properties: { answer: schema }, required: ["answer"] },
  isReadOnly: true,
  isDestructive: false,
  fingerprint: JSON.stringify(schema),
});

const toPlaces = ({ kind, text, schema, calls = [] }: RunQuestion): readonly string[] =>
  kind === "input" ? [JSON.stringify([text, schema])] : calls.map(toPlace);

const toPlace = ({ server, tool, arguments: given }: AskedCall): string =>
  JSON.stringify([server, tool, given]);

const invalid = (runId: string, state: string, hint?: string): CoordinatorError =>
  new CoordinatorError("ANSWER_INVALID", `Cannot answer the run "${runId}": ${state}`, { hint });
