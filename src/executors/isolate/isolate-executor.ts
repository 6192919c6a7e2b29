// The default TypeScript sandbox: a fresh V8 isolate for each run, in a child process that can read nothing and start nothing.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Executor, ExecutorReport, Limits } from "../../contracts/index.js";
import { toCoordinatorError } from "../../contracts/index.js";
import { spawnChannel } from "../guest-channel.js";
import { openPooledExecutor } from "../pooled-executor.js";
import { findEngine } from "./find-engine.js";

export interface IsolateExecutorOptions {
  readonly limits: Limits;
}

const childFile = fileURLToPath(new URL("./child.mjs", import.meta.url));
const executorsFolder = dirname(dirname(childFile));

/** Opens the executor; no process is started before `warm` or the first run. */
export const openIsolateExecutor = ({ limits }: IsolateExecutorOptions): Executor => {
  let addon: string | undefined;
  return openPooledExecutor({
    name: "isolate",
    languages: ["typescript"],
    limits,
    openChannel: () => {
      addon ??= findEngine();
      const permissions = [
        "--permission",
        "--allow-addons",
        `--allow-fs-read=${executorsFolder}/*`,
        `--allow-fs-read=${addon}`,
      ];
      return spawnChannel({
        command: process.execPath,
        // The engine's isolates cannot be made beside Node's own start-up snapshot.
        args: [
          "--no-node-snapshot",
          "--no-warnings",
          ...permissions,
          childFile,
          addon,
          String(limits.memoryMb),
        ],
      });
    },
    inspect,
  });
};

const inspect = async (): Promise<ExecutorReport> => {
  const walls = ["V8 isolate", "own process", "empty environment", "Node permission model"];
  const gaps = ["timing side channels between runs on one machine"];
  try {
    findEngine();
    return { isAvailable: true, walls, gaps };
  } catch (thrown) {
    const { message, hint } = toCoordinatorError(thrown);
    return { isAvailable: false, reason: message, fix: hint, walls, gaps };
  }
};
