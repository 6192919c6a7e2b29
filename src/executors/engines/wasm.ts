// The TypeScript sandbox that runs everywhere: a fresh QuickJS in WebAssembly for each run, in a child process that can read nothing.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { CoordinatorError, type Executor, type Limits } from "../../contracts/index.js";
import { openProcessExecutor } from "../host/process-executor.js";
import { memoryGap, sharedGaps, toNodeEngine } from "../walls/walled-node.js";
import type { WantedWalls } from "../walls/walls.js";
import { executorsFolder, findUrlModule } from "./guest-files.js";

export interface WasmExecutorOptions {
  readonly limits: Limits;
  /** The operating system's walls. @default "auto": all that this machine offers */
  readonly walls?: WantedWalls | undefined;
}

const require = createRequire(import.meta.url);
const childFile = fileURLToPath(new URL("../guests/typescript/wasm-child.mjs", import.meta.url));

/** Room below for the whole stack of the engine; on Windows the stack size of a process is fixed at link time. */
const stackFlags = process.platform === "win32" ? [] : ["--stack-size=2600"];

/** No process is started before `warm` or the first run. */
export const openWasmExecutor = ({ limits, walls = "auto" }: WasmExecutorOptions): Executor =>
  openProcessExecutor({
    limits,
    engine: toNodeEngine({
      name: "wasm",
      languages: ["typescript"],
      engineWall: "WebAssembly memory",
      engineGaps: [...sharedGaps, memoryGap],
      describeNode: () => {
        const engineFolder = findQuickJs();
        const urlModule = findUrlModule();
        return {
          walls,
          // WebAssembly is compiled: it does not run without machine code.
          isJitless: false,
          // A sandbox that grew is released when the process says so, not when its garbage collector gets to it.
          flags: ["--expose-gc", ...stackFlags],
          file: childFile,
          readable: [`${executorsFolder}/`, `${engineFolder}/`, urlModule],
          args: [engineFolder, String(limits.memoryMb), urlModule],
        };
      },
    }),
  });

/** The folder of the engine's package. Throws SANDBOX_UNAVAILABLE if it is not installed. */
const findQuickJs = (): string => {
  try {
    return dirname(require.resolve("quickjs-wasi/package.json"));
  } catch (cause) {
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      'Cannot start the sandbox "wasm": the package "quickjs-wasi" is not installed',
      { cause, hint: 'Run "npm install" again to install the optional package "quickjs-wasi".' },
    );
  }
};
