// What the records of a call say of it: whether it was made, and whether anybody knows how it went.
import type { ErrorCode } from "./errors.js";
import type { CallDecision, JournalCall, RecordedAnswer } from "./journal.js";

/** After these nobody knows whether the server did it. */
const unknownEnds: ReadonlySet<string> = new Set<ErrorCode>([
  "UPSTREAM_TIMEOUT",
  "UPSTREAM_CLOSED",
  "RUN_CANCELLED",
  "LIMIT_TIME",
  "INTERNAL",
  // It was made, and what came of it was withheld, or could not be taken.
  "ANSWER_VETOED",
  "RESULT_INVALID",
  "LIMIT_ANSWER",
]);

/** Whether an answer leaves open what was done: the call was let through, and nobody heard how it went. */
export const isLostAnswer = (decision: CallDecision, answer: RecordedAnswer): boolean =>
  decision !== "denied" &&
  decision !== "captured" &&
  answer.status === "failed" &&
  unknownEnds.has(answer.code);

/** Whether the call may have had its effect or not. */
export const isLost = ({ answer }: JournalCall): boolean =>
  answer === undefined || isLostAnswer(answer.decision, answer.answer);

/** Whether the call still waits for people: it was not made. */
export const isHeld = ({ intent, answer, isReleased }: JournalCall): boolean =>
  intent.isHeld === true && isReleased !== true && answer === undefined;

export const isUncertain = (call: JournalCall): boolean =>
  call.intent.effect === "write" && isLost(call) && !isHeld(call);
