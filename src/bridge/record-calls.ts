// What is recorded of calls: the run's list of calls, and the audit with its decisions and refusals.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuditDecision, AuditedFacts, CallAudit, CallRecord, GuestAnswer } from "../contracts/index.js";
import { listLabels } from "./check-data.js";
import type { BridgeCall, Middleware } from "./pipeline.js";

/** Lists the calls of the run: what each was, how long it took and how it ended. */
export const openRecords = (onCall: ((call: CallRecord) => void) | undefined) => {
  const records: CallRecord[] = [];
  const openedAt = performance.now();
  let lastSequence = 0;
  const record: Middleware = async (call, next) => {
    if (!call.isRecorded) return next();
    const sequence = ++lastSequence;
    call.sequence = sequence;
    const startedAt = performance.now();
    const answer: GuestAnswer = await next();
    if (!call.isRecorded) return answer;
    const ended: CallRecord = {
      sequence,
      server: call.server,
      tool: call.tool,
      status: answer.status,
      code: answer.status === "failed" ? answer.code : undefined,
      isReplayed: call.isReplayed || undefined,
      isCached: call.isCached,
      isCaptured: call.decision === "captured" || undefined,
      isSimulated: call.decision === "simulated" || undefined,
      startedAtMs: startedAt - openedAt,
      durationMs: performance.now() - startedAt,
      argumentBytes: call.guest.argumentsJson.length,
      answerBytes: answer.status === "answered" ? answer.body.length : answer.message.length,
    };
    records.push(ended);
    onCall?.(ended);
    return answer;
  };
  return { record, list: () => [...records].sort((one, other) => one.sequence - other.sequence) };
};

/** Opens the audit of one call. Undefined: nothing is recorded. */
export type OpenCallAudit = ((facts: AuditedFacts) => CallAudit) | undefined;

interface AuditCalls {
  /** In front of everything that can refuse a call. */
  readonly refusals: Middleware;
  /** Behind the decision: notes that a call waits for people. */
  readonly questions: Middleware;
  /** Behind the journal: only calls that are really made come here. */
  readonly decisions: Middleware;
}

export const openAuditCalls = (open: OpenCallAudit): AuditCalls | undefined => {
  if (open === undefined) return undefined;
  const begin = (call: BridgeCall): CallAudit => {
    const { server, tool, sequence, effect, arguments: given, upstream } = call;
    const labels = listLabels(call.flow);
    const { fingerprint } = upstream ?? {};
    return open({ server, tool, sequence, effect, arguments: given, fingerprint, labels });
  };
  return {
    refusals: async (call, next) => {
      const answer = await next();
      const found = toRefusal(call, answer);
      if (found === undefined) return answer;
      const { code, ...decided } = found;
      // The call is already refused, so a failed write changes nothing.
      const audit = call.audit ?? (call.ruled === undefined ? open(toBlindFacts(call)) : begin(call));
      await audit.decide({ ...decided, code }).catch(() => {});
      return answer;
    },
    questions: async (call, next) => {
      const { askFirst } = call;
      if (askFirst === undefined) return next();
      call.askFirst = async () => {
        const asked = askFirst();
        const isWaiting = await Promise.race([asked.then(() => false), nextTurn(true)]);
        if (isWaiting) await begin(call).decide({ decision: "asked", rule: call.ruling?.rule?.name });
        return asked;
      };
      return next();
    },
    decisions: async (call, next) => {
      if (call.ruled === undefined) return next();
      call.audit = begin(call);
      const { decision, ruling, approver, warned } = call;
      const rule = ruling?.rule?.name;
      await call.audit.decide({ decision: decision as AuditDecision, rule, approver, warned });
      return next();
    },
  };
};

/** The name of an unknown tool is not recorded, because the program chose it. */
const toBlindFacts = ({ server, sequence, upstream, refused }: BridgeCall): AuditedFacts => ({
  server,
  tool: upstream?.name ?? refused?.tool,
  sequence,
  arguments: null,
});

/** Error codes of calls that a rule, a person, a hook, a token, a pin or the run's rights refuse. Unknown names and invalid arguments are not decisions. */
const refusals: ReadonlySet<string> = new Set([
  ...["CALL_DENIED", "CALL_VETOED", "CALL_NOT_DECLARED", "SERVER_NOT_ALLOWED", "NETWORK_DENIED"],
  ...["FLOW_DENIED", "NOBODY_TO_ASK", "GUARDRAIL_BLOCKED", "OUTSIDE_MANIFEST", "TOOL_CHANGED"],
  ...["TOKEN_UNKNOWN", "TOKEN_EXPIRED", "TOKEN_WITHHELD"],
]);

const toRefusal = (
  call: BridgeCall,
  answer: GuestAnswer,
):
  | {
      readonly decision: "denied" | "refused";
      readonly code: string;
      readonly rule?: string | undefined;
      readonly approver?: string | undefined;
    }
  | undefined => {
  if (answer.status !== "failed" || call.isReplayed || !call.isRecorded || !refusals.has(answer.code))
    return undefined;
  const { code } = answer;
  // A rule let it through, and something else stopped it. A redirect that a rule denies is recorded there.
  if (call.audit !== undefined && code !== "CALL_VETOED" && code !== "NETWORK_DENIED") return undefined;
  const isRuled = code === "CALL_DENIED" || code === "FLOW_DENIED";
  const isGuarded = code === "GUARDRAIL_BLOCKED";
  return {
    decision: isRuled || isGuarded ? "denied" : "refused",
    code,
    rule: isRuled ? call.ruling?.rule?.name : isGuarded ? call.guardrail : undefined,
    approver: isRuled ? call.approver : undefined,
  };
};
