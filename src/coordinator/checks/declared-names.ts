// Names that the programs of a session declared. They shadow servers of the same name.
import type { PreparedProgram } from "../../checker/index.js";
import type { RunRequest } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { toSessionName } from "../workspaces/open-workspace.js";

type Place = Pick<RunRequest, "session" | "workspace">;

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
