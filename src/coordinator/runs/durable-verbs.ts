// The verbs of runs that last: gone on with, in the background, planned, listed, recorded.
import type {
  CallDecision,
  CallEffect,
  Json,
  Limits,
  LogLine,
  RunQuestion,
  RunRequest,
  RunResult,
  RunStatus,
  RunSummary,
  SessionCheckpoint,
  SessionLog,
} from "../../contracts/index.js";

/** A run of a workspace; without a workspace that of the settings. */
export interface RunReference {
  readonly runId: string;
  readonly workspace?: string | undefined;
}

export interface ResumeRequest
  extends RunReference,
    Pick<
      RunRequest,
      | "signal"
      | "onLog"
      | "onCall"
      | "onProgress"
      | "countTokens"
      | "output"
      | "onQuestion"
      | "agentLimits"
      | "isCaller"
    > {
  /** The answer to what the run waits for. Without one it asks again. */
  readonly answer?: Json | undefined;
  /** Nobody will answer: the program gets an exception, a call is not made. */
  readonly isDeclined?: boolean | undefined;
  /** The attempt whose question is answered; a later one asks something else. Without it: the last. */
  readonly attempt?: number | undefined;
  /** The `hash` of the question that was shown: the answer is refused if the run asks something else. */
  readonly questionHash?: string | undefined;
  /** An agent cannot allow calls, and a client only where the setting `approvals` lets it. @default "person" */
  readonly answeredBy?: "person" | "client" | "agent" | undefined;
  /** The corrected program; without it the same one. */
  readonly code?: string | undefined;
  /** Where the program does not do what it did before: stop before anything new is done, or go on from there. @default "stop" */
  readonly onDivergence?: "stop" | "fork" | undefined;
  /** A write whose answer was lost: stop, make it again, or take it as done and answer it with null. @default "stop" */
  readonly uncertain?: "stop" | "repeat" | "skip" | undefined;
  /** Ask again for what was only read. @default false */
  readonly refreshReads?: boolean | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

/** What a paused run asks, as a person is asked it. */
export interface WaitingQuestion {
  readonly question: RunQuestion;
  /** Allows exactly this question, once. Only for the eyes of a person: whoever has it can approve. */
  readonly code: string;
}

/** One call of a kept run. */
export interface RunCall {
  readonly sequence: number;
  readonly server: string;
  readonly tool: string;
  readonly arguments: Json;
  readonly effect: CallEffect;
  /** `lost`: it was sent, and nobody heard how it went. `held`: it waits for people. */
  readonly status: "answered" | "failed" | "lost" | "held";
  readonly decision?: CallDecision | undefined;
  readonly code?: string | undefined;
  readonly at: string;
  readonly durationMs?: number | undefined;
}

/** A kept run in full. */
export interface RunDetails extends RunSummary {
  readonly code: string;
  readonly made: readonly RunCall[];
  /** Calls that were made and no longer count, because the program went another way. */
  readonly abandoned: readonly RunCall[];
  /** What its caller was told. */
  readonly result?: RunResult | undefined;
}

/** How a run is now. */
export interface RunState {
  readonly runId: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  /** Calls that ended so far. */
  readonly calls: number;
  /** Lines that it has printed so far, when it is under way in this process. */
  readonly logs: readonly LogLine[];
  /** When it has ended. */
  readonly result?: RunResult | undefined;
}

export interface WaitRequest extends RunReference {
  /** Answer with how it is then. Without it the wait has no end. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CommitRequest
  extends Pick<
    RunRequest,
    | "workspace"
    | "limits"
    | "agentLimits"
    | "isCaller"
    | "signal"
    | "onLog"
    | "onCall"
    | "output"
    | "onQuestion"
  > {
  readonly planId: string;
}

export interface ReplayRequest extends Pick<RunRequest, "limits" | "signal" | "onLog" | "onCall"> {
  /** The text that `exportRun` made. */
  readonly cassette: string;
}

export interface ReplayResult {
  readonly result: RunResult;
  /** It ended, printed and returned what it did when it was recorded. */
  readonly isSame: boolean;
}

export interface SessionReference {
  readonly session: string;
  readonly workspace?: string | undefined;
}

export interface DurableVerbs {
  /** Goes on with a run that ended, paused or lost its host. Calls that it made are answered from the journal and not made again. */
  readonly resumeRun: (request: ResumeRequest) => Promise<RunResult>;
  /** What a run waits for; undefined when it waits for nothing. */
  readonly readQuestion: (request: RunReference) => Promise<WaitingQuestion | undefined>;
  /** The secret that authenticates questions on their way through a client. It never leaves the host. */
  readonly readStateKey: () => Promise<Uint8Array>;
  /** The kept runs, newest first. */
  readonly listRuns: (options?: {
    readonly limit?: number | undefined;
    readonly workspace?: string | undefined;
  }) => Promise<readonly RunSummary[]>;
  /** One kept run in full: its program, its calls, its result. */
  readonly showRun: (request: RunReference) => Promise<RunDetails>;
  /** Starts a run, or goes on with one, and does not wait for it. One that is under way, or completed and not changed, is not started again. */
  readonly startRun: (request: RunRequest | ResumeRequest) => Promise<{ readonly runId: string }>;
  /** How a run is, without waiting for it. */
  readonly runStatus: (request: RunReference) => Promise<RunState>;
  /** Waits for the end of a run, of this process or another. */
  readonly waitForRun: (request: WaitRequest) => Promise<RunState>;
  /** Stops a run of this process; what it did stays done, and it can be gone on with. */
  readonly cancelRun: (request: RunReference) => Promise<RunState>;
  /** Makes the calls of a plan, exactly these, in their order. */
  readonly commitPlan: (request: CommitRequest) => Promise<RunResult>;
  /** A kept run as one text that can be replayed anywhere. */
  readonly exportRun: (request: RunReference) => Promise<string>;
  /** Runs a recorded program against its recorded answers; no server is reached. */
  readonly replayRun: (request: ReplayRequest) => Promise<ReplayResult>;
  /** What a named session did, task by task. */
  readonly showSession: (request: SessionReference) => Promise<SessionLog>;
  /** The logs of every named session. */
  readonly listSessionLogs: (options?: {
    readonly workspace?: string | undefined;
  }) => Promise<readonly SessionLog[]>;
  /** Notes where a session stands, so that another process can go on from there. */
  readonly saveCheckpoint: (
    request: SessionReference & { readonly step: string | number; readonly context?: Json | undefined },
  ) => Promise<SessionCheckpoint>;
  /** Brings a session's variables back in this process: its completed programs run again against their recorded answers. */
  readonly resumeSession: (
    request: SessionReference,
  ) => Promise<{ readonly log: SessionLog; readonly replayed: number }>;
}
