// Recordings of runs from an untrusted source.
import { openHost } from "../open-host.mjs";

export const openTarget = async () => {
  const { coordinator } = await openHost();
  return { take: (cassette) => coordinator.replayRun({ cassette, limits: { timeoutMs: 500 } }) };
};
