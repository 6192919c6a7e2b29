// A program's `fetch` as a call: approved, journaled and recorded like the call of a tool.
import {
  type AttemptFacts,
  type AuditDecision,
  type CallEffect,
  type CallRuling,
  CoordinatorError,
  type Json,
  type JsonObject,
  type Limits,
  type RuledTool,
} from "../contracts/index.js";
import { parseArguments } from "./arguments.js";
import type { BridgePrivacy } from "./check-data.js";
import { fetchAllowed } from "./fetch-allowed.js";
import type { BridgeCall } from "./pipeline.js";
import type { OpenCallAudit } from "./record-calls.js";

/** The server name of `fetch` in guest calls. No configured server can have it. */
export const networkServer = "\u0000network";

/** The server name of `fetch` in the journal and in results. */
export const journaledNetwork = "(network)";

export interface FetchOptions {
  readonly limits: Limits;
  /** Hosts that a program's `fetch` may reach. */
  readonly allowedHosts: readonly string[];
  readonly fetchTimeoutMs: number;
  /** Refuse a `fetch` that could change something. */
  readonly isReadingOnly?: boolean | undefined;
  /** What the policy says about a call. @default everything is allowed */
  readonly rule?: ((tool: RuledTool, value: JsonObject) => CallRuling) | undefined;
  /** Records decisions and calls. @default nothing is recorded */
  readonly audit?: OpenCallAudit | undefined;
  readonly privacy?: BridgePrivacy | undefined;
  /** Makes a request of `fetch` when its limits allow it. @default at once */
  readonly passFetch?:
    | ((origin: string, signal: AbortSignal, make: () => Promise<Response>) => Promise<Response>)
    | undefined;
}

export const resolveFetch =
  ({ limits, rule, privacy, ...options }: FetchOptions) =>
  (call: BridgeCall): void => {
    const values = parseArguments("fetch", call.guest.argumentsJson, limits);
    const effect = toFetchEffect(values);
    if (effect !== "read" && options.isReadingOnly === true)
      throw new CoordinatorError(
        "NETWORK_DENIED",
        "Cannot fetch: a plan makes no request that could change something",
      );
    call.tool = "fetch";
    call.effect = effect;
    call.arguments = values;
    call.ruled = toRuled(effect);
    call.shown = nameParts(values);
    /** The responding server chooses the target of a redirect, so the policy decides on it again, as a separate call. */
    const follow = async (next: readonly Json[]): Promise<CallRuling["answer"]> => {
      const nextEffect = toFetchEffect(next);
      const { answer, rule: decided } = rule?.(toRuled(nextEffect), nameParts(next)) ?? { answer: "allow" };
      const { server, tool, sequence } = call;
      call.audit = options.audit?.({ server, tool, sequence, effect: nextEffect, arguments: next });
      const isAllowed = answer === "allow" || (answer === "ask" && call.decision === "approved");
      const decision = isAllowed ? call.decision : ("denied" as const);
      await call.audit?.decide({ decision: decision as AuditDecision, rule: decided?.name });
      return isAllowed ? "allow" : answer;
    };
    call.destination = nameHost(values);
    call.invoke = async () => {
      const ruled = toRuled(effect);
      const redeemed = await privacy?.redeem(ruled, { values }, call.destination);
      const given = (redeemed?.values ?? values) as readonly Json[];
      const answer = await fetchAllowed(
        {
          allow: options.allowedHosts,
          maxBytes: limits.answerBytes,
          timeoutMs: options.fetchTimeoutMs,
          isApproved: call.decision === "approved",
          isRevealed: given !== values,
          rule: follow,
          attempt: (origin, make) => {
            const attempt = () => call.audit?.attempt(make, toOutcome) ?? make();
            return options.passFetch?.(origin, call.signal, attempt) ?? attempt();
          },
        },
        given,
        call.signal,
      );
      if (privacy === undefined || answer.status === "failed") return answer;
      return { ...answer, body: await privacy.hideText(ruled, answer.body, call.destination) };
    };
  };

/** Each host is a separate destination. */
const nameHost = ([url]: readonly Json[]): string =>
  typeof url === "string" && URL.canParse(url)
    ? `${journaledNetwork} ${new URL(url).host}`
    : journaledNetwork;

const toOutcome = ({ status, headers }: Response): AttemptFacts => {
  const length = Number(headers.get("content-length") ?? Number.NaN);
  return {
    outcome: status < 400 ? "answered" : `HTTP ${status}`,
    answerBytes: Number.isSafeInteger(length) ? length : undefined,
  };
};

/** Only the server knows what a request changes, so it counts like a tool that declares nothing. */
const toRuled = (effect: CallEffect): RuledTool => {
  const isReadOnly = effect === "read";
  return { server: journaledNetwork, name: "fetch", isReadOnly, isDestructive: !isReadOnly };
};

const toFetchEffect = ([, request]: readonly Json[]): CallEffect => {
  const method = (request as { readonly method?: Json | undefined } | undefined)?.method;
  return method === undefined || method === "GET" || method === "HEAD" ? "read" : "write";
};

/** What people see of a request: everything that is sent, and nothing that is not. */
const nameParts = ([url = null, request]: readonly Json[]): JsonObject => {
  const { method = "GET", headers, body } = (request ?? {}) as JsonObject;
  return {
    method,
    url,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
};
