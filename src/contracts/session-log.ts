// The log of a session, task by task, so that another process can continue it.
import type { Json } from "./json.js";

/** One task of a session. The names are those of the stored JSON. */
export interface SessionTask {
  readonly task_id: string;
  readonly description: string;
  readonly code: string;
  readonly result: Json;
  readonly output: string;
  readonly timestamp: string;
  /** The run that did it. */
  readonly run_id?: string | undefined;
}

/** Where to continue. */
export interface SessionCheckpoint {
  readonly step: string | number;
  readonly last_task: string | null;
  readonly context: Json;
  readonly timestamp: string;
}

export interface SessionLog {
  readonly session_id: string;
  /** The workspace's name. */
  readonly customer_uid: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly tasks: readonly SessionTask[];
  /** Paths in the workspace. */
  readonly state_files: readonly string[];
  readonly checkpoint: SessionCheckpoint | null;
}

export interface NewTask {
  readonly description?: string | undefined;
  readonly code: string;
  readonly result?: Json | undefined;
  readonly output?: string | undefined;
  readonly runId?: string | undefined;
  /** State files that the task wrote. */
  readonly stateFiles?: readonly string[] | undefined;
}

/** The session logs of one workspace. An unknown session throws SESSION_UNKNOWN. */
export interface SessionLogs {
  /** Starts a session, or continues the one with that name. Without a name it takes the next number. */
  readonly begin: (session?: string) => Promise<SessionLog>;
  readonly addTask: (session: string, task: NewTask) => Promise<SessionTask>;
  readonly saveCheckpoint: (
    session: string,
    checkpoint: { readonly step: string | number; readonly context?: Json | undefined },
  ) => Promise<SessionCheckpoint>;
  readonly end: (session: string) => Promise<SessionLog>;
  readonly read: (session: string) => Promise<SessionLog>;
  /** The session that was started or used last. */
  readonly current: () => Promise<SessionLog | undefined>;
  /** Newest first. */
  readonly list: () => Promise<readonly SessionLog[]>;
}
