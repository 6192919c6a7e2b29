// Lists the guest state that is kept between runs, and forgets it.
import type { SessionFacts } from "../contracts/index.js";
import type { Rooms } from "./opening/rooms.js";
import { toSessionName } from "./running/open-workspace.js";

export const listSessions = async (rooms: Rooms): Promise<readonly SessionFacts[]> =>
  rooms.executors.sessions();

/** False when there was none of that name. */
export const resetSession = async (
  rooms: Rooms,
  request: { readonly session: string; readonly workspace?: string | undefined },
): Promise<boolean> => {
  const name = toSessionName(rooms, request);
  rooms.declared.delete(name);
  return rooms.executors.resetSession(name);
};
