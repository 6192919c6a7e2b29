// Lists the guest state that is kept between runs, and forgets it.
import type { SessionFacts } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import { toSessionName } from "../workspaces/open-workspace.js";

export const listSessions = async (host: Host): Promise<readonly SessionFacts[]> => host.executors.sessions();

/** False when there was none of that name. */
export const resetSession = async (
  host: Host,
  request: { readonly session: string; readonly workspace?: string | undefined },
): Promise<boolean> => {
  const name = toSessionName(host, request);
  host.declared.delete(name);
  return host.executors.resetSession(name);
};
