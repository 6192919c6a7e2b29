// A guest gives way to its host and to the people at the machine: both have to answer at once, a program has not.
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/** In the system's count of niceness, where 19 gives way to everything. */
const niceness = 10;

/** Where the system does not let us, everything is as before. */
const attempt = (work: () => void): void => {
  try {
    work();
  } catch {
    // A guest that is as urgent as its host is slower to serve, and nothing else.
  }
};

/** What runs alone on its processor runs as fast as ever. */
export const standBack = (processId: number | undefined): void => {
  if (processId === undefined) return;
  attempt(() => setPriority(processId, niceness));
  // Linux may share the processor between sessions first, and a sandbox has one of its own.
  if (process.platform === "linux")
    attempt(() => writeFileSync(`/proc/${processId}/autogroup`, String(niceness)));
};
