// The middleware that checks the data in a call before it is made: privacy tokens, guardrails and data flows. It also labels the answer.
import {
  type CallRuling,
  CoordinatorError,
  type FlowRuling,
  type GuestAnswer,
  type JsonObject,
  type RuledTool,
  type RuleName,
  toCoordinatorError,
} from "../contracts/index.js";
import { toFailure } from "./answers.js";
import { storesValue } from "./host-functions.js";
import { type BridgeCall, isJournaled, type Middleware } from "./pipeline.js";

/**
 * Privacy tokens and guardrails. The bridge checks all calls before a person is asked. It hides and fills in values for `fetch` only: for
 * tools that happens when the server is called.
 */
export interface BridgePrivacy {
  /** The arguments with values. Throws if there is no such token, or the destination may not get its value. */
  readonly redeem: (
    tool: RuledTool,
    value: JsonObject,
    destination?: string,
    onWarning?: (rule: RuleName, text: string) => void,
  ) => Promise<JsonObject>;
  /** For a call that is not made: throws if a guardrail blocks it. */
  readonly guard: (
    tool: RuledTool,
    value: JsonObject,
    onWarning?: (rule: RuleName, text: string) => void,
  ) => Promise<void>;
  readonly hideText: (tool: RuledTool, text: string, origin?: string) => Promise<string>;
}

/** Labels what a program reads and stores, and decides where it may flow. */
export interface BridgeLabels {
  /** For a call of a tool or a `fetch`, before it is made. */
  readonly judge: (call: BridgeCall) => Promise<FlowRuling>;
  /** Before a function of the host stores something. */
  readonly store: (call: BridgeCall) => Promise<void>;
  /** Before the program gets an answer, also one from the journal. */
  readonly observe: (call: BridgeCall, answer: GuestAnswer) => Promise<void>;
}

export interface DataOptions {
  /** Privacy tokens and guardrails. Undefined: nothing is hidden or guarded. */
  readonly privacy?: BridgePrivacy | undefined;
  /** A guardrail applies to the arguments of a call and does not block them. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Labels of data. Undefined: nothing is labelled. */
  readonly labels?: BridgeLabels | undefined;
}

/** Refuses calls whose privacy tokens or texts the server may not get. Values are filled in when the call is made. */
export const toPrivacyCheck = ({ privacy, onWarning }: DataOptions): Middleware | undefined => {
  if (privacy === undefined) return undefined;
  return async (call, next) => {
    const { ruled, shown = {}, destination } = call;
    if (ruled === undefined) return next();
    const warn = ({ name }: RuleName, text: string): void => {
      call.warned = [...(call.warned ?? []), name];
      onWarning?.(text);
    };
    try {
      // A call that is not made needs no values.
      if (call.decision === "allowed") await privacy.redeem(ruled, shown, destination, warn);
      else await privacy.guard(ruled, shown, warn);
    } catch (thrown) {
      call.guardrail = readGuardrail(thrown);
      const failure = toFailure(thrown);
      // A call that is answered from the journal was checked when it was made.
      if (!isJournaled(call)) return failure;
      call.denial = failure;
    }
    return next();
  };
};

const readGuardrail = (thrown: unknown): string | undefined => {
  const { code, details } = toCoordinatorError(thrown);
  return code === "GUARDRAIL_BLOCKED" ? (details as { readonly guardrail: string }).guardrail : undefined;
};

/** Decides where the data in a call may flow, and labels its answer before the program gets it. */
export const toLabelling = ({ labels }: DataOptions): Middleware | undefined => {
  if (labels === undefined) return undefined;
  const answerHost = async (call: BridgeCall, next: () => Promise<GuestAnswer>): Promise<GuestAnswer> => {
    if (storesValue(call.guest)) await labels.store(call);
    const answer = await next();
    await labels.observe(call, answer);
    return answer;
  };
  return async (call, next) => {
    if (call.ruled === undefined) return answerHost(call, next);
    const ruling = await labels.judge(call);
    call.flow = ruling;
    if (ruling.answer === "deny") {
      call.ruling = ruling;
      const denial = toFailure(denyFlow(`${call.server}.${call.tool}`, ruling.rule));
      // A call that the journal answers was made before the rule.
      if (!isJournaled(call)) return denial;
      call.denial = denial;
    }
    // Progress reaches the program before the answer does.
    if (call.guest.onProgress !== undefined && ruling.answer !== "deny") await labels.observe(call, nothing);
    // An error carries what its server said. With a journal, it has become an answer already.
    const answer = await next().catch(toFailure);
    await labels.observe(call, answer);
    return answer;
  };
};

const nothing: GuestAnswer = { status: "answered", format: "text", body: "" };

/** The error for data that a flow stops. It never names the source or the destination: a program could work around it. */
const denyFlow = (name: string, rule: RuleName | undefined): CoordinatorError =>
  new CoordinatorError(
    "FLOW_DENIED",
    `Cannot call "${name}": the policy does not let this data flow there${rule === undefined ? "" : ` (rule "${rule.name}")`}${
      rule?.because === undefined ? "" : `: ${rule.because}`
    }`,
  );

/** Of two rulings on a call, on its own and on what it carries. */
export const toStricterRuling = <Ruling extends CallRuling | undefined>(
  ruling: Ruling,
  flow: FlowRuling | undefined,
): Ruling | FlowRuling => {
  if (flow === undefined || flow.answer === "allow" || ruling?.answer === "deny") return ruling;
  return flow.answer === "deny" || ruling?.answer !== "ask" ? flow : ruling;
};

/** As the audit records them. */
export const listLabels = (flow: FlowRuling | undefined): readonly string[] | undefined =>
  flow === undefined || flow.labels.size === 0 ? undefined : [...flow.labels].sort();

/** What a person reads of the data in a call, if a flow asks about it. */
export const describeFlow = (flow: FlowRuling | undefined): string | undefined => {
  if (flow?.answer !== "ask") return undefined;
  const { labels, rule } = flow;
  const names = [...labels].filter((label) => !label.includes(".")).sort();
  const data =
    names.length === 0
      ? "It follows from what was read before"
      : `It carries data labelled ${names.join(", ")}`;
  return `${data} (rule "${rule?.name}")${rule?.because === undefined ? "" : `: ${rule.because}`}`;
};
