// The run's list of calls, as its result and its followers see them.
import type { CallRecord, GuestAnswer } from "../contracts/index.js";
import type { Middleware } from "./pipeline.js";

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
