// The records of a journal: what a run did, line by line, what they say about a call, and how a write is undone.
import type { ErrorCode } from "./errors.js";
import type { Language, LogLine } from "./executor.js";
import type { Json, JsonObject } from "./json.js";
import type { OpenInput } from "./questions.js";

/** What repeating a call would do: nothing, nothing more, or the same again. */
export type CallEffect = "read" | "idempotent" | "write";

/** The decision on a call. After "denied" and "captured" nothing was done. */
export type CallDecision = "allowed" | "approved" | "denied" | "simulated" | "captured";

export type RunStatus = "running" | "paused" | "interrupted" | "completed" | "failed" | "stopped";

/** The process that works on a run, so that another can tell whether it is still alive. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in the system's own units; absent if unknown. */
  readonly startedAt?: string | undefined;
  /** The boot and process namespace of `pid`; absent if there is none. */
  readonly scope?: string | undefined;
}

/** A text stored next to the journal, because it is too large for a line. */
export interface StoredText {
  readonly file: string;
  readonly bytes: number;
}

/** A program: its text, or where that is stored. */
export type StoredProgram = { readonly hash: string } & (
  | { readonly text: string }
  | (StoredText & { readonly text?: undefined })
);

export interface StartedRecord {
  readonly type: "started";
  readonly version: 1;
  readonly runId: string;
  readonly at: string;
  readonly language: Language;
  readonly program: StoredProgram;
  readonly session?: string | undefined;
  /** What the run may do, as its opener wrote it. A resumed run gets no more. */
  readonly rights: JsonObject;
  readonly owner?: ProcessIdentity | undefined;
}

/** Written before a write is made; for other calls together with the answer, or earlier if that takes long. */
export interface IntentRecord {
  readonly type: "intent";
  /** Counts the calls that were made, over all attempts. */
  readonly sequence: number;
  /** The earlier call that it replaces: a refreshed read, or a call whose answer was lost. */
  readonly repeats?: number | undefined;
  readonly at: string;
  readonly server: string;
  readonly tool: string;
  readonly argumentHash: string;
  readonly effect: CallEffect;
  readonly isRaw?: true | undefined;
  /** It waits for people. Without a `released` record or an answer it was never made. */
  readonly isHeld?: true | undefined;
  /** It continues a call of an earlier attempt whose server wants input. */
  readonly input?: OpenInput | undefined;
  readonly arguments?: Json | undefined;
  readonly argumentFile?: StoredText | undefined;
}

export type RecordedAnswer =
  | { readonly status: "failed"; readonly name: string; readonly message: string; readonly code: string }
  | {
      readonly status: "answered";
      readonly format: "json" | "text" | "either";
      readonly body?: string | undefined;
      /** `isQuoted`: the file holds the text as a JSON string, because it is not valid Unicode. */
      readonly file?: (StoredText & { readonly isQuoted?: true | undefined }) | undefined;
    };

/** Written before the answer is passed to the program. */
export interface AnswerRecord {
  readonly type: "answer";
  readonly sequence: number;
  readonly at: string;
  readonly durationMs: number;
  readonly decision: CallDecision;
  /** The answer was known, and no server was called. */
  readonly isCached?: true | undefined;
  readonly answer: RecordedAnswer;
  /** How the write is undone. */
  readonly inverse?: RecordedInverse | undefined;
  readonly inverseFile?: StoredText | undefined;
}

/** A value from the outside world: a time, a random number, the end of a sleep. */
export interface ValueRecord {
  readonly type: "value";
  readonly name: string;
  /** Counts the values of one name. */
  readonly index: number;
  /** The last call that was made before. */
  readonly after: number;
  readonly value: Json;
}

export interface PausedRecord {
  readonly type: "paused";
  readonly at: string;
  readonly reason: Json;
}

export interface EndedRecord {
  readonly type: "ended";
  readonly at: string;
  readonly status: "completed" | "failed" | "stopped";
  readonly durationMs: number;
  /** Calls that count, and those of them whose answer was lost. */
  readonly calls: number;
  readonly uncertain: number;
  readonly attempts: number;
  /** The result reported to the caller, as its opener wrote it. */
  readonly result?: Json | undefined;
  readonly resultFile?: StoredText | undefined;
}

/** One call of a journal. `intentAt` and `answerAt` are positions in the journal: they tell what happened before what. */
export interface JournalCall {
  readonly intent: IntentRecord;
  readonly answer?: AnswerRecord | undefined;
  /** A person approved it, and it was about to be made. */
  readonly isReleased?: true | undefined;
  /** Its server waits for this. */
  readonly input?: OpenInput | undefined;
  readonly intentAt: number;
  readonly answerAt: number;
  /** The position of its own answer, also if it repeats another call. */
  readonly endedAt?: number | undefined;
}

/** A run as its journal records it so far. */
export interface RecordedRun {
  readonly runId: string;
  readonly status: RunStatus;
  readonly started: StartedRecord;
  /** The last attempt. */
  readonly attempt: number;
  readonly program: StoredProgram;
  readonly rights: JsonObject;
  /** The calls that count, in the order in which they were issued. */
  readonly calls: readonly JournalCall[];
  /** Calls that were made and no longer count, because the program took another path. */
  readonly abandoned: readonly JournalCall[];
  readonly values: readonly ValueRecord[];
  /** Approvals of its programs, as their opener wrote them. */
  readonly approvals: readonly JsonObject[];
  /** What a background run has printed in its last attempt. */
  readonly printed: readonly LogLine[];
  readonly paused?: PausedRecord | undefined;
  readonly ended?: EndedRecord | undefined;
  readonly owner?: ProcessIdentity | undefined;
  /** The last sequence number assigned. */
  readonly lastSequence: number;
}

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

/** Whether it is unknown if the call took effect. */
export const isLost = ({ answer }: JournalCall): boolean =>
  answer === undefined || isLostAnswer(answer.decision, answer.answer);

/** Whether the call still waits for people, so it was not made or its server has done nothing yet. */
export const isHeld = ({ intent, answer, isReleased, input }: JournalCall): boolean =>
  answer === undefined && (input !== undefined || (intent.isHeld === true && isReleased !== true));

export const isUncertain = (call: JournalCall): boolean =>
  call.intent.effect === "write" && isLost(call) && !isHeld(call);

export interface InverseCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** A read, and what its answer must still contain before the inverse call is made. */
export interface StateCheck extends InverseCall {
  readonly expect: readonly { readonly path: readonly string[]; readonly value: Json }[];
}

/** What the journal knows about how a write is undone. It has tokens in place of hidden values, like the rest of the journal. */
export type RecordedInverse =
  | {
      readonly call: InverseCall;
      readonly check?: StateCheck | undefined;
      /** The read that was made before the write, with its answer unless that is large. */
      readonly before?: (InverseCall & { readonly answer?: Json | undefined }) | undefined;
    }
  /** An inverse is declared, and could not be computed. */
  | { readonly missing: string };
