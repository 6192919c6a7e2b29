// What it would do to ask the workspace, the skills or the kept values the same again, so that a run that goes on does not.
import {
  type CallEffect,
  type GuestCall,
  keptServer,
  skillsServer,
  workspaceServer,
} from "../contracts/index.js";

const effects: ReadonlyMap<string, CallEffect> = new Map<string, CallEffect>([
  ...["read", "readdir", "stat", "exists", "memoryLoad", "memoryList", "memoryInfo", "getState"].map(
    (name) => [name, "read"] as const,
  ),
  ...["memorySave", "saveState", "copyFile"].map((name) => [name, "idempotent"] as const),
  // In the name of a write may be that nothing was there before; what was removed or replaced is no longer what it was.
  ...["write", "append", "mkdir", "rm", "rmdir", "rename", "memoryReplace", "memoryDelete"].map(
    (name) => [name, "write"] as const,
  ),
]);

/** Undefined for what is not journalled: a file that comes in parts is written again, from its first part to its last. */
export const toWorkspaceEffect = (name: string): CallEffect | undefined => effects.get(name);

/** Programs only save skills; everything else looks for them. */
export const toSkillEffect = (name: string): CallEffect => (name === "save" ? "write" : "read");

/** A kept value never changes: only keeping one gives something new, its id. Artifacts are listed anew by every attempt. */
export const toKeptEffect = (name: string): CallEffect | undefined =>
  name === "keep" ? "idempotent" : undefined;

/** Whether something lasts of it: in the workspace, among the skills or the kept values. */
export const isLasting = ({ server, tool }: Pick<GuestCall, "server" | "tool">): boolean => {
  if (server === workspaceServer) return toWorkspaceEffect(tool) !== "read";
  if (server === skillsServer) return toSkillEffect(tool) === "write";
  return server === keptServer && (tool === "keep" || tool === "artifact");
};
