// The question of a paused run, and the answers to it: an answer must fit the question and applies only to it.
import { createHmac, hash } from "node:crypto";
import { validateArguments } from "../../catalog/index.js";
import {
  type AskedCall,
  CoordinatorError,
  isJsonObject,
  type Json,
  type JsonObject,
  type PeopleAnswer,
  type RecordedRun,
  type RunQuestion,
  type RunResult,
  type Tool,
  toCoordinatorError,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { toApprovalHint } from "../presenting/render-run-texts.js";
import type { AdmittedRun } from "./admit.js";
import { deriveKey } from "./approve.js";
import { guardQuestion } from "./guard-run.js";
import { type RunReference, readRun } from "./list-runs.js";
import { toAnswerWords } from "./record.js";
import type { ResumeRequest } from "./resume-run.js";
import type { RunClock } from "./run-control.js";

/** The question of a paused run, as a person sees it. */
export interface WaitingQuestion {
  readonly question: RunQuestion;
  /** Approves exactly this question, once. Show it only to a person: whoever has it can approve. */
  readonly code: string;
}

/** Short enough to type. Each guess costs a process start, and every answer changes the code. */
const codeLength = 8;

/** The key that seals questions on their way through a client. */
export const readStateKey = (host: Host): Promise<Uint8Array> => deriveKey(host, "request state");

export const readQuestion = async (
  host: Host,
  request: RunReference,
): Promise<WaitingQuestion | undefined> => {
  const { recorded } = await readRun(host, request);
  const question = readAsked(recorded);
  if (question === undefined || recorded.status !== "paused") return undefined;
  const identified = identifyQuestion(recorded, question);
  const command = host.toCommand(toAnswerWords(recorded.runId, question), request.workspace);
  const key = await deriveKey(host, "approval code");
  return {
    question: { ...identified, command },
    code: createHmac("sha256", key).update(identified.hash).digest("hex").slice(0, codeLength),
  };
};

/** The question with the attempt that asks it, and a hash of both, so that an answer applies to exactly what was shown. */
export const identifyQuestion = (
  { runId, attempt }: Pick<RecordedRun, "runId" | "attempt">,
  question: RunQuestion,
): RunQuestion & { readonly attempt: number; readonly hash: string } => {
  const { kind, text, schema, calls = [], server, tool, url, sampling, digest } = question;
  const own = server === undefined ? [] : [[server, tool, url, sampling]];
  const whole = digest === undefined ? [] : [{ digest }];
  const facts = [runId, attempt, kind, text, schema, calls.map(toPlace), ...own, ...whole];
  return { ...question, attempt, hash: hash("sha256", JSON.stringify(facts)) };
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
  host: Pick<Host, "configuration" | "toCommand">,
  recorded: RecordedRun,
  request: ResumeRequest,
): ((question: RunQuestion) => PeopleAnswer | undefined) | undefined => {
  if (!isAnswered(request)) return undefined;
  const { runId, attempt: last } = recorded;
  const { attempt = last, questionHash } = request;
  const asked = readAsked(recorded);
  if (asked === undefined) throw invalid(runId, "it does not wait for an answer");
  const isOther = questionHash !== undefined && questionHash !== identifyQuestion(recorded, asked).hash;
  if (attempt !== last || isOther) throw invalid(runId, "it asks something else by now");
  const given = checkAnswer(host, runId, asked, request);
  const left = [...toPlaces(asked)];
  return (question) => {
    const [place = ""] = toPlaces(question);
    const at = left.indexOf(place);
    if (at === -1) return undefined;
    // One answer per shown call: a program that repeats the call asks again.
    left.splice(at, 1);
    return { ...given, by: request.answeredBy ?? "person" };
  };
};

/** The answer to this question. Throws ANSWER_INVALID if it does not fit, or if this person or client may not answer. */
export const checkAnswer = (
  { configuration, toCommand }: Pick<Host, "configuration" | "toCommand">,
  runId: string,
  asked: RunQuestion,
  { answer, isDeclined, answeredBy = "person", workspace }: ResumeRequest,
): PeopleAnswer => {
  const { approvals, answers } = configuration.settings;
  const isForPeople = answeredBy === "agent" || (answeredBy === "client" && approvals === "outside");
  const hint = toApprovalHint(toCommand(["resume", runId], workspace));
  if (asked.kind === "approval" && isForPeople) throw invalid(runId, "only people can approve calls", hint);
  if (asked.kind === "elicitation" && answeredBy === "agent" && answers.elicitation !== "agent")
    throw invalid(runId, `only people can answer the server "${asked.server}"`, hint);
  if (asked.kind === "sign-in" && answeredBy === "agent")
    throw invalid(
      runId,
      "only people can sign in",
      toApprovalHint(toCommand(["login", asked.server ?? ""], workspace)),
    );
  if (asked.kind === "sampling" && answeredBy === "agent")
    throw invalid(runId, "only the client can answer for its model");
  if (isRounded(answer))
    throw invalid(
      runId,
      "a number in the answer is an integer beyond 2^53, which lost digits",
      "Answer with a string.",
    );
  return toGiven(runId, asked, isDeclined === true ? undefined : answer);
};

/** Asks a person while a server waits with its call open. Undefined if nobody can be asked, or nobody answers. */
export const askDuringRun = async (
  run: AdmittedRun,
  clock: RunClock,
  given: RunQuestion,
  signal?: AbortSignal,
): Promise<PeopleAnswer | undefined> => {
  const { host, runId, request } = run;
  const { onQuestion, workspace = host.configuration.settings.workspace } = request;
  const question = await guardQuestion(run, given);
  if (question === undefined) return undefined;
  const background = host.background.find(runId, workspace);
  // Without a caller that answers, and in the foreground, nobody would know that the run asks.
  if (onQuestion === undefined && (background === undefined || background.result !== undefined))
    return undefined;
  const release = clock.hold();
  try {
    const answer = await host.liveQuestions.ask({ runId, workspace, question, onQuestion, signal });
    return answer === undefined ? undefined : checkAnswer(host, runId, question, { runId, ...answer });
  } finally {
    release();
  }
};

/** A form that was sent without a field has the field's default. */
const withDefaults = ({ kind, schema }: RunQuestion, answer: Json): Json => {
  if (kind !== "elicitation" || schema.type !== "object" || !isJsonObject(answer)) return answer;
  const fields = Object.entries((schema.properties ?? {}) as JsonObject) as [string, JsonObject][];
  const filled = fields.flatMap(([name, field]) =>
    answer[name] === undefined && field.default !== undefined ? [[name, field.default] as const] : [],
  );
  return { ...answer, ...Object.fromEntries(filled) };
};

const toGiven = (runId: string, question: RunQuestion, given: Json | undefined): PeopleAnswer => {
  const { kind, schema } = question;
  const answer = given === undefined ? undefined : withDefaults(question, given);
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

const toPlaces = (question: RunQuestion): readonly string[] => {
  const { kind, text, schema, calls = [], server, tool, url, sampling, digest } = question;
  if (digest !== undefined) return [JSON.stringify({ digest })];
  if (kind === "approval") return calls.map(toPlace);
  const facts = [text, schema];
  return [JSON.stringify(kind === "input" ? facts : [...facts, kind, server, tool, url, sampling])];
};

const toPlace = ({ server, tool, arguments: given }: AskedCall): string =>
  JSON.stringify([server, tool, given]);

const invalid = (runId: string, state: string, hint?: string): CoordinatorError =>
  new CoordinatorError("ANSWER_INVALID", `Cannot answer the run "${runId}": ${state}`, { hint });
