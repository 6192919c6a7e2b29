// The time of one warm check: a program of 30 lines with one server of 500 tools, and with all servers.
import { readdirSync, readFileSync } from "node:fs";

const rounds = 60;

/** Resident memory of this process's children, in MB, if the system reports it. */
export const readChildMemory = () => {
  try {
    return readdirSync("/proc/self/task")
      .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(" "))
      .filter((id) => id !== "")
      .map(
        (id) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0) / 1024,
      );
  } catch {
    return [];
  }
};

/** Milliseconds of every round, the first left out. `tools` are called in the program. */
export const measureSpeed = async ({ servers, identifiers, tools, check, toLongProgram }) => {
  const times = [];
  for (let round = 0; round <= rounds; round++) {
    const text = toLongProgram(tools, round);
    const start = performance.now();
    const { diagnostics } = await check({ text, servers, identifiers });
    times.push(performance.now() - start);
    if (diagnostics.length > 0)
      throw new Error(`A correct program was not passed: ${diagnostics[0].message}`);
  }
  const [first, ...warm] = times;
  return { first, warm };
};
