// Stored runs: written while they happen; read, listed, resumed, exported.
import type { GuestAnswer, Language } from "./executor.js";
import type {
  CallDecision,
  CallEffect,
  EndedRecord,
  Journal,
  JournalCall,
  RunStatus,
} from "./journal-records.js";
import type { Json, JsonObject } from "./json.js";

/** A journal with the texts stored next to it. */
export interface RunReader {
  readonly journal: Journal;
  readonly readProgram: () => Promise<string>;
  /** The answer of a call, wherever it is stored. */
  readonly readAnswer: (call: JournalCall) => Promise<GuestAnswer>;
  readonly readArguments: (call: JournalCall) => Promise<Json>;
  /** The reported result; undefined before the end. */
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
  /** Writes whose answer was lost: they may or may not have taken effect. */
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
  /** It waits for people, and is not made before it is released. */
  readonly isHeld?: boolean | undefined;
}

/** The first difference between a program and the journal. */
export interface Difference {
  readonly sequence: number;
  /** Absent if the journal has nothing more. */
  readonly expected?:
    | { readonly server: string; readonly tool: string; readonly argumentHash: string }
    | undefined;
  readonly found: { readonly server: string; readonly tool: string; readonly argumentHash: string };
  /** One sentence for people and models. */
  readonly message: string;
}

/**
 * What happens to an issued call. A call that certainly failed is not binding: the program may do something else instead, and if it
 * did nothing after the failure, the same call is made again. `answered`: use this, do not call. `fresh`: its intent is journaled; make it and journal the answer.
 * `differs` and `uncertain`: nothing was journaled; the run stops unless the choice was made on resume.
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
  /** At the first difference: stop, or continue from there with the program's own calls. @default "stop" */
  readonly onDifference?: "stop" | "continue" | undefined;
  /** A write whose answer was lost: stop, or make it again. @default "stop" */
  readonly onUncertain?: "stop" | "repeat" | undefined;
  /** Repeat reads instead of answering them from the journal. @default false */
  readonly refreshReads?: boolean | undefined;
  /** Never make a call: what the journal does not answer is a difference. For cassettes. @default false */
  readonly isOffline?: boolean | undefined;
}

/** A run that is being written. A failed write throws STORE_FAILED: then the call must not be made. It works synchronously if it can: a promise costs more than a line. */
export interface OpenRun {
  readonly runId: string;
  readonly attempt: number;
  /** Must be called in the order in which the program issues its calls. */
  readonly issue: (call: IssuedCall) => CallTurn | Promise<CallTurn>;
  /** Journals that a person approved a held call. Once it resolves, the call may be made. */
  readonly release: (sequence: number) => Promise<void>;
  /** Journals an answer. Once it returns or resolves, the program may have it. */
  readonly answer: (
    sequence: number,
    given: { readonly decision: CallDecision; readonly answer: GuestAnswer; readonly durationMs: number },
  ) => undefined | Promise<undefined>;
  /** A value from the outside world: the journaled one as long as there is one, then what `make` returns. */
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
  /** Releases the run without an end, as when a host closes: it counts as interrupted. No effect after `pause` and `end`. */
  readonly close: () => void;
}

export interface NewRun {
  readonly runId: string;
  readonly language: Language;
  readonly code: string;
  readonly session?: string | undefined;
  readonly rights?: JsonObject | undefined;
  /** When it actually started. @default now */
  readonly startedAt?: string | undefined;
}

export interface ResumedRun extends ReplayChoices {
  /** The corrected program. Without it, the same one. */
  readonly code?: string | undefined;
  /** What it may do. Without it, the same as before. */
  readonly rights?: JsonObject | undefined;
  /** Resume only if this is the last attempt: an answer applies to one question. Throws ANSWER_INVALID otherwise. */
  readonly afterAttempt?: number | undefined;
}

/** A recorded program, and the run that answers its calls. */
export interface OpenCassette {
  readonly language: Language;
  readonly code: string;
  readonly rights: JsonObject;
  readonly result?: Json | undefined;
  /** What was included with it: the tools that it calls. */
  readonly enclosed?: Json | undefined;
  readonly run: OpenRun;
}

/** The runs of one workspace. An unknown id throws RUN_UNKNOWN. */
export interface Runs {
  readonly begin: (run: NewRun) => Promise<OpenRun>;
  /** Resumes a run that ended, paused or lost its host. Throws RUN_BUSY while a process works on it. */
  readonly resume: (runId: string, options?: ResumedRun) => Promise<OpenRun>;
  readonly read: (runId: string) => Promise<RunReader>;
  /** Newest first. */
  readonly list: (options?: { readonly limit?: number | undefined }) => Promise<readonly RunSummary[]>;
  readonly remove: (runId: string) => Promise<void>;
  /** Removes the oldest runs until both bounds hold: ended runs first, then inactive ones, never one in progress. */
  readonly prune: (bounds: {
    readonly runs: number;
    readonly bytes: number;
  }) => Promise<{ readonly removed: readonly string[] }>;
  /** A run as one text that can be replayed anywhere: a cassette. It includes `enclosed`. */
  readonly exportCassette: (
    runId: string,
    options?: { readonly enclosed?: Json | undefined },
  ) => Promise<string>;
  /** Stores a cassette as a new run. Throws CASSETTE_INVALID. */
  readonly importCassette: (text: string, runId: string) => Promise<RunSummary>;
  /** A cassette to replay: nothing is stored, no call is made. Throws CASSETTE_INVALID. */
  readonly openCassette: (text: string) => Promise<OpenCassette>;
}
