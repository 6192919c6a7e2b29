// The journal of one run, through which every call passes, and the stored runs: begun, resumed, read, listed, exported.
import type { GuestAnswer, GuestOrigin, Language, LogLine } from "./executor.js";
import type {
  CallDecision,
  CallEffect,
  EndedRecord,
  JournalCall,
  RecordedInverse,
  RecordedRun,
  RunStatus,
} from "./journal-records.js";
import type { Json, JsonObject } from "./json.js";
import type { OpenInput, PeopleAnswer, RunQuestion } from "./questions.js";
import type { RunResult } from "./run.js";

/** A call that a program issues. */
export interface IssuedCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Json;
  readonly effect: CallEffect;
  readonly isRaw?: boolean | undefined;
  /** It waits for people, and is not made before it is released. */
  readonly isHeld?: boolean | undefined;
  /** The program has other calls that the journal has not seen yet. */
  readonly hasOthers?: (() => boolean) | undefined;
}

/** How a call ended. */
export interface EndedCall {
  readonly decision: CallDecision;
  readonly answer: GuestAnswer;
  readonly durationMs: number;
  /** The answer was known, and no server was called. */
  readonly isCached?: true | undefined;
  /** How a write is undone. */
  readonly inverse?: RecordedInverse | undefined;
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
export type CallReply =
  | { readonly kind: "answered"; readonly sequence: number; readonly answer: GuestAnswer }
  | {
      readonly kind: "fresh";
      readonly sequence: number;
      /** An earlier attempt made it, and its server waits for input. */
      readonly input?: OpenInput | undefined;
    }
  | { readonly kind: "differs"; readonly difference: Difference }
  | {
      readonly kind: "uncertain";
      readonly sequence: number;
      readonly call: JournalCall;
      readonly message: string;
    };

/**
 * The journal of a run, as the bridge sees it. There are three: a new one writes down every call, a resumed one first answers the calls
 * that were already made, a cassette answers every call and stores nothing. They are in `coordinator/runs`.
 */
export interface Journal {
  readonly runId: string;
  /** Called when the program is about to start. Undefined if the run is not journaled: then it is never repeated. */
  readonly start: () => Promise<GuestOrigin | undefined>;
  /**
   * Must be called in the order in which the program issues its calls; `times`: what the program's clock showed since the last call.
   * Throws if the call cannot be journaled, or must not be made because the run differs from its journal: the run stops.
   */
  readonly issue: (
    call: IssuedCall,
    times: readonly string[],
  ) => Promise<Extract<CallReply, { readonly kind: "answered" | "fresh" }>>;
  /** Journals that a person approved a held call, or gave the input it waits for. Once it resolves, the call may be made. */
  readonly release: (sequence: number) => Promise<void>;
  /** Journals that the server wants input before it finishes the call: nothing was done yet, and the call can continue later. */
  readonly ask: (sequence: number, input: OpenInput) => Promise<void>;
  /** Journals an answer. Once it resolves, the program may have it. */
  readonly answer: (sequence: number, ended: EndedCall) => Promise<void>;
  /** Stores the run, because it is about to wait without a call in its journal. Absent if it cannot wait. */
  readonly store?: (() => Promise<void>) | undefined;
  /** What people have answered since the run paused. */
  readonly findAnswer?: ((question: RunQuestion) => PeopleAnswer | undefined) | undefined;
  /** Approvals of its programs in earlier attempts, as the journal has them. */
  readonly approvals?: readonly JsonObject[] | undefined;
  /** Who gave the answers that `findAnswer` finds. */
  readonly approver?: { readonly by: "person" | "client"; readonly name?: string | undefined } | undefined;
  /** Journals an approval of the program. Absent if the run cannot wait for one. */
  readonly approve?: ((approval: JsonObject) => Promise<void>) | undefined;
  /** Journals a line that the program printed. Absent if nobody follows the run from elsewhere. */
  readonly print?: ((line: LogLine) => void) | undefined;
  /** Whether somebody asked to stop the run. Absent if nobody can. */
  readonly isStopRequested?: (() => Promise<boolean>) | undefined;
  /** The program is still repeating earlier calls. */
  readonly isReplaying: () => boolean;
  /** Adds what the journal knows: whether the run can be resumed. */
  readonly mark: (result: RunResult) => RunResult;
  /** Stores the result and returns it. `times` is the last reading of the program's clock. */
  readonly end: (result: RunResult, times?: string) => Promise<RunResult>;
  /** Closes the journal without a result. */
  readonly close: () => void;
}

/** A stored run, with the texts next to its journal. */
export interface RunReader {
  readonly recorded: RecordedRun;
  readonly readProgram: () => Promise<string>;
  /** The answer of a call, wherever it is stored. */
  readonly readAnswer: (call: JournalCall) => Promise<GuestAnswer>;
  readonly readArguments: (call: JournalCall) => Promise<Json>;
  /** How a write is undone; undefined if nothing was declared. */
  readonly readInverse: (call: JournalCall) => Promise<RecordedInverse | undefined>;
  /** The reported result; undefined before the end. */
  readonly readResult: () => Promise<Json | undefined>;
}

/** One stored run as `listRuns` lists it. */
export interface RunSummary {
  readonly runId: string;
  readonly status: RunStatus;
  /** Its writes were listed, not made. */
  readonly isPlan?: true | undefined;
  /** Its answers were made up. */
  readonly isSimulated?: true | undefined;
  /** The run whose calls it undoes. */
  readonly undoes?: string | undefined;
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

/**
 * The journal of one run in a store. New, resumed and cassette journals write to it or are answered from it. A failed write throws
 * STORE_FAILED: then the call must not be made.
 */
export interface StoredJournal extends Pick<Journal, "runId" | "release" | "ask" | "answer"> {
  readonly attempt: number;
  /** Must be called in the order in which the program issues its calls. */
  readonly issue: (call: IssuedCall) => Promise<CallReply>;
  /** Journals an approval of the program. */
  readonly approve: (approval: JsonObject) => Promise<void>;
  /** A value from the outside world: the journaled one as long as there is one, then what `make` returns. */
  readonly value: (name: string, make: () => Json) => { readonly value: Json; readonly isReplayed: boolean };
  /** Journals a printed line. It may be lost with the process. */
  readonly print: (line: LogLine) => void;
  /** Whether somebody asked to stop the run, in this or another process. */
  readonly isStopRequested: () => Promise<boolean>;
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
  /** The run that it undoes, and its last attempt then. Throws RUN_BUSY if that run has continued since. */
  readonly undoes?: { readonly runId: string; readonly attempt: number } | undefined;
}

export interface ResumedRun extends ReplayChoices {
  /** The corrected program. Without it, the same one. */
  readonly code?: string | undefined;
  /** What it may do. Without it, the same as before. */
  readonly rights?: JsonObject | undefined;
  /** Resume only if this is the last attempt: an answer applies to one question. Throws ANSWER_INVALID otherwise. */
  readonly afterAttempt?: number | undefined;
  /** The run that would undo this one. Throws UNDO_REFUSED if it exists. */
  readonly undoneBy?: string | undefined;
}

/** A recorded program, and the run that answers its calls. */
export interface OpenCassette {
  readonly language: Language;
  readonly code: string;
  readonly rights: JsonObject;
  readonly result?: Json | undefined;
  /** What was included with it: the tools that it calls. */
  readonly enclosed?: Json | undefined;
  readonly run: StoredJournal;
}

/** The runs of one workspace. An unknown id throws RUN_UNKNOWN. */
export interface Runs {
  readonly begin: (run: NewRun) => Promise<StoredJournal>;
  /** Resumes a run that ended, paused or lost its host. Throws RUN_BUSY while a process works on it. */
  readonly resume: (runId: string, options?: ResumedRun) => Promise<StoredJournal>;
  readonly read: (runId: string) => Promise<RunReader>;
  /** Asks the process that works on a run to stop it. No effect on a run that is not in progress. */
  readonly requestStop: (runId: string) => Promise<void>;
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
  /** A cassette to replay: nothing is stored, no call is made. Throws CASSETTE_INVALID. */
  readonly openCassette: (text: string) => Promise<OpenCassette>;
}
