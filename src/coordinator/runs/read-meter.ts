// Reads a run's meter, and waits for it when it is still being counted.
import type { RunMeter } from "../../contracts/index.js";
import type { Host } from "../host/host.js";

export const readMeter = (host: Host, { runId }: { readonly runId: string }): Promise<RunMeter | undefined> =>
  host.ledger.read(runId);
