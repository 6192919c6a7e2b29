// Asks people through the client: the run's question is a request for input, and the answer comes with a repeated call.
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  type Json,
  type JsonObject,
  parseJson,
  type RunQuestion,
  type RunResult,
  toVisibleText,
} from "../../contracts/index.js";
import type { Coordinator } from "../../coordinator/index.js";
import type { ClientAnswer } from "./agent-tools/index.js";

type Capabilities = ReturnType<Server["getClientCapabilities"]>;

/** What a client returns with an answer: it identifies one question. */
interface AskedState {
  readonly runId: string;
  readonly attempt: number;
  readonly hash: string;
}

export interface ClientAsking {
  /** Throws for a state that was not issued here, for this caller, session and tool. The SDK calls it before the handler. */
  readonly verify: (state: string, context: ServerContext) => Promise<AskedState>;
  /** Asks with a form of the client; undefined if people may not answer there. */
  readonly ask: (
    context: ServerContext,
  ) => (result: RunResult, question: RunQuestion) => Promise<InputRequiredResult> | undefined;
  /** The same run with people's answer; undefined if this call answers nothing. Closing the form leaves the run paused. */
  readonly readAnswer: (context: ServerContext) => ClientAnswer | undefined;
}

/** People take their time. The state is valid for one answer anyway. */
const ttlSeconds = 7 * 24 * 60 * 60;

const toEnvelope = ({ mcpReq }: ServerContext) => mcpReq.envelope as Record<string, unknown> | undefined;

/** Whether the client can show forms. */
const canAsk = (server: Server, context: ServerContext): boolean => {
  const declared = (toEnvelope(context)?.[CLIENT_CAPABILITIES_META_KEY] ??
    server.getClientCapabilities()) as Capabilities;
  const { elicitation } = declared ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
};

/** Who may answer: the same caller, in the same workspace, session and protocol era. */
const toBinding = (coordinator: Coordinator, caller: string, context: ServerContext): string =>
  JSON.stringify([
    caller,
    coordinator.workspace,
    context.sessionId ?? null,
    toEnvelope(context) === undefined ? "2025" : "2026",
    context.mcpReq.method,
  ]);

export const openClientAsking = (server: Server, coordinator: Coordinator, caller: string): ClientAsking => {
  let opened: Promise<ReturnType<typeof createRequestStateCodec<AskedState>>> | undefined;
  const makeCodec = async () =>
    createRequestStateCodec<AskedState>({
      key: await coordinator.readStateKey(),
      ttlSeconds,
      bind: (context) => toBinding(coordinator, caller, context),
    });
  const openCodec = () => {
    opened ??= makeCodec().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const seal = async (
    context: ServerContext,
    { runId }: RunResult,
    question: RunQuestion,
  ): Promise<InputRequiredResult> => {
    const { attempt = 1, hash = "" } = question;
    return inputRequired({
      inputRequests: {
        [key]: inputRequired.elicit({
          message: [question.text, ...(question.calls ?? []).map(renderCall)].join("\n"),
          requestedSchema: toForm(question.schema) as never,
        }),
      },
      requestState: await (await openCodec()).mint({ runId, attempt, hash }, context),
    });
  };
  return {
    verify: async (state, context) => {
      // Without a form nobody was asked, so there cannot be an answer.
      if (!canAsk(server, context)) throw new Error("this client declares no elicitation");
      return (await openCodec()).verify(state, context);
    },
    ask: (context) => (result, question) => {
      const isOutside = question.kind === "approval" && coordinator.surface.approvals === "outside";
      return isOutside || !canAsk(server, context) ? undefined : seal(context, result, question);
    },
    readAnswer: ({ mcpReq }) => {
      const state = mcpReq.requestState<AskedState>();
      if (state === undefined) return undefined;
      if (typeof state !== "object")
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState");
      const { runId, attempt, hash } = state;
      const given = { runId, attempt, questionHash: hash, answeredBy: "client" } as const;
      const view = inputResponse(mcpReq.inputResponses, key);
      // A call with a state but no answer must not run its program again.
      if (view.kind !== "elicit" || view.action === "cancel") return { ...given, isLeft: true };
      if (view.action === "decline") return { ...given, isDeclined: true };
      return { ...given, answer: fromForm(view.content as JsonObject | undefined) };
    },
  };
};

const key = "answer";

const renderCall = ({
  server,
  tool,
  arguments: given,
}: {
  server: string;
  tool: string;
  arguments: JsonObject;
}) => toVisibleText(`${server}.${tool}(${JSON.stringify(given)})`);

const simple = new Set(["string", "number", "integer", "boolean"]);
const isSimple = (schema: Json | undefined): boolean =>
  simple.has(String((schema as JsonObject | undefined)?.type));

/** Forms have one level of simple fields. Anything else is entered as JSON. */
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
    return parseJson(String(content.json)) as Json;
  } catch {
    return content.json as Json;
  }
};
