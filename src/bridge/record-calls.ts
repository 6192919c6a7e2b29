// What is recorded of calls: the run's list of calls, the audit with its decisions and refusals, and how a write is undone.
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type AuditDecision,
  type AuditedFacts,
  type CallAudit,
  type CallRecord,
  CoordinatorError,
  type GuestAnswer,
  type GuestCall,
  type InverseMaker,
  type Json,
  type JsonObject,
  type RecordedInverse,
  readJson,
  type Tool,
  toCoordinatorError,
  toEffect,
} from "../contracts/index.js";
import { toFailure, unwrapAnswer } from "./answers.js";
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

/** Codes of the errors that are decisions, of a rule, a person, a hook or the run's rights. Unknown names and invalid arguments are none. */
const refusals: ReadonlySet<string> = new Set([
  "CALL_DENIED",
  "CALL_VETOED",
  "CALL_NOT_DECLARED",
  "SERVER_NOT_ALLOWED",
  "NETWORK_DENIED",
  "FLOW_DENIED",
  "NOBODY_TO_ASK",
  "GUARDRAIL_BLOCKED",
  "OUTSIDE_MANIFEST",
  "TOOL_CHANGED",
  "TOKEN_UNKNOWN",
  "TOKEN_EXPIRED",
  "TOKEN_WITHHELD",
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

export interface InversionOptions {
  /** How the writes of a tool are undone. Undefined: nothing is declared for it. */
  readonly undo?: ((tool: Tool) => InverseMaker | undefined) | undefined;
  readonly findTool: (server: string, tool: string) => Promise<Tool>;
}

/** Larger answers are not parsed. */
const maxAnswer = 1024 * 1024;

/**
 * Computes the inverse of a write when it is journaled: from its arguments, its answer and, if declared, a read before it.
 * Runs after the journal, so it sees only calls that are really made. `read` makes a separate call, with every rule that applies to it.
 */
export const openInversions = (
  { undo, findTool }: InversionOptions,
  read: (guest: GuestCall, signal: AbortSignal) => Promise<GuestAnswer>,
): Middleware => {
  /** Throws if the state cannot be read. The write is made anyway, without an inverse. */
  const readBefore = async (maker: InverseMaker, call: BridgeCall): Promise<Json | undefined> => {
    const wanted = maker.toRead(call.shown as JsonObject);
    if (wanted === undefined) return undefined;
    const { server, tool, arguments: given } = wanted;
    const found = await findTool(server, tool);
    if (toEffect(found) !== "read") throw new Error(`"${server}.${tool}" is not declared read-only`);
    const guest = { server, tool, argumentsJson: JSON.stringify([given]), isRaw: false };
    const answer = await read(guest, call.signal);
    if (answer.status === "failed") throw new Error(answer.message);
    return toValue(answer);
  };
  return async (call, next) => {
    const { upstream, place, effect, decision } = call;
    const isMade = decision === "allowed" || decision === "approved";
    if (upstream === undefined || place === undefined || effect === "read" || !isMade) return next();
    const maker = undo?.(upstream);
    if (maker === undefined) return next();
    let before: Json | undefined;
    let missing: string | undefined;
    try {
      before = await readBefore(maker, call);
    } catch (thrown) {
      missing = `the state before it could not be read: ${toShortMessage(thrown)}`;
    }
    const answer = await next();
    if (missing !== undefined) call.inverse = { missing };
    else call.inverse = await invert(maker, call, before);
    return answer;
  };
};

/** Undefined if the call did nothing, or its effect is unknown. */
const invert = async (
  maker: InverseMaker,
  { result, shown }: BridgeCall,
  before: Json | undefined,
): Promise<RecordedInverse | undefined> => {
  if (result === undefined) return undefined;
  try {
    // A program may take the whole result or a handle. The inverse is computed from the content in any case.
    const unwrapped = maker.usesAnswer ? await unwrapAnswer(result, false) : undefined;
    if (unwrapped?.status === "failed" || result.isError === true || result.large?.isError === true)
      return undefined;
    const answer = unwrapped === undefined ? undefined : await toValue(unwrapped);
    return maker.invert({ arguments: shown as JsonObject, answer, before });
  } catch (thrown) {
    return { missing: toShortMessage(thrown) };
  }
};

const toShortMessage = (thrown: unknown): string =>
  (thrown instanceof Error && !(thrown instanceof CoordinatorError)
    ? thrown.message
    : toCoordinatorError(thrown).message
  ).slice(0, 500);

/** The answer as the program sees it. */
const toValue = async (answer: Extract<GuestAnswer, { readonly status: "answered" }>): Promise<Json> => {
  const { format, body } = answer;
  if (body.length > maxAnswer)
    throw new Error(`the answer has ${body.length} characters, expected at most ${maxAnswer}`);
  if (format === "text") return body;
  try {
    return (await readJson(body)) as Json;
  } catch (thrown) {
    if (format === "either") return body;
    throw thrown;
  }
};

/** Replaces the journal for these reads: one that needs approval is not made. */
export const refuseAsking: Middleware = async (call, next) =>
  call.askFirst === undefined
    ? next()
    : toFailure(
        new CoordinatorError("CALL_DENIED", `Cannot call "${call.server}.${call.tool}": it needs approval`),
      );
