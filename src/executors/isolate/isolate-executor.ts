// The default TypeScript sandbox: a fresh V8 isolate for each run, in a child process that can read nothing and start nothing.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Executor, ExecutorReport, Limits } from "../../contracts/index.js";
import { toCoordinatorError } from "../../contracts/index.js";
import { findUrlModule } from "../find-url-module.js";
import { openWalledNode, type WalledNode } from "../os-wall/walled-node.js";
import type { WantedWalls } from "../os-wall/walls.js";
import { openPooledExecutor } from "../pooled-executor.js";
import { findEngine } from "./find-engine.js";

export interface IsolateExecutorOptions {
  readonly limits: Limits;
  /** The operating system's walls. @default "auto": every one that this machine offers */
  readonly walls?: WantedWalls;
  /** No machine code is made from programs: slower, and bugs of the compiler are out of reach. @default false */
  readonly jitless?: boolean;
}

const childFile = fileURLToPath(new URL("./child.mjs", import.meta.url));
const executorsFolder = dirname(dirname(childFile));

const flags = [
  // The engine's isolates cannot be made beside Node's own start-up snapshot.
  "--no-node-snapshot",
  // The engine gives isolates a quarter of the nursery that Node itself has: programs that make many objects would pay for it.
  "--max-semi-space-size=32",
  "--min-semi-space-size=16",
];

/** Opens the executor; no process is started before `warm` or the first run. */
export const openIsolateExecutor = ({
  limits,
  walls = "auto",
  jitless = false,
}: IsolateExecutorOptions): Executor => {
  let node: WalledNode | undefined;
  const openNode = (): WalledNode => {
    const addon = findEngine();
    const urlModule = findUrlModule();
    return openWalledNode({
      walls,
      isJitless: jitless,
      flags,
      file: childFile,
      readable: [`${executorsFolder}/`, addon, urlModule],
      args: [addon, String(limits.memoryMb), urlModule],
    });
  };
  const nodeOf = (): WalledNode => {
    node ??= openNode();
    return node;
  };
  return {
    ...openPooledExecutor({
      name: "isolate",
      languages: ["typescript"],
      limits,
      openChannel: () => nodeOf().start(),
      inspect: async () => inspect(nodeOf),
    }),
    // Not remembered: the first start tells more than can be known before it.
    inspect: async () => inspect(nodeOf),
  };
};

const engineGaps = [
  "timing side channels between runs on one machine",
  "memory beyond the engine's own limit is looked at every 50 ms, not capped by the kernel",
];

const inspect = (nodeOf: () => WalledNode): ExecutorReport => {
  try {
    const { walls, gaps, ...lacks } = nodeOf().describe();
    return { isAvailable: true, walls: ["V8 isolate", ...walls], gaps: [...gaps, ...engineGaps], ...lacks };
  } catch (thrown) {
    const { message, hint } = toCoordinatorError(thrown);
    return { isAvailable: false, reason: message, fix: hint, walls: [], gaps: [] };
  }
};
