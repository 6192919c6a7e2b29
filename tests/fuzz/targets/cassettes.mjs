// Cassettes: recordings of runs that somebody else made.
import { openHost } from "../open-host.mjs";

export const openTarget = async () => {
  const { coordinator } = await openHost();
  return { take: (cassette) => coordinator.replayRun({ cassette, limits: { timeoutMs: 500 } }) };
};
