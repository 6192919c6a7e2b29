// What a run asks people, put to them by the client: as a request for input, whose answer comes with the same call again.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Json, JsonObject, RunQuestion, RunResult } from "../../contracts/index.js";
import type { ClientAnswer } from "../agent-tools/index.js";

type Capabilities = ReturnType<Server["getClientCapabilities"]>;

/** Whether the client shows forms to people. */
export const canAsk = (server: Server, { mcpReq }: ServerContext): boolean => {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const declared = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ??
    server.getClientCapabilities()) as Capabilities;
  const { elicitation } = declared ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
};

const key = "answer";

/** The result of a run that waits. The state names the attempt that asks: an answer is never taken for another question's. */
export const askClient = ({ runId }: RunResult, question: RunQuestion): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      [key]: inputRequired.elicit({
        message: [question.text, ...(question.calls ?? []).map(renderCall)].join("\n"),
        requestedSchema: toForm(question.schema) as never,
      }),
    },
    requestState: `${runId} ${question.attempt ?? 1}`,
  });

/** The same run with what people said; undefined when this is no such call. People who only close the form leave it paused. */
export const readClientAnswer = ({ mcpReq }: ServerContext): ClientAnswer | undefined => {
  const state: unknown = mcpReq.requestState();
  const view = inputResponse(mcpReq.inputResponses, key);
  const [, runId, attempt] = /^(\S{1,100}) (\d{1,9})$/.exec(String(state)) ?? [];
  if (runId === undefined || view.kind !== "elicit") return undefined;
  const given = { runId, attempt: Number(attempt) };
  if (view.action === "cancel") return { ...given, isLeft: true };
  if (view.action === "decline") return { ...given, isDeclined: true };
  return { ...given, answer: fromForm(view.content as JsonObject | undefined) };
};

const renderCall = ({
  server,
  tool,
  arguments: given,
}: {
  server: string;
  tool: string;
  arguments: JsonObject;
}) => `${server}.${tool}(${JSON.stringify(given)})`;

const simple = new Set(["string", "number", "integer", "boolean"]);
const isSimple = (schema: Json | undefined): boolean =>
  simple.has(String((schema as JsonObject | undefined)?.type));

/** Forms have one level of simple fields. Anything else is typed as JSON. */
const toForm = (schema: JsonObject): JsonObject => {
  const fields = schema.type === "object" ? Object.values((schema.properties ?? {}) as JsonObject) : [];
  if (fields.length > 0 && fields.every(isSimple)) return schema;
  const field = isSimple(schema)
    ? schema
    : { type: "string", description: `JSON of ${JSON.stringify(schema)}` };
  return {
    type: "object",
    properties: { [isSimple(schema) ? key : "json"]: field },
    required: [isSimple(schema) ? key : "json"],
  };
};

const fromForm = (content: JsonObject = {}): Json => {
  const names = Object.keys(content);
  if (names.length !== 1) return content;
  if (names[0] === key) return content[key] as Json;
  if (names[0] !== "json") return content;
  try {
    return JSON.parse(String(content.json)) as Json;
  } catch {
    return content.json as Json;
  }
};
