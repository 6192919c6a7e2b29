// Calls one tool without a program: find, validate, call, unwrap.
import { randomUUID } from "node:crypto";
import {
  askApproval,
  askSignIn,
  denyByRule,
  denyFlow,
  describeFlow,
  isRefusal,
  listLabels,
  openServerAnswers,
  toStricterRuling,
  unwrapAnswer,
} from "../../bridge/index.js";
import { omitNulls, validateArguments } from "../../catalog/index.js";
import {
  type AuditedFacts,
  CoordinatorError,
  type FlowRuling,
  type Json,
  type JsonObject,
  type OfferedMethod,
  type PeopleAnswer,
  type RuleName,
  type RunQuestion,
  readJson,
  readLargeInteger,
  type Tool,
  toCoordinatorError,
  toEffect,
  toExactInteger,
} from "../../contracts/index.js";
import { toRoots } from "../../upstream/index.js";
import { openAuditOf } from "../audit/open-audit.js";
import { findTool, type Host, renewTool } from "../host/host.js";
import { judgeDirectCall, noteDirectAnswer } from "../policies/conversation-labels.js";
import { guardOutput, toErrorTexts } from "../policies/guard-texts.js";
import { openDecisions, ruleOn } from "../policies/open-policies.js";
import { openPrivacy } from "../policies/open-privacy.js";
import { checkAnswer } from "../runs/answer-question.js";
import { invokeTool } from "../runs/invoke-tool.js";

/** One call of a tool without a program. */
export interface CallRequest {
  readonly server: string;
  readonly tool: string;
  readonly arguments?: JsonObject | undefined;
  /** Return the whole MCP result instead of its content. */
  readonly isRaw?: boolean | undefined;
  /** A person has approved the call, if the settings require it. @default false */
  readonly isApproved?: boolean | undefined;
  /** Asks a person, if the settings require approval or the server asks. */
  readonly onQuestion?: ((question: RunQuestion) => Promise<PeopleAnswer | undefined>) | undefined;
  /** `onQuestion` also answers questions of the kind `sampling`. @default false */
  readonly canSample?: boolean | undefined;
  /** A guardrail applies to the arguments or the answer and does not block. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** The authenticated caller, for rules on callers. */
  readonly caller?: string | undefined;
  /** Calls and runs with the same object are read by the same model. @default those of the same caller */
  readonly conversation?: object | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `method`: what the server offers under it is meant, never a tool of the same name. */
interface InnerCallRequest extends CallRequest {
  readonly method?: OfferedMethod | undefined;
}

const isAllowed = async (
  { onQuestion }: CallRequest,
  { server, name }: Tool,
  value: JsonObject,
  flow: FlowRuling | undefined,
): Promise<boolean> => {
  const asked = { server, tool: name, arguments: value, flow: describeFlow(flow) };
  const given = await onQuestion?.(askApproval([asked]));
  return given !== undefined && "answer" in given && given.answer === true;
};

/** Lets the caller sign in. Throws the error if nobody does. */
const signIn = async ({ onQuestion }: CallRequest, error: CoordinatorError, since: number): Promise<void> => {
  const question = askSignIn(error, since);
  const given = question && (await onQuestion?.({ ...question, isLive: true }));
  if (given === undefined || isRefusal(given)) throw error;
};

const findSignedIn = async (host: Host, request: InnerCallRequest): Promise<Tool> => {
  const since = Date.now();
  try {
    return await findTool(host, request.server, request.tool);
  } catch (thrown) {
    await signIn(request, toCoordinatorError(thrown), since);
    return findSignedIn(host, request);
  }
};

/** Finds the tool that accepts these arguments, asking its server again if necessary. */
const findFitting = async (
  host: Host,
  request: InnerCallRequest,
  given: JsonObject,
): Promise<{ readonly tool: Tool; readonly value: JsonObject }> => {
  const toFitting = (tool: Tool) => {
    if (request.method !== undefined && tool.method !== request.method)
      throw new CoordinatorError(
        "TOOL_UNKNOWN",
        `Cannot find "${request.tool}": the server "${tool.server}" does not offer it`,
      );
    const value = omitNulls(tool, given);
    validateArguments(tool, value);
    return { tool, value };
  };
  const tool = await findSignedIn(host, request);
  try {
    return toFitting(tool);
  } catch (thrown) {
    const renewed = await renewTool(host, tool);
    if (renewed === undefined) throw thrown;
    return toFitting(renewed);
  }
};

/** A call without a run cannot wait: its caller answers the server at once. */
const toServerAnswers = (
  { configuration, toCommand }: Host,
  { onQuestion, canSample = false }: CallRequest,
) => {
  if (onQuestion === undefined) return undefined;
  const { limits, answers: settings } = configuration.settings;
  const runId = randomUUID();
  const ask = async (question: RunQuestion): Promise<PeopleAnswer | undefined> => {
    const given = await onQuestion({ ...question, isLive: true });
    if (given === undefined || !("answer" in given)) return given;
    return checkAnswer({ configuration, toCommand }, runId, question, { runId, ...given });
  };
  return openServerAnswers({
    limits,
    settings,
    canSample,
    runId,
    roots: toRoots(settings),
    ask: async (question) => (await ask(question)) ?? { isDeclined: true },
    askLive: ask,
  });
};

const toAuditedFacts = (tool: Tool, value: JsonObject, flow: FlowRuling | undefined): AuditedFacts => ({
  server: tool.server,
  tool: tool.name,
  fingerprint: tool.fingerprint,
  effect: toEffect(tool),
  labels: listLabels(flow),
  arguments: value,
});

/** A question that nobody may read is not asked. */
const guardQuestions = (
  { configuration }: Host,
  { onQuestion, onWarning }: CallRequest,
): Pick<CallRequest, "onQuestion"> => ({
  onQuestion:
    onQuestion &&
    (async (question) => {
      const shown = { what: "a question", value: question as never };
      const warnings = await guardOutput(configuration, shown).catch(() => undefined);
      for (const text of warnings ?? []) onWarning?.(text);
      return warnings === undefined ? undefined : onQuestion(question);
    }),
});

/** Records that a pin withholds the tool. Throws the error. */
const refuseChanged = async (host: Host, { caller }: InnerCallRequest, thrown: unknown): Promise<never> => {
  const { code, details } = toCoordinatorError(thrown);
  if (code !== "TOOL_CHANGED") throw thrown;
  const { approve } = host.configuration.settings;
  const facts = { ...(details as { readonly server: string; readonly tool: string }), arguments: null };
  const audit = openAuditOf(host, { caller, approve })?.(facts);
  await audit?.decide({ decision: "refused", code }).catch(() => {});
  throw thrown;
};

export const callTool = async (host: Host, asked: InnerCallRequest): Promise<Json> => {
  const request = { ...asked, ...guardQuestions(host, asked) };
  const given = toExactArguments(request.arguments ?? {}, `call "${request.server}.${request.tool}"`);
  const { tool, value } = await findFitting(host, request, given).catch((thrown: unknown) =>
    refuseChanged(host, request, thrown),
  );
  if (tool.method === "resources/watch")
    throw new CoordinatorError(
      "TOOL_UNKNOWN",
      `Cannot call "${tool.server}.${tool.name}": only a run can watch a resource`,
      { hint: "Call it in a program." },
    );
  const { configuration } = host;
  const decisions = openDecisions(configuration, configuration.settings.approve);
  const flow = await judgeDirectCall(host, request, tool, value);
  const ruling = toStricterRuling(ruleOn(decisions, tool, value, request.caller), flow);
  const { caller } = request;
  const { approve } = configuration.settings;
  const audit = openAuditOf(host, { caller, approve })?.(toAuditedFacts(tool, value, flow));
  const rule = ruling.rule?.name;
  if (ruling.answer === "deny") {
    await audit?.decide({ decision: "denied", rule }).catch(() => {});
    if (ruling === flow) throw denyFlow(`${tool.server}.${tool.name}`, flow.rule);
    throw denyByRule(`${tool.server}.${tool.name}`, ruling.rule ?? { name: "default" });
  }
  const warned: string[] = [];
  const warn = ({ name }: RuleName, text: string): void => {
    warned.push(name);
    request.onWarning?.(text);
  };
  try {
    // Nobody is asked about a call whose tokens or texts its server may not get.
    await openPrivacy(host, host.requester)?.redeem(tool, value, undefined, warn);
  } catch (thrown) {
    const { code, details } = toCoordinatorError(thrown);
    const { guardrail } = (details ?? {}) as { readonly guardrail?: string };
    const decision = guardrail === undefined ? "refused" : "denied";
    await audit?.decide({ decision, rule: guardrail, code }).catch(() => {});
    throw thrown;
  }
  const mustAsk = ruling.answer === "ask" && request.isApproved !== true;
  if (mustAsk && !(await isAllowed(request, tool, value, flow))) {
    await audit?.decide({ decision: "denied", rule, code: "CALL_DENIED" }).catch(() => {});
    throw new CoordinatorError(
      "CALL_DENIED",
      `Cannot call "${tool.server}.${tool.name}": it needs approval`,
      {
        hint: "Call it in a program: a run can wait for approval.",
      },
    );
  }
  const isApproved = ruling.answer === "ask";
  const approver = isApproved ? "person" : undefined;
  const decision = isApproved ? "approved" : "allowed";
  await audit?.decide({ decision, rule, approver, warned: warned.length === 0 ? undefined : warned });
  const answers = toServerAnswers(host, request);
  /** The answer and its error are shown as they are. */
  const show = async <Value extends Json>(what: string, shown: Value): Promise<Value> => {
    const named = `${what} of "${tool.server}.${tool.name}"`;
    for (const text of await guardOutput(configuration, { what: named, value: shown, audit }))
      request.onWarning?.(text);
    return shown;
  };
  // Before the call: an error is read, too.
  noteDirectAnswer(host, request, tool, flow);
  const result = await invokeTool(host, tool, value, {
    audit,
    caller,
    signal: request.signal,
    onInput: answers && ((input, round) => answers.collect(tool, input, { round, isRecorded: true })),
    asker: answers?.toAsker(tool),
    onSignIn: (error, since) => signIn(request, error, since),
    onWarning: request.onWarning,
  }).catch(async (thrown: unknown) => {
    await show("the error", toErrorTexts(thrown));
    throw thrown;
  });
  host.shapes.writeLater();
  const answer = await unwrapAnswer(result, request.isRaw === true);
  if (answer.status === "failed")
    throw new CoordinatorError("TOOL_FAILED", await show("the error", answer.message));
  await show("the answer", answer.body);
  if (answer.format === "text") return answer.body;
  try {
    return (await readJson(answer.body)) as Json;
  } catch {
    return answer.body;
  }
};

/** A number above the safe range was already rounded. A BigInt has every digit. */
const toExact = (value: unknown, what: string): unknown => {
  if (typeof value === "bigint") return toExactInteger(value);
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot ${what}: the number ${value} is rounded, because integers beyond 2^53 lose digits`,
      {
        hint: "Pass a BigInt, or write it in a program: a BigInt in TypeScript and an int in Python keep every digit.",
      },
    );
  if (typeof value !== "object" || value === null || readLargeInteger(value) !== undefined) return value;
  if (Array.isArray(value)) return value.map((item) => toExact(item, what));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toExact(item, what)]));
};

/** `what` is the action named in the error. Throws ARGUMENTS_INVALID. */
export const toExactArguments = (given: JsonObject, what: string): JsonObject =>
  toExact(given, what) as JsonObject;
