// A guest gives way to its host and to the people at the machine: both have to answer at once, a program has not.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/** In the system's count of niceness, where 19 gives way to everything. */
const niceness = 10;
/**
 * Of threads that compile and collect for the one that runs the program: it must not wait for them. They get half of what it gets,
 * and not less: engines in WebAssembly are slow for as long as these have not come to work.
 */
const helperNiceness = 13;

/** Where the system does not let us, everything is as before. */
const attempt = (work: () => void): void => {
  try {
    work();
  } catch {
    // A guest that is as urgent as its host is slower to serve, and nothing else.
  }
};

const readGroup = (processId: number | "self"): string | undefined =>
  readFileSync(`/proc/${processId}/autogroup`, "utf8").split(" ")[0];

/** Linux may share the processor between sessions first. One that is the host's too must stay as urgent as it is. */
const putBackSession = (processId: number): void => {
  if (readGroup(processId) !== readGroup("self"))
    writeFileSync(`/proc/${processId}/autogroup`, String(niceness));
};

/** On Linux every thread has a niceness of its own. */
const putBackHelpers = (processId: number): void => {
  for (const thread of readdirSync(`/proc/${processId}/task`).map(Number))
    if (thread !== processId) setPriority(thread, helperNiceness);
};

/** What runs alone on its processor runs as fast as ever. */
export const standBack = (processId: number | undefined): void => {
  if (processId === undefined) return;
  attempt(() => setPriority(processId, niceness));
  if (process.platform !== "linux") return;
  attempt(() => putBackHelpers(processId));
  attempt(() => putBackSession(processId));
};
