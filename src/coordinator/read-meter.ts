// Reads a run's meter, and waits for it when it is still being counted.
import type { RunMeter } from "../contracts/index.js";
import type { Rooms } from "./opening/rooms.js";

export const readMeter = (
  rooms: Rooms,
  { runId }: { readonly runId: string },
): Promise<RunMeter | undefined> => rooms.ledger.read(runId);
