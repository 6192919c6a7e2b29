// Which runs made the state of a session as its guest process has it now: a run that is resumed begins with the same state again.
import type { RunRequest } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { toSessionName } from "../workspaces/open-workspace.js";

export interface SessionHistory {
  /** In the order in which they began. */
  runs: readonly string[];
  /** Runs that have not ended. */
  readonly active: Set<string>;
}

type Place = Pick<RunRequest, "session" | "workspace">;

/** Undefined when no guest process has the session: its state is gone. */
export const findHistory = (host: Host, { session, workspace }: Place): SessionHistory | undefined => {
  if (session === undefined) return undefined;
  const name = toSessionName(host, { session, workspace });
  const known = host.sessionRuns.get(name);
  if (known === undefined) return undefined;
  const isAlive = known.active.size > 0 || host.executors.sessions().some((one) => one.name === name);
  return isAlive ? known : undefined;
};

/** Notes a run that is about to start. Gives the runs before it; undefined outside of a session. */
export const beginSessionRun = (host: Host, place: Place, runId: string): readonly string[] | undefined => {
  const { session, workspace } = place;
  if (session === undefined) return undefined;
  const history = findHistory(host, place) ?? { runs: [], active: new Set() };
  const before = history.runs;
  history.runs = [...before.filter((one) => one !== runId), runId];
  history.active.add(runId);
  host.sessionRuns.set(toSessionName(host, { session, workspace }), history);
  return before;
};

export const endSessionRun = (host: Host, { session, workspace }: Place, runId: string): void => {
  if (session === undefined) return;
  host.sessionRuns.get(toSessionName(host, { session, workspace }))?.active.delete(runId);
};
