// The verbs of durable runs: resume, background, commit, list, export and replay.
import type {
  CallDecision,
  CallEffect,
  Json,
  JsonObject,
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
import type { UndoPlan } from "./read-undo.js";

/** A run of a workspace. @default the workspace of the settings */
export interface RunReference extends Pick<RunRequest, "caller" | "conversation"> {
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
      | "canSample"
      | "agentLimits"
      | "isCaller"
      | "caller"
      | "conversation"
    > {
  /** The answer to the run's question. Without one, the run asks again. */
  readonly answer?: Json | undefined;
  /** Nobody will answer: the program gets an exception, and the call is not made. */
  readonly isDeclined?: boolean | undefined;
  /** The attempt whose question is answered. @default the last one */
  readonly attempt?: number | undefined;
  /** The `hash` of the question that was shown. The answer is refused if the run now asks something else. */
  readonly questionHash?: string | undefined;
  /**
   * Who answers. An agent cannot approve calls, and answers servers only if the setting `answers.elicitation` allows it. A client can
   * approve calls only if the setting `approvals` allows it. @default "person"
   */
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
  /** What people approved of its programs as a whole, with what they were shown. */
  readonly approvals?: readonly JsonObject[] | undefined;
  /** How its calls can be undone, or were. Undefined: it changed nothing that can be undone. */
  readonly undo?: UndoPlan | undefined;
  /** What it printed: of a background run also while it is in progress. */
  readonly logs: readonly LogLine[];
  /** The result that the caller got. */
  readonly result?: RunResult | undefined;
}

/** A run that waited for a sign-in. */
export interface ContinuedRun {
  readonly runId: string;
  /** How it ended, or what it waits for now. Undefined: another process continues it. */
  readonly result?: RunResult | undefined;
}

/** The current state of a run. */
export interface RunState {
  readonly runId: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  /** Calls completed so far. */
  readonly calls: number;
  /** Lines printed so far, if the run is in progress in this process or in the background of another. */
  readonly logs: readonly LogLine[];
  /** Set when the run has ended. */
  readonly result?: RunResult | undefined;
  /** What a server asks while the run is in progress in this process. Answered with `resumeRun` or `startRun`. */
  readonly question?: RunQuestion | undefined;
}

export interface WaitRequest extends RunReference {
  /** Also return when the run asks something while it is in progress. @default false */
  readonly untilAsked?: boolean | undefined;
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
    | "conversation"
  > {
  readonly planId: string;
}

export interface UndoRequest
  extends RunReference,
    Pick<RunRequest, "limits" | "signal" | "onLog" | "onCall" | "output" | "onQuestion"> {
  /** What a person has seen and approved: calls that a rule asks about are not asked about again. Refused if the plan has changed. */
  readonly approved?: UndoPlan | undefined;
}

export interface UndoResult {
  /** The calls, and which of them are undone now. */
  readonly plan: UndoPlan;
  /** How the run that undoes them ended. Undefined: there was nothing to do. */
  readonly result?: RunResult | undefined;
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
  /** Cancels a run of this or another process. Calls that were made are not reverted, and the run can be resumed. */
  readonly cancelRun: (request: RunReference) => Promise<RunState>;
  /** After a sign-in: continues the stored runs that wait for it and whose process has ended. Resolves when they have ended. */
  readonly continueRuns: (request: { readonly server: string }) => Promise<readonly ContinuedRun[]>;
  /** Makes exactly the calls of a plan, in order. */
  readonly commitPlan: (request: CommitRequest) => Promise<RunResult>;
  /** Lists what undoing a run would do, the last call first. Throws UNDO_REFUSED. */
  readonly planUndo: (request: RunReference) => Promise<UndoPlan>;
  /** Undoes a run: makes the inverse calls in its journal, the last call first, and stops at the first failure. */
  readonly undoRun: (request: UndoRequest) => Promise<UndoResult>;
  /** Exports a stored run as one text that can be replayed anywhere. */
  readonly exportRun: (request: RunReference) => Promise<string>;
  /** Replays an exported run against its recorded answers. No server is called. */
  readonly replayRun: (request: ReplayRequest) => Promise<ReplayResult>;
  /** Shows the log of a named session, task by task. */
  readonly showSession: (request: SessionReference) => Promise<SessionLog>;
  /** Removes the log of a named session and forgets its variables. Returns false if there is none. */
  readonly removeSession: (request: SessionReference) => Promise<boolean>;
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
