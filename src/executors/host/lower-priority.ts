// Lowers the priority of guests: the host and interactive users need quick responses, a program does not.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/** Unix niceness, where 19 yields to everything. */
const niceness = 10;
/**
 * For threads that compile and collect garbage for the main thread, which must not wait for them. They get half its share and
 * no less: WebAssembly engines are slow until these threads have run.
 */
const helperNiceness = 13;

/** If the system refuses, priorities stay as they are. */
const attempt = (work: () => void): void => {
  try {
    work();
  } catch {
    // A guest with the host's priority only makes the host slower.
  }
};

const readGroup = (processId: number | "self"): string | undefined =>
  readFileSync(`/proc/${processId}/autogroup`, "utf8").split(" ")[0];

/** Linux may first divide the processor between sessions. A session shared with the host must keep its priority. */
const lowerSession = (processId: number): void => {
  if (readGroup(processId) !== readGroup("self"))
    writeFileSync(`/proc/${processId}/autogroup`, String(niceness));
};

/** On Linux every thread has its own niceness. */
const lowerHelpers = (processId: number): void => {
  for (const thread of readdirSync(`/proc/${processId}/task`).map(Number))
    if (thread !== processId) setPriority(thread, helperNiceness);
};

/** A thread alone on its processor runs at full speed. */
export const lowerPriority = (processId: number | undefined): void => {
  if (processId === undefined) return;
  attempt(() => setPriority(processId, niceness));
  if (process.platform !== "linux") return;
  attempt(() => lowerHelpers(processId));
  attempt(() => lowerSession(processId));
};
