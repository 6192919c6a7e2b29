// The verbs of durable runs: resume, background, commit, list, export and replay.
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

/** A run of a workspace. @default the workspace of the settings */
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
  /** The answer to the run's question. Without one, the run asks again. */
  readonly answer?: Json | undefined;
  /** Nobody will answer: the program gets an exception, and the call is not made. */
  readonly isDeclined?: boolean | undefined;
  /** The attempt whose question is answered. @default the last one */
  readonly attempt?: number | undefined;
  /** The `hash` of the question that was shown. The answer is refused if the run now asks something else. */
  readonly questionHash?: string | undefined;
  /** Who answers. An agent cannot approve calls, a client only if the setting `approvals` allows it. @default "person" */
  readonly answeredBy?: "person" | "client" | "agent" | undefined;
  /** The corrected program. @default the same program */
  readonly code?: string | undefined;
  /** What to do if the program makes a different call than before: stop before doing anything new, or continue from there. @default "stop" */
  readonly onDivergence?: "stop" | "fork" | undefined;
  /** What to do about a write whose answer was lost: stop, repeat it, or assume it succeeded and answer null. @default "stop" */
  readonly uncertain?: "stop" | "repeat" | "skip" | undefined;
  /** Repeat reads instead of answering them from the journal. @default false */
  readonly refreshReads?: boolean | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

/** The question of a paused run, as a person sees it. */
export interface WaitingQuestion {
  readonly question: RunQuestion;
  /** Approves exactly this question, once. Show it only to a person: whoever has it can approve. */
  readonly code: string;
}

/** One call of a stored run. */
export interface RunCall {
  readonly sequence: number;
  readonly server: string;
  readonly tool: string;
  readonly arguments: Json;
  readonly effect: CallEffect;
  /** `lost`: sent, but no answer was recorded. `held`: waiting for approval. */
  readonly status: "answered" | "failed" | "lost" | "held";
  readonly decision?: CallDecision | undefined;
  readonly code?: string | undefined;
  readonly at: string;
  readonly durationMs?: number | undefined;
}

/** A stored run in full. */
export interface RunDetails extends RunSummary {
  readonly code: string;
  readonly made: readonly RunCall[];
  /** Calls that no longer count, because the program took another path. */
  readonly abandoned: readonly RunCall[];
  /** The result that the caller got. */
  readonly result?: RunResult | undefined;
}

/** The current state of a run. */
export interface RunState {
  readonly runId: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  /** Calls completed so far. */
  readonly calls: number;
  /** Lines printed so far, if the run is in progress in this process. */
  readonly logs: readonly LogLine[];
  /** Set when the run has ended. */
  readonly result?: RunResult | undefined;
}

export interface WaitRequest extends RunReference {
  /** Return the state after this time. @default no limit */
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
  /** The text that `exportRun` returned. */
  readonly cassette: string;
}

export interface ReplayResult {
  readonly result: RunResult;
  /** The run ended, printed and returned the same as when it was recorded. */
  readonly isSame: boolean;
}

export interface SessionReference {
  readonly session: string;
  readonly workspace?: string | undefined;
}

export interface DurableVerbs {
  /** Resumes a run that ended, paused or lost its host. Calls already made are answered from the journal and not repeated. */
  readonly resumeRun: (request: ResumeRequest) => Promise<RunResult>;
  /** Returns the question of a paused run, or undefined if it has none. */
  readonly readQuestion: (request: RunReference) => Promise<WaitingQuestion | undefined>;
  /** Returns the secret that authenticates questions on their way through a client. It never leaves the host. */
  readonly readStateKey: () => Promise<Uint8Array>;
  /** Lists the stored runs, newest first. */
  readonly listRuns: (options?: {
    readonly limit?: number | undefined;
    readonly workspace?: string | undefined;
  }) => Promise<readonly RunSummary[]>;
  /** Shows one stored run in full: its program, calls and result. */
  readonly showRun: (request: RunReference) => Promise<RunDetails>;
  /** Starts or resumes a run in the background. A run that is in progress, or completed and unchanged, is not started again. */
  readonly startRun: (request: RunRequest | ResumeRequest) => Promise<{ readonly runId: string }>;
  /** Returns the state of a run without waiting for it. */
  readonly runStatus: (request: RunReference) => Promise<RunState>;
  /** Waits until a run of this or another process ends. */
  readonly waitForRun: (request: WaitRequest) => Promise<RunState>;
  /** Cancels a run of this process. Its calls stay made, and it can be resumed. */
  readonly cancelRun: (request: RunReference) => Promise<RunState>;
  /** Makes exactly the calls of a plan, in order. */
  readonly commitPlan: (request: CommitRequest) => Promise<RunResult>;
  /** Exports a stored run as one text that can be replayed anywhere. */
  readonly exportRun: (request: RunReference) => Promise<string>;
  /** Replays an exported run against its recorded answers. No server is called. */
  readonly replayRun: (request: ReplayRequest) => Promise<ReplayResult>;
  /** Shows the log of a named session, task by task. */
  readonly showSession: (request: SessionReference) => Promise<SessionLog>;
  /** Lists the logs of all named sessions. */
  readonly listSessionLogs: (options?: {
    readonly workspace?: string | undefined;
  }) => Promise<readonly SessionLog[]>;
  /** Saves a checkpoint of a session that another process can resume from. */
  readonly saveCheckpoint: (
    request: SessionReference & { readonly step: string | number; readonly context?: Json | undefined },
  ) => Promise<SessionCheckpoint>;
  /** Restores a session's variables in this process by replaying its completed programs. */
  readonly resumeSession: (
    request: SessionReference,
  ) => Promise<{ readonly log: SessionLog; readonly replayed: number }>;
}
