// The state of a session: the runs that produced it, for a resumed run to start from, and the names that its programs declared.
import type { PreparedProgram } from "../../checker/index.js";
import type { RunRequest } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { toSessionName } from "../workspaces/workspaces.js";

export interface SessionHistory {
  /** In start order. */
  runs: readonly string[];
  /** Runs in progress. */
  readonly active: Set<string>;
}

type Place = Pick<RunRequest, "session" | "workspace">;

/** Undefined if no guest process has the session: its state is lost. */
export const findHistory = (host: Host, { session, workspace }: Place): SessionHistory | undefined => {
  if (session === undefined) return undefined;
  const name = toSessionName(host, { session, workspace });
  const known = host.sessionRuns.get(name);
  if (known === undefined) return undefined;
  const isAlive = known.active.size > 0 || host.executors.sessions().some((one) => one.name === name);
  return isAlive ? known : undefined;
};

/** Records a run that is about to start. Returns the runs before it, or undefined outside a session. */
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

/** The words of a program that earlier programs of its session declared. */
export const readDeclared = (
  host: Host,
  { session, workspace }: Place,
  { words }: PreparedProgram,
): readonly string[] => {
  if (session === undefined) return [];
  const declared = host.declared.get(toSessionName(host, { session, workspace })) ?? [];
  return [...declared].filter((name) => words.has(name));
};

/** Also for a failed program: what it declared before failing exists. */
export const noteDeclared = (host: Host, { session, workspace }: Place, program: PreparedProgram): void => {
  if (session === undefined) return;
  const name = toSessionName(host, { session, workspace });
  host.declared.set(name, new Set([...(host.declared.get(name) ?? []), ...program.declares]));
};
