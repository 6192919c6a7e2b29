// Runs that last: written while they happen, read, listed, gone on with, exported.
import type { GuestAnswer, Language } from "./executor.js";
import type { CallDecision, CallEffect, EndedRecord, Journal, JournalCall, RunStatus } from "./journal.js";
import type { Json, JsonObject } from "./json.js";

/** A journal with the texts that lie beside it. */
export interface RunReader {
  readonly journal: Journal;
  readonly readProgram: () => Promise<string>;
  /** The answer of a call, wherever it lies. */
  readonly readAnswer: (call: JournalCall) => Promise<GuestAnswer>;
  readonly readArguments: (call: JournalCall) => Promise<Json>;
  /** What was told at the end; undefined before. */
  readonly readResult: () => Promise<Json | undefined>;
}

export interface RunSummary {
  readonly runId: string;
  readonly status: RunStatus;
  /** Its writes were listed, not made. */
  readonly isPlan?: true | undefined;
  readonly language: Language;
  readonly startedAt: string;
  readonly endedAt?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly session?: string | undefined;
  readonly calls: number;
  /** Writes whose answer was lost: they may have happened or not. */
  readonly uncertain: number;
  readonly attempts: number;
}

/** A call that a program issues. */
export interface IssuedCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Json;
  readonly effect: CallEffect;
  readonly isRaw?: boolean | undefined;
  /** It waits for people and is not made before it is released. */
  readonly isHeld?: boolean | undefined;
}

/** The first place where a program does not do what the journal has. */
export interface Difference {
  readonly sequence: number;
  /** Absent when the journal has nothing more. */
  readonly expected?:
    | { readonly server: string; readonly tool: string; readonly argumentHash: string }
    | undefined;
  readonly found: { readonly server: string; readonly tool: string; readonly argumentHash: string };
  /** One sentence for people and models. */
  readonly message: string;
}

/**
 * What becomes of an issued call. A call that failed for certain binds nobody: the program may do something else instead, and when the
 * program did nothing after the failure, the same call is made again. `answered`: take this, do not call. `fresh`: its intent is journalled, make it and journal the answer.
 * `differs` and `uncertain`: nothing was journalled; the run stops unless the choice was made when it was resumed.
 */
export type CallTurn =
  | { readonly kind: "answered"; readonly sequence: number; readonly answer: GuestAnswer }
  | { readonly kind: "fresh"; readonly sequence: number }
  | { readonly kind: "differs"; readonly difference: Difference }
  | {
      readonly kind: "uncertain";
      readonly sequence: number;
      readonly call: JournalCall;
      readonly message: string;
    };

export interface ReplayChoices {
  /** At the first difference: stop, or go on from there with calls of its own. @default "stop" */
  readonly onDifference?: "stop" | "continue" | undefined;
  /** A write whose answer was lost: stop, or make it again. @default "stop" */
  readonly onUncertain?: "stop" | "repeat" | undefined;
  /** Make reads again instead of answering them from the journal. @default false */
  readonly refreshReads?: boolean | undefined;
  /** Never make a call: what the journal does not answer differs. For cassettes. @default false */
  readonly isOffline?: boolean | undefined;
}

/** A run that is being written. What it cannot write it throws as STORE_FAILED: then the call must not be made. What it can do at once it does: a promise costs a call more than a line. */
export interface OpenRun {
  readonly runId: string;
  readonly attempt: number;
  /** To be called in the order in which the program issues its calls. */
  readonly issue: (call: IssuedCall) => CallTurn | Promise<CallTurn>;
  /** Journals that a person allowed a held call; when it has resolved, the call may be made. */
  readonly release: (sequence: number) => Promise<void>;
  /** Journals an answer; when it has returned or resolved, the program may have it. */
  readonly answer: (
    sequence: number,
    given: { readonly decision: CallDecision; readonly answer: GuestAnswer; readonly durationMs: number },
  ) => undefined | Promise<undefined>;
  /** A value of the world: the journalled one while it lasts, then what `make` returns. */
  readonly value: (name: string, make: () => Json) => { readonly value: Json; readonly isReplayed: boolean };
  /** Calls of the journal that the program has not made again. */
  readonly left: () => readonly {
    readonly sequence: number;
    readonly server: string;
    readonly tool: string;
  }[];
  readonly pause: (reason: Json) => Promise<void>;
  readonly end: (outcome: {
    readonly status: EndedRecord["status"];
    readonly durationMs: number;
    readonly result: Json;
  }) => Promise<RunSummary>;
  /** Lets go of it without an end, as a host does that closes: the run counts as interrupted. After `pause` and `end` it does nothing. */
  readonly close: () => void;
}

export interface NewRun {
  readonly runId: string;
  readonly language: Language;
  readonly code: string;
  readonly session?: string | undefined;
  readonly rights?: JsonObject | undefined;
  /** When it really started. @default now */
  readonly startedAt?: string | undefined;
}

export interface ResumedRun extends ReplayChoices {
  /** The corrected program; without it the same one. */
  readonly code?: string | undefined;
  /** What it may do; without it what it might before. */
  readonly rights?: JsonObject | undefined;
  /** Resume only if this is the last attempt: an answer holds for one question. Throws ANSWER_INVALID otherwise. */
  readonly afterAttempt?: number | undefined;
}

/** A recorded program, and the run that answers its calls. */
export interface OpenCassette {
  readonly language: Language;
  readonly code: string;
  readonly rights: JsonObject;
  readonly result?: Json | undefined;
  /** What was put in with it: the tools that it calls. */
  readonly enclosed?: Json | undefined;
  readonly run: OpenRun;
}

/** The runs of one workspace. An id that is not kept throws RUN_UNKNOWN. */
export interface Runs {
  readonly begin: (run: NewRun) => Promise<OpenRun>;
  /** Goes on with a run that ended, paused or lost its host. Throws RUN_BUSY while a process works on it. */
  readonly resume: (runId: string, options?: ResumedRun) => Promise<OpenRun>;
  readonly read: (runId: string) => Promise<RunReader>;
  /** Newest first. */
  readonly list: (options?: { readonly limit?: number | undefined }) => Promise<readonly RunSummary[]>;
  readonly remove: (runId: string) => Promise<void>;
  /** Removes the oldest until both bounds hold: ended runs first, then those that stand still, never one under way. */
  readonly prune: (bounds: {
    readonly runs: number;
    readonly bytes: number;
  }) => Promise<{ readonly removed: readonly string[] }>;
  /** A run as one text that can be replayed anywhere: a cassette. `enclosed` goes with it. */
  readonly exportCassette: (
    runId: string,
    options?: { readonly enclosed?: Json | undefined },
  ) => Promise<string>;
  /** Keeps a cassette as a run of its own. Throws CASSETTE_INVALID. */
  readonly importCassette: (text: string, runId: string) => Promise<RunSummary>;
  /** A cassette to be replayed: nothing is kept, no call is made. Throws CASSETTE_INVALID. */
  readonly openCassette: (text: string) => Promise<OpenCassette>;
}
