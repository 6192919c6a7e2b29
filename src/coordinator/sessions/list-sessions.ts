// Lists the sessions in memory and resets them.
import type { SessionFacts } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { toSessionName } from "../workspaces/open-workspace.js";

export const listSessions = async (host: Host): Promise<readonly SessionFacts[]> => host.executors.sessions();

/** Returns false if there is no such session. */
export const resetSession = async (
  host: Host,
  request: { readonly session: string; readonly workspace?: string | undefined },
): Promise<boolean> => {
  const name = toSessionName(host, request);
  host.declared.delete(name);
  return host.executors.resetSession(name);
};
