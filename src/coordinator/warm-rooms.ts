// Starts ahead what the first program needs: the sandbox, the compiler, the verb itself. Never a server.
import { warmChecker } from "../checker/index.js";
import type { Rooms } from "./rooms.js";

export const warmRooms = async (rooms: Rooms): Promise<void> => {
  rooms.executor.warm();
  await Promise.all([warmChecker(), import("./run-code.js")]);
};
