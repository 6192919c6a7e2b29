// What the records of a call say about it: whether it was made, and whether its outcome is known.
import type { ErrorCode } from "./errors.js";
import type { CallDecision, JournalCall, RecordedAnswer } from "./journal-records.js";

/** After these errors it is unknown whether the server did it. */
const unknownEnds: ReadonlySet<string> = new Set<ErrorCode>([
  "UPSTREAM_TIMEOUT",
  "UPSTREAM_CLOSED",
  "RUN_CANCELLED",
  "LIMIT_TIME",
  "INTERNAL",
  // It was made, and its answer was withheld or could not be accepted.
  "ANSWER_VETOED",
  "RESULT_INVALID",
  "LIMIT_ANSWER",
]);

/** Whether an answer leaves open what was done: the call was let through, and its outcome is unknown. */
export const isLostAnswer = (decision: CallDecision, answer: RecordedAnswer): boolean =>
  decision !== "denied" &&
  decision !== "captured" &&
  answer.status === "failed" &&
  unknownEnds.has(answer.code);

/** Whether the call may or may not have taken effect. */
export const isLost = ({ answer }: JournalCall): boolean =>
  answer === undefined || isLostAnswer(answer.decision, answer.answer);

/** Whether the call still waits for people, so it was not made. */
export const isHeld = ({ intent, answer, isReleased }: JournalCall): boolean =>
  intent.isHeld === true && isReleased !== true && answer === undefined;

export const isUncertain = (call: JournalCall): boolean =>
  call.intent.effect === "write" && isLost(call) && !isHeld(call);
