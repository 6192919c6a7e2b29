// Sessions: lists and resets those in memory, shows the logs of named ones, and restores their state: runs their programs again, each against
// its own journal, without calling a tool.
import {
  CoordinatorError,
  type Json,
  type RecordedRun,
  type SessionCheckpoint,
  type SessionFacts,
  type SessionLog,
  type SessionTask,
  toCoordinatorError,
} from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { openCassetteJournal } from "../runs/cassette-journal.js";
import { runCode } from "../runs/run-code.js";
import { fromJournaledRights } from "../runs/run-rights.js";
import { toSessionName } from "../workspaces/workspaces.js";
import { findHistory } from "./session-history.js";

/** Names a session of a workspace. */
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
  return (await host.openWorkspace(workspace)).sessions.list();
};

export const showSession = async (
  host: Host,
  { session, workspace }: SessionReference,
): Promise<SessionLog> => {
  await host.deferred.flush();
  return (await host.openWorkspace(workspace)).sessions.read(session);
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
  return (await host.openWorkspace(workspace)).sessions.saveCheckpoint(session, checkpoint);
};

export const resumeSession = async (
  host: Host,
  request: SessionReference,
): Promise<{ readonly log: SessionLog; readonly replayed: number }> => {
  const { session, workspace } = request;
  const log = await showSession(host, request);
  await host.executors.resetSession(toSessionName(host, { session, workspace }));
  const { runs } = await host.openWorkspace(workspace);
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

export const removeSession = async (host: Host, request: SessionReference): Promise<boolean> => {
  const { session, workspace } = request;
  await host.deferred.flush();
  const wasOpen = await resetSession(host, { session, workspace });
  const wasStored = await (await host.openWorkspace(workspace)).sessions.remove(session);
  return wasOpen || wasStored;
};

export const resetSession = async (host: Host, request: SessionReference): Promise<boolean> => {
  const name = toSessionName(host, request);
  host.declared.delete(name);
  return host.executors.resetSession(name);
};

/** Runs one program again in a session. Returns how it ended then and now. */
const replayInSession = async (
  host: Host,
  runId: string,
  { session, workspace }: SessionReference,
): Promise<{ readonly before: string; readonly now: string }> => {
  const { runs } = await host.openWorkspace(workspace);
  const { recorded } = await runs.read(runId);
  const cassette = await runs.openCassette(await runs.exportCassette(runId));
  const run = {
    ...fromJournaledRights(cassette.rights, "resume"),
    staysWithinManifest: false,
    code: cassette.code,
    language: cassette.language,
    session,
    workspace,
    isChecked: false,
  };
  const { status } = await runCode(host, run, {
    openJournal: () => openCassetteJournal(runId, cassette),
    isTest: true,
  });
  return { before: recorded.status, now: status };
};

const toLostError = (session: string, why: string): CoordinatorError =>
  new CoordinatorError("SESSION_LOST", `Cannot resume the run in the session "${session}": ${why}`);

const busy = (runId: string): CoordinatorError =>
  new CoordinatorError("RUN_BUSY", `Cannot change the run "${runId}": it is in progress`);

/** The session that a run is resumed in, and how to restore its earlier state. */
interface RestoredSession {
  readonly session: string;
  /** Called when the program is about to start, so that a refused program changes nothing. Undefined if the state is already restored. */
  readonly restore?: (() => Promise<void>) | undefined;
}

/** If other programs have used the session since, resume in a copy and leave their state alone. */
export const restoreSession = async (
  host: Host,
  { started, status }: RecordedRun,
  workspace: string | undefined,
): Promise<RestoredSession | undefined> => {
  const { session, runId, rights } = started;
  if (session === undefined) return undefined;
  if (!Array.isArray(rights.sessionRuns))
    throw toLostError(session, "its journal does not say which runs came before it");
  const before = rights.sessionRuns.map(String);
  const history = findHistory(host, { session, workspace });
  if (status === "running" || history?.active.has(runId) === true) throw busy(runId);
  await checkRepeatable(host, session, before, workspace);
  const isCopy = await hasMovedOn(host, started, before, workspace);
  const place = { session: isCopy ? `resume-${runId}` : session, workspace };
  const restore = (): Promise<void> => replayBefore(host, started, before, place);
  if (history !== undefined && !isCopy) return { session, restore };
  // This loses nothing, and the check must know the names that earlier programs declared.
  await restore();
  return { session: place.session };
};

/** Runs the programs before this run again, in a new guest, and marks the run as in progress there. */
const replayBefore = async (
  host: Host,
  { session = "", runId }: RecordedRun["started"],
  runs: readonly string[],
  place: SessionReference,
): Promise<void> => {
  const name = toSessionName(host, place);
  if (host.sessionRuns.get(name)?.active.has(runId) === true) throw busy(runId);
  host.sessionRuns.set(name, { runs, active: new Set([runId]) });
  await host.executors.resetSession(name);
  for (const earlier of runs) {
    const outcome = await replayInSession(host, earlier, place).catch((thrown: unknown) => ({
      before: "",
      now: toCoordinatorError(thrown).message,
    }));
    if (outcome.before === outcome.now) continue;
    host.sessionRuns.delete(name);
    await host.executors.resetSession(name);
    throw toLostError(session, `the run "${earlier}" before it cannot be repeated (${outcome.now})`);
  }
};

/** Throws SESSION_LOST before the session changes. */
const checkRepeatable = async (
  host: Host,
  session: string,
  before: readonly string[],
  workspace: string | undefined,
): Promise<void> => {
  const { runs } = await host.openWorkspace(workspace);
  for (const earlier of before) {
    const { recorded } = await runs.read(earlier).catch((thrown: unknown) => {
      const { message } = toCoordinatorError(thrown);
      throw toLostError(session, `the run "${earlier}" before it cannot be repeated (${message})`);
    });
    if (recorded.status !== "completed" && recorded.status !== "failed")
      throw toLostError(
        session,
        `the run "${earlier}" before it is ${recorded.status}, and cannot be repeated`,
      );
  }
};

/** Whether other programs have used the session since the run began. */
const hasMovedOn = async (
  host: Host,
  { session = "", runId, at }: RecordedRun["started"],
  before: readonly string[],
  workspace: string | undefined,
): Promise<boolean> => {
  const history = findHistory(host, { session, workspace });
  if (history !== undefined) return history.runs.at(-1) !== runId;
  const { sessions } = await host.openWorkspace(workspace);
  const log = await sessions.read(session).catch(() => undefined);
  // A log may be written long after the next run has begun.
  const isOlder = (task: SessionTask): boolean =>
    task.run_id === runId || before.includes(task.run_id ?? "") || task.timestamp <= at;
  return log?.tasks.every(isOlder) === false;
};
