// Calls one tool without a program and without a run. The bridge applies the rules of every call.
import { randomUUID } from "node:crypto";
import { findThrown, makeSingleCall, maxArgumentDepth } from "../../bridge/index.js";
import { omitNulls, validateArguments } from "../../catalog/index.js";
import {
  type CallAudit,
  CoordinatorError,
  type Json,
  type JsonObject,
  type OfferedMethod,
  type PeopleAnswer,
  type RunQuestion,
  readJson,
  readLargeInteger,
  type Tool,
  toExactInteger,
} from "../../contracts/index.js";
import { toRoots } from "../../upstream/index.js";
import { openAuditOf } from "../audit/open-audit.js";
import { findTool, type Host, renewTool } from "../host/host.js";
import { openCallLabels } from "../policies/conversation-labels.js";
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

export const callTool = async (host: Host, request: InnerCallRequest): Promise<Json> => {
  const { server, tool, method, caller, onWarning, isRaw = false } = request;
  const given = toExactArguments(request.arguments ?? {}, `call "${server}.${tool}"`);
  const { configuration } = host;
  const { approve, limits } = configuration.settings;
  const labels = openCallLabels(host, request);
  const audit = openAuditOf(host, { caller, approve });
  /** Set when the server is called. */
  let callAudit: CallAudit | undefined;
  const answer = await makeSingleCall(
    {
      ...toQuestions(host, request),
      limits,
      findTool: async (...names) => refuseWatching(await findTool(host, ...names)),
      bindArguments: (found, [value]) => omitNulls(found, value as JsonObject),
      validateArguments: (found, value) => {
        if (method !== undefined && found.method !== method) throw notOffered(found, tool);
        validateArguments(found, value);
      },
      renewTool: (found) => renewTool(host, found),
      callTool: (found, value, { audit, onInput, asker, onSignIn, signal }) => {
        callAudit = audit;
        labels?.noteCall(found);
        return invokeTool(host, found, value, { audit, onInput, asker, onSignIn, signal, caller, onWarning });
      },
      rule: (found, value) => ruleOn(openDecisions(configuration, approve), found, value, caller),
      privacy: openPrivacy(host, host.requester),
      labels,
      onWarning,
      audit,
    },
    { server, tool, argumentsJson: JSON.stringify([given]), isRaw },
    request.signal ?? new AbortController().signal,
  );
  host.shapes.writeLater();
  const guard = async (what: string, value: Json): Promise<void> => {
    const shown = {
      what: `${what} of "${server}.${tool}"`,
      value,
      audit: callAudit ?? audit?.({ server: "(output)", arguments: null }),
    };
    for (const text of await guardOutput(configuration, shown)) onWarning?.(text);
  };
  if (answer.status === "failed") {
    const error = findThrown(answer) ?? new CoordinatorError("TOOL_FAILED", answer.message);
    await guard("the error", toErrorTexts(error));
    throw error;
  }
  await guard("the answer", answer.body);
  if (answer.format === "text") return answer.body;
  try {
    return (await readJson(answer.body)) as Json;
  } catch {
    return answer.body;
  }
};

/** How people are asked: at once, by the caller, because there is no run that could wait. */
const toQuestions = (host: Host, { onQuestion, onWarning, isApproved, canSample = false }: CallRequest) => {
  const { configuration } = host;
  const settings = configuration.settings.answers;
  const runId = randomUUID();
  /** A question that nobody may read is not asked. */
  const ask = async (question: RunQuestion): Promise<PeopleAnswer | undefined> => {
    if (onQuestion === undefined) return undefined;
    const shown = { what: "a question", value: question as never };
    const warnings = await guardOutput(configuration, shown).catch(() => undefined);
    for (const text of warnings ?? []) onWarning?.(text);
    return warnings === undefined ? undefined : onQuestion(question);
  };
  return {
    approveNow: async (question: RunQuestion): Promise<PeopleAnswer> => {
      const given = isApproved === true ? { answer: true } : await ask(question);
      if (given === undefined) throw needsApproval(question);
      return { ...given, by: "person" };
    },
    askLive: async (question: RunQuestion): Promise<PeopleAnswer | undefined> => {
      const given = await ask(question);
      if (given === undefined || !("answer" in given)) return given;
      return checkAnswer(host, runId, question, { runId, ...given });
    },
    answers: onQuestion && { settings, roots: toRoots(settings), canSample, runId },
  };
};

const refuseWatching = (tool: Tool): Tool => {
  if (tool.method !== "resources/watch") return tool;
  throw new CoordinatorError(
    "TOOL_UNKNOWN",
    `Cannot call "${tool.server}.${tool.name}": only a run can watch a resource`,
    { hint: "Call it in a program." },
  );
};

const notOffered = ({ server }: Tool, name: string): CoordinatorError =>
  new CoordinatorError("TOOL_UNKNOWN", `Cannot find "${name}": the server "${server}" does not offer it`);

const needsApproval = ({ calls: [call] = [] }: RunQuestion): CoordinatorError =>
  new CoordinatorError("CALL_DENIED", `Cannot call "${call?.server}.${call?.tool}": it needs approval`, {
    hint: "Call it in a program: a run can wait for approval.",
  });

/** A number above the safe range was already rounded. A BigInt has every digit. */
const toExact = (value: unknown, what: string, levels: number): unknown => {
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
  if (levels === 0)
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot ${what}: its arguments are nested deeper than ${maxArgumentDepth} levels`,
    );
  if (Array.isArray(value)) return value.map((item) => toExact(item, what, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, toExact(item, what, levels - 1)]),
  );
};

/** `what` is the action named in the error. Throws ARGUMENTS_INVALID. */
export const toExactArguments = (given: JsonObject, what: string): JsonObject =>
  toExact(given, what, maxArgumentDepth) as JsonObject;
