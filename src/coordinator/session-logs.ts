// What named sessions did, and how another process goes on with one.
import {
  type Json,
  type SessionCheckpoint,
  type SessionLog,
  toCoordinatorError,
} from "../contracts/index.js";
import type { SessionReference } from "./durable-verbs.js";
import { recordRun } from "./export-run.js";
import type { Rooms } from "./opening/rooms.js";
import { performRun } from "./run-code.js";
import { toSessionName } from "./running/open-workspace.js";
import { openCassetteJournal } from "./running/resumed-journal.js";

export const listSessionLogs = async (
  rooms: Rooms,
  { workspace }: { readonly workspace?: string } = {},
): Promise<readonly SessionLog[]> => {
  await rooms.kept.flush();
  return (await rooms.workspaces.open(workspace)).sessions.list();
};

export const showSession = async (
  rooms: Rooms,
  { session, workspace }: SessionReference,
): Promise<SessionLog> => {
  await rooms.kept.flush();
  return (await rooms.workspaces.open(workspace)).sessions.read(session);
};

export const saveCheckpoint = async (
  rooms: Rooms,
  {
    session,
    workspace,
    ...checkpoint
  }: SessionReference & { readonly step: string | number; readonly context?: Json },
): Promise<SessionCheckpoint> => {
  await rooms.kept.flush();
  return (await rooms.workspaces.open(workspace)).sessions.saveCheckpoint(session, checkpoint);
};

/** Runs the session's completed programs again, each against its own recording, in a guest of this process. */
export const resumeSession = async (
  rooms: Rooms,
  request: SessionReference,
): Promise<{ readonly log: SessionLog; readonly replayed: number }> => {
  const { session, workspace } = request;
  const log = await showSession(rooms, request);
  await rooms.executors.resetSession(toSessionName(rooms, { session, workspace }));
  const { runs } = await rooms.workspaces.open(workspace);
  const inWorkspace = workspace === undefined ? {} : { workspace };
  let replayed = 0;
  for (const { run_id: runId } of log.tasks) {
    if (runId === undefined) continue;
    const reader = await runs.read(runId).catch((thrown: unknown) => {
      // The oldest runs are removed after a while: what they left in the session is gone with them.
      if (toCoordinatorError(thrown).code === "RUN_UNKNOWN") return undefined;
      throw thrown;
    });
    if (reader?.journal.status !== "completed") continue;
    const cassette = await runs.openCassette(await recordRun(rooms, { runId, ...inWorkspace }));
    const run = {
      ...cassette.rights,
      code: cassette.code,
      language: cassette.language,
      session,
      ...inWorkspace,
      isChecked: false,
    };
    const { status } = await performRun(rooms, run, openCassetteJournal(runId, cassette), { isTest: true });
    if (status === "completed") replayed++;
  }
  return { log, replayed };
};
