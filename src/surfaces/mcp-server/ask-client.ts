// Asks people through the client: the run's question is a request for input, and the answer comes with a repeated call.
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  describeQuestion,
  type Json,
  type JsonObject,
  parseJson,
  type RunQuestion,
  type RunResult,
  toVisibleText,
} from "../../contracts/index.js";
import { type Coordinator, openSignInPages } from "../../coordinator/index.js";
import type { ClientAnswer } from "./agent-tools/index.js";

type Capabilities = ReturnType<Server["getClientCapabilities"]>;

/** What a client returns with an answer: it identifies one question. */
interface AskedState {
  readonly runId: string;
  readonly attempt: number;
  readonly hash: string;
  /** The client shows a server's own form, so its content is the answer. */
  readonly form?: "server" | "visit" | "model" | "sign-in" | undefined;
}

interface ClientQuestions {
  /** Throws for a state that was not issued here, for this caller, session and tool. The SDK calls it before the handler. */
  readonly verify: (state: string, context: ServerContext) => Promise<AskedState>;
  /** Asks with a form of the client; undefined if people may not answer there. */
  readonly ask: (
    context: ServerContext,
  ) => (
    run: Pick<RunResult, "runId">,
    question: RunQuestion,
  ) => Promise<InputRequiredResult | undefined> | undefined;
  /** Whether the client offers its model to servers. */
  readonly canSample: (context: ServerContext) => boolean;
  /** The same run with people's answer; undefined if this call answers nothing. Closing the form leaves the run paused. */
  readonly readAnswer: (context: ServerContext) => ClientAnswer | undefined;
  /** Ends the sign-ins in progress. */
  readonly close: () => void;
}

/** The name of the client that started us, over stdio. */
export const localCaller = "stdio";

/** People take their time. The state is valid for one answer anyway. */
const ttlSeconds = 7 * 24 * 60 * 60;

const toEnvelope = ({ mcpReq }: ServerContext) => mcpReq.envelope as Record<string, unknown> | undefined;

const capabilitiesOf = (server: Server, context: ServerContext): NonNullable<Capabilities> =>
  ((toEnvelope(context)?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()) as Capabilities) ??
  {};

/** Whether the client can show forms. */
const canAsk = (server: Server, context: ServerContext): boolean => {
  const { elicitation } = capabilitiesOf(server, context);
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
};

/** Whether the client can show an address for people to visit. */
const canShowAddress = (server: Server, context: ServerContext): boolean =>
  capabilitiesOf(server, context).elicitation?.url !== undefined;

const canSample = (server: Server, context: ServerContext): boolean =>
  capabilitiesOf(server, context).sampling !== undefined;

/** The request for input that a question is; undefined if the client cannot show it. */
const toRequest = (
  server: Server,
  context: ServerContext,
  question: RunQuestion,
): { readonly request: InputRequest; readonly form?: AskedState["form"] } | undefined => {
  const { kind, schema, url, sampling, calls = [] } = question;
  if (kind === "sign-in") return undefined;
  const message = [...describeQuestion(question), ...calls.map(renderCall)].join("\n");
  if (kind === "sampling")
    return canSample(server, context)
      ? { request: inputRequired.createMessage(sampling as never), form: "model" }
      : undefined;
  if (url !== undefined && canShowAddress(server, context))
    return { request: inputRequired.elicitUrl({ message, url }), form: "visit" };
  if (!canAsk(server, context)) return undefined;
  const isForm = kind === "elicitation" && url === undefined;
  return {
    request: inputRequired.elicit({ message, requestedSchema: (isForm ? schema : toForm(schema)) as never }),
    form: isForm ? "server" : undefined,
  };
};

/** Who may answer: the same caller, in the same workspace, session and protocol version. */
const toBinding = (coordinator: Coordinator, caller: string, context: ServerContext): string =>
  JSON.stringify([
    caller,
    coordinator.workspace,
    context.sessionId ?? null,
    toEnvelope(context) === undefined ? "2025" : "2026",
    context.mcpReq.method,
  ]);

export const openClientQuestions = (
  server: Server,
  coordinator: Coordinator,
  caller: string,
): ClientQuestions => {
  const pages = openSignInPages(coordinator.login);
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
    { attempt = 1, hash = "" }: RunQuestion,
    { runId, request, form }: NonNullable<ReturnType<typeof toRequest>> & { readonly runId: string },
  ): Promise<InputRequiredResult> =>
    inputRequired({
      inputRequests: { [key]: request },
      requestState: await (await openCodec()).mint({ runId, attempt, hash, form }, context),
    });
  /** The browser returns to this machine, and the account becomes the host's: only for the client that started us. */
  const askToSignIn = async (
    context: ServerContext,
    runId: string,
    question: RunQuestion,
  ): Promise<InputRequiredResult | undefined> => {
    if (caller !== localCaller || !canShowAddress(server, context)) return undefined;
    const url = await pages.open(question.server ?? "");
    if (url === undefined) return undefined;
    const message = describeQuestion(question).join("\n");
    const request = inputRequired.elicitUrl({ message, url });
    return seal(context, question, { runId, request, form: "sign-in" });
  };
  return {
    close: pages.close,
    verify: async (state, context) => {
      // Without a form nobody was asked, so there cannot be an answer.
      if (![canAsk, canShowAddress, canSample].some((can) => can(server, context)))
        throw new Error("this client declares no elicitation");
      return (await openCodec()).verify(state, context);
    },
    ask:
      (context) =>
      ({ runId }, question) => {
        if (question.kind === "sign-in") return askToSignIn(context, runId, question);
        const isOutside = question.kind === "approval" && coordinator.surface.approvals === "outside";
        const request = isOutside ? undefined : toRequest(server, context, question);
        return request && seal(context, question, { runId, ...request });
      },
    canSample: (context) => canSample(server, context),
    readAnswer: ({ mcpReq }) => {
      const state = mcpReq.requestState<AskedState>();
      if (state === undefined) return undefined;
      if (typeof state !== "object")
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState");
      const { runId, attempt, hash, form } = state;
      const given = { runId, attempt, questionHash: hash, answeredBy: "client" } as const;
      const view = inputResponse(mcpReq.inputResponses, key);
      if (form === "model")
        return view.kind === "sampling"
          ? { ...given, answer: view.result as unknown as JsonObject }
          : { ...given, isDeclined: true };
      // A call with a state but no answer must not run its program again.
      if (view.kind !== "elicit" || view.action === "cancel") return { ...given, isLeft: true };
      if (view.action === "decline") return { ...given, isDeclined: true };
      if (form === "sign-in") return { ...given, isSigningIn: true };
      if (form === "visit") return { ...given, answer: true };
      const content = (view.content ?? {}) as JsonObject;
      return { ...given, answer: form === "server" ? content : fromForm(content) };
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
