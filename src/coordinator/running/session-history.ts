// Which runs made the state of a session as its guest process has it now: a run that is resumed begins with the same state again.
import type { RunRequest } from "../../contracts/index.js";
import type { Rooms } from "../opening/rooms.js";
import { toSessionName } from "./open-workspace.js";

export interface SessionHistory {
  /** In the order in which they began. */
  runs: readonly string[];
  /** Runs that have not ended. */
  readonly active: Set<string>;
}

type Place = Pick<RunRequest, "session" | "workspace">;

/** Undefined when no guest process has the session: its state is gone. */
export const findHistory = (rooms: Rooms, { session, workspace }: Place): SessionHistory | undefined => {
  if (session === undefined) return undefined;
  const name = toSessionName(rooms, { session, workspace });
  const known = rooms.sessionRuns.get(name);
  if (known === undefined) return undefined;
  const isAlive = known.active.size > 0 || rooms.executors.sessions().some((one) => one.name === name);
  return isAlive ? known : undefined;
};

/** Notes a run that is about to start. Gives the runs before it; undefined outside of a session. */
export const beginSessionRun = (rooms: Rooms, place: Place, runId: string): readonly string[] | undefined => {
  const { session, workspace } = place;
  if (session === undefined) return undefined;
  const history = findHistory(rooms, place) ?? { runs: [], active: new Set() };
  const before = history.runs;
  history.runs = [...before.filter((one) => one !== runId), runId];
  history.active.add(runId);
  rooms.sessionRuns.set(toSessionName(rooms, { session, workspace }), history);
  return before;
};

export const endSessionRun = (rooms: Rooms, { session, workspace }: Place, runId: string): void => {
  if (session === undefined) return;
  rooms.sessionRuns.get(toSessionName(rooms, { session, workspace }))?.active.delete(runId);
};
