// What people answer to a paused run: it must fit the question, and holds for that question alone.
import { validateArguments } from "../../catalog/index.js";
import type {
  AskedCall,
  Journal,
  Json,
  PeopleAnswer,
  RunQuestion,
  RunResult,
  Tool,
} from "../../contracts/index.js";
import { CoordinatorError, toCoordinatorError } from "../../contracts/index.js";
import type { ResumeRequest } from "../durable-verbs.js";

/** Undefined when nothing is answered. Throws ANSWER_INVALID. */
export const takeAnswer = (
  { runId, paused, attempt: last }: Journal,
  { answer, isDeclined, answeredBy, attempt = last }: ResumeRequest,
): ((question: RunQuestion) => PeopleAnswer | undefined) | undefined => {
  if (answer === undefined && isDeclined !== true) return undefined;
  const asked = (paused?.reason as Partial<RunResult> | undefined)?.question;
  if (asked === undefined) throw invalid(runId, "it does not wait for an answer");
  if (attempt !== last) throw invalid(runId, "it asks something else by now");
  if (asked.kind === "approval" && answeredBy === "agent")
    throw invalid(runId, "whether a call may be made is for people to say", toApprovalHint(runId));
  const given = toGiven(runId, asked, isDeclined === true ? undefined : answer);
  const places = new Map(toPlaces(asked).map((place) => [place, given]));
  return (question) => {
    const [place = ""] = toPlaces(question);
    const found = places.get(place);
    // A program that asks the same twice is answered twice, by two answers.
    places.delete(place);
    return found;
  };
};

export const toApprovalHint = (runId: string): string =>
  `They say it with: mcp-coordinator resume ${runId} --yes (or --no)`;

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

/** An answer is checked as the one argument of a tool is. */
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
  new CoordinatorError(
    "ANSWER_INVALID",
    `Cannot answer the run "${runId}": ${state}`,
    hint === undefined ? {} : { hint },
  );
