// Lists and resets the sessions in memory, and shows and resumes the logs of named ones.
import {
  type Json,
  type SessionCheckpoint,
  type SessionFacts,
  type SessionLog,
  toCoordinatorError,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { toSessionName } from "../workspaces/list-workspaces.js";
import { replayInSession } from "./restore-session.js";

export interface SessionReference {
  readonly session: string;
  /** The workspace of the session. @default the setting `workspace` */
  readonly workspace?: string | undefined;
}

export interface SessionVerbs {
  /** Lists the sessions whose variables are in memory. */
  readonly listSessions: () => Promise<readonly SessionFacts[]>;
  /** Resets a session. Returns false if there is none. */
  readonly resetSession: (request: SessionReference) => Promise<boolean>;
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

export const listSessionLogs = async (
  host: Host,
  { workspace }: { readonly workspace?: string | undefined } = {},
): Promise<readonly SessionLog[]> => {
  await host.deferred.flush();
  return (await host.workspaces.open(workspace)).sessions.list();
};

export const showSession = async (
  host: Host,
  { session, workspace }: SessionReference,
): Promise<SessionLog> => {
  await host.deferred.flush();
  return (await host.workspaces.open(workspace)).sessions.read(session);
};

export const saveCheckpoint = async (
  host: Host,
  {
    session,
    workspace,
    ...checkpoint
  }: SessionReference & { readonly step: string | number; readonly context?: Json | undefined },
): Promise<SessionCheckpoint> => {
  await host.deferred.flush();
  return (await host.workspaces.open(workspace)).sessions.saveCheckpoint(session, checkpoint);
};

/** Runs the completed programs of the session again, each against its own recording, in a guest of this process. */
export const resumeSession = async (
  host: Host,
  request: SessionReference,
): Promise<{ readonly log: SessionLog; readonly replayed: number }> => {
  const { session, workspace } = request;
  const log = await showSession(host, request);
  await host.executors.resetSession(toSessionName(host, { session, workspace }));
  const { runs } = await host.workspaces.open(workspace);
  const replayed: string[] = [];
  for (const { run_id: runId } of log.tasks) {
    if (runId === undefined) continue;
    const reader = await runs.read(runId).catch((thrown: unknown) => {
      // Old runs are removed after a while, and their part of the session's state with them.
      if (toCoordinatorError(thrown).code === "RUN_UNKNOWN") return undefined;
      throw thrown;
    });
    if (reader?.recorded.status !== "completed") continue;
    const { now } = await replayInSession(host, runId, { session, workspace });
    if (now === "completed") replayed.push(runId);
  }
  host.sessionRuns.set(toSessionName(host, request), { runs: replayed, active: new Set() });
  return { log, replayed: replayed.length };
};

export const listSessions = async (host: Host): Promise<readonly SessionFacts[]> => host.executors.sessions();

/** Also forgets the session's variables in this process. Its runs stay stored. */
export const removeSession = async (host: Host, request: SessionReference): Promise<boolean> => {
  const { session, workspace } = request;
  await host.deferred.flush();
  const wasOpen = await resetSession(host, { session, workspace });
  const wasStored = await (await host.workspaces.open(workspace)).sessions.remove(session);
  return wasOpen || wasStored;
};

/** Returns false if there is no such session. */
export const resetSession = async (host: Host, request: SessionReference): Promise<boolean> => {
  const name = toSessionName(host, request);
  host.declared.delete(name);
  return host.executors.resetSession(name);
};
