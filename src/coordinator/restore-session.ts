// Brings the state of a session back: its programs run again, each against its own journal, and nothing is called.
import { CoordinatorError, type Journal, type SessionTask, toCoordinatorError } from "../contracts/index.js";
import type { Rooms } from "./opening/rooms.js";
import { fromJournaledRights } from "./running/journaled-rights.js";
import { toSessionName } from "./running/open-workspace.js";
import { openCassetteJournal } from "./running/resumed-journal.js";
import { findHistory } from "./running/session-history.js";
import { runCode } from "./runs/run-code.js";

interface ReplayPlace {
  readonly session: string;
  readonly workspace?: string | undefined;
}

/** Runs one program again in a session. Gives how it ended, then and now. */
export const replayInSession = async (
  rooms: Rooms,
  runId: string,
  { session, workspace }: ReplayPlace,
): Promise<{ readonly before: string; readonly now: string }> => {
  const inWorkspace = workspace === undefined ? {} : { workspace };
  const { runs } = await rooms.workspaces.open(workspace);
  const { journal } = await runs.read(runId);
  if (journal.status !== "completed" && journal.status !== "failed")
    return { before: journal.status, now: "not replayed" };
  const cassette = await runs.openCassette(await runs.exportCassette(runId));
  const run = {
    ...fromJournaledRights(cassette.rights, "resume"),
    staysWithinManifest: false,
    code: cassette.code,
    language: cassette.language,
    session,
    ...inWorkspace,
    isChecked: false,
  };
  const { status } = await runCode(rooms, run, {
    openJournal: () => openCassetteJournal(runId, cassette),
    isTest: true,
  });
  return { before: journal.status, now: status };
};

const lost = (session: string, why: string): CoordinatorError =>
  new CoordinatorError("SESSION_LOST", `Cannot resume the run in the session "${session}": ${why}`);

/**
 * Makes a session what it was before a run that is about to be resumed, and gives the session that it runs in.
 * Where other programs have used the session since, that is a copy: what they left stays as it is.
 */
export const restoreSession = async (
  rooms: Rooms,
  { started }: Journal,
  workspace: string | undefined,
): Promise<string | undefined> => {
  const { session, runId, rights } = started;
  if (session === undefined) return undefined;
  if (!Array.isArray(rights.sessionRuns))
    throw lost(session, "its journal does not say which runs came before it");
  const before = rights.sessionRuns.map(String);
  const place = {
    session: (await hasMovedOn(rooms, started, before, workspace)) ? `resume-${runId}` : session,
    workspace,
  };
  const name = toSessionName(rooms, place);
  const end = async (): Promise<void> => {
    rooms.sessionRuns.delete(name);
    await rooms.executors.resetSession(name);
  };
  await end();
  for (const earlier of before) {
    const outcome = await replayInSession(rooms, earlier, place).catch((thrown: unknown) => ({
      before: "",
      now: toCoordinatorError(thrown).message,
    }));
    if (outcome.before === outcome.now) continue;
    await end();
    throw lost(
      session,
      outcome.now === "not replayed"
        ? `the run "${earlier}" before it is ${outcome.before}, and cannot be repeated`
        : `the run "${earlier}" before it cannot be repeated (${outcome.now})`,
    );
  }
  rooms.sessionRuns.set(name, { runs: before, active: new Set() });
  return place.session;
};

/** Whether other programs have used the session since the run began. */
const hasMovedOn = async (
  rooms: Rooms,
  { session = "", runId, at }: Journal["started"],
  before: readonly string[],
  workspace: string | undefined,
): Promise<boolean> => {
  const history = findHistory(rooms, { session, ...(workspace === undefined ? {} : { workspace }) });
  if (history !== undefined) return history.runs.at(-1) !== runId;
  const { sessions } = await rooms.workspaces.open(workspace);
  const log = await sessions.read(session).catch(() => undefined);
  // A log is written after its run, perhaps long after the next one began.
  const isOlder = (task: SessionTask): boolean =>
    task.run_id === runId || before.includes(task.run_id ?? "") || task.timestamp <= at;
  return log?.tasks.every(isOlder) === false;
};
