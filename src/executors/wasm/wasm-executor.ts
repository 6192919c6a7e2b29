// The TypeScript sandbox that runs everywhere: a fresh QuickJS in WebAssembly for each run, in a child process that can read nothing.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Executor, ExecutorReport, Limits } from "../../contracts/index.js";
import { toCoordinatorError } from "../../contracts/index.js";
import { findUrlModule } from "../find-url-module.js";
import { openWalledNode, type WalledNode } from "../os-wall/walled-node.js";
import type { WantedWalls } from "../os-wall/walls.js";
import { openPooledExecutor } from "../pooled-executor.js";
import { findEngine } from "./find-engine.js";

export interface WasmExecutorOptions {
  readonly limits: Limits;
  /** The operating system's walls. @default "auto": every one that this machine offers */
  readonly walls?: WantedWalls;
}

const childFile = fileURLToPath(new URL("./child.mjs", import.meta.url));
const executorsFolder = dirname(dirname(childFile));

/** Room below for the whole stack of the engine; Windows gives a process no more than it was linked with. */
const stackFlags = process.platform === "win32" ? [] : ["--stack-size=2600"];

/** Opens the executor; no process is started before `warm` or the first run. */
export const openWasmExecutor = ({ limits, walls = "auto" }: WasmExecutorOptions): Executor => {
  let node: WalledNode | undefined;
  const openNode = (): WalledNode => {
    const engineFolder = findEngine();
    const urlModule = findUrlModule();
    return openWalledNode({
      walls,
      // WebAssembly is compiled: without machine code there is none.
      isJitless: false,
      // A sandbox that grew is given back when the process says so, not when its collector gets to it.
      flags: ["--expose-gc", ...stackFlags],
      file: childFile,
      readable: [`${executorsFolder}/`, `${engineFolder}/`, urlModule],
      args: [engineFolder, String(limits.memoryMb), urlModule],
    });
  };
  const nodeOf = (): WalledNode => {
    node ??= openNode();
    return node;
  };
  return {
    ...openPooledExecutor({
      name: "wasm",
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
    return {
      isAvailable: true,
      walls: ["WebAssembly memory", ...walls],
      gaps: [...gaps, ...engineGaps],
      ...lacks,
    };
  } catch (thrown) {
    const { message, hint } = toCoordinatorError(thrown);
    return { isAvailable: false, reason: message, fix: hint, walls: [], gaps: [] };
  }
};
