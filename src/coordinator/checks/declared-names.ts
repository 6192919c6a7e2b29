// What the programs of a session declared: their own names come before servers of the same name.
import type { PreparedProgram } from "../../checker/index.js";
import type { RunRequest } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { toSessionName } from "../workspaces/open-workspace.js";

type Place = Pick<RunRequest, "session" | "workspace">;

/** Which of a program's words earlier programs of its session declared. */
export const readDeclared = (
  host: Host,
  { session, workspace }: Place,
  { words }: PreparedProgram,
): readonly string[] => {
  if (session === undefined) return [];
  const declared = host.declared.get(toSessionName(host, { session, workspace })) ?? [];
  return [...declared].filter((name) => words.has(name));
};

/** Also of a program that failed: what it declared before is there. */
export const noteDeclared = (host: Host, { session, workspace }: Place, program: PreparedProgram): void => {
  if (session === undefined) return;
  const name = toSessionName(host, { session, workspace });
  host.declared.set(name, new Set([...(host.declared.get(name) ?? []), ...program.declares]));
};
