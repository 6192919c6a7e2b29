// The data-flow middleware: decides on the data in a call before it is made, and labels its answer before the program gets it.
import {
  type CallRuling,
  CoordinatorError,
  type FlowRuling,
  type GuestAnswer,
  type RuleName,
} from "../contracts/index.js";
import { toFailure } from "./answers.js";
import { storesValue } from "./host-functions.js";
import type { BridgeCall, BridgeLabels, Middleware } from "./pipeline.js";

export const openLabelCalls = (labels: BridgeLabels | undefined): Middleware => {
  if (labels === undefined) return (_call, next) => next();
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
      const denial = toFailure(denyFlow(`${call.server}.${call.tool}`, ruling.rule));
      // A call that the journal answers was made before the rule.
      if (call.place === undefined || call.effect === undefined) return denial;
      call.denial = denial;
    }
    // Progress reaches the program before the answer does.
    if (call.guest.onProgress !== undefined && ruling.answer !== "deny") await labels.observe(call, nothing);
    const answer = await next();
    await labels.observe(call, answer);
    return answer;
  };
};

const nothing: GuestAnswer = { status: "answered", format: "text", body: "" };

/** The error for data that a flow stops. It never names the source or the destination: a program could work around it. */
export const denyFlow = (name: string, rule: RuleName | undefined): CoordinatorError =>
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
