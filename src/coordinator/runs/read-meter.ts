// Reads a run's meter, once it is counted.
import type { RunMeter } from "../../contracts/index.js";
import type { Host } from "../host/host.js";

export const readMeter = (host: Host, { runId }: { readonly runId: string }): Promise<RunMeter | undefined> =>
  host.ledger.read(runId);
