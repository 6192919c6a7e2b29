// Stored runs: written while they happen; read, listed, resumed, exported.
import type { GuestAnswer, Language } from "./executor.js";
import type { CallTurn, IssuedCall, Journal } from "./journal.js";
import type { EndedRecord, JournalCall, RecordedRun, RunStatus } from "./journal-records.js";
import type { Json, JsonObject } from "./json.js";

/** A stored run, with the texts next to its journal. */
export interface RunReader {
  readonly recorded: RecordedRun;
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

/** A run that is being written. A failed write throws STORE_FAILED: then the call must not be made. */
export interface OpenRun {
  readonly runId: string;
  readonly attempt: number;
  /** Must be called in the order in which the program issues its calls. */
  readonly issue: (call: IssuedCall) => Promise<CallTurn>;
  readonly release: Journal["release"];
  readonly answer: Journal["answer"];
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
