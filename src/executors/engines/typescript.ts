// The TypeScript sandboxes, each in a child process that can read nothing and start nothing: `isolate`, the default, with a fresh V8 isolate for
// each run, and `wasm`, which runs everywhere, with a fresh QuickJS in WebAssembly.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { CoordinatorError, type Executor, type Limits } from "../../contracts/index.js";
import { openProcessExecutor } from "../host/process-executor.js";
import { memoryGap, sharedGaps, toNodeEngine } from "../walls/walled-node.js";
import type { WantedWalls } from "../walls/walls.js";
import { executorsFolder, findUrlModule } from "./guest-files.js";

interface NodeExecutorOptions {
  readonly limits: Limits;
  /** The operating system's walls. @default "auto": all that this machine offers */
  readonly walls?: WantedWalls | undefined;
}

export interface IsolateExecutorOptions extends NodeExecutorOptions {
  /** Generates no machine code from programs: slower, but compiler bugs are out of reach. @default false */
  readonly jitless?: boolean | undefined;
}

const require = createRequire(import.meta.url);
const isolateChild = fileURLToPath(new URL("../guests/typescript/isolate-child.mjs", import.meta.url));

const isolateFlags = [
  // The engine cannot create isolates next to Node's own startup snapshot.
  "--no-node-snapshot",
  // A separate hash seed would make fresh isolates slower (`npm run bench -- sandboxes`); a program that floods a table slows only itself.
  "--no-rehash-snapshot",
  // The process itself creates few long-lived objects: a large nursery would only fill with garbage (`npm run bench -- memory`).
  "--max-semi-space-size=1",
];

/** No process is started before `warm` or the first run. */
export const openIsolateExecutor = ({
  limits,
  walls = "auto",
  jitless = false,
}: IsolateExecutorOptions): Executor =>
  openProcessExecutor({
    limits,
    engine: toNodeEngine({
      name: "isolate",
      languages: ["typescript"],
      engineWall: "V8 isolate",
      engineGaps: [...sharedGaps, memoryGap],
      describeNode: () => {
        const addon = findIsolateAddon();
        const urlModule = findUrlModule();
        return {
          walls,
          isJitless: jitless,
          flags: isolateFlags,
          file: isolateChild,
          readable: [`${executorsFolder}/`, addon, urlModule],
          args: [addon, String(limits.memoryMb), urlModule],
        };
      },
    }),
  });

/** The engine's addon for this Node: isolated-vm 7 supports Node 24 and 26, 6.2 supports Node 22. Throws SANDBOX_UNAVAILABLE if none fits. */
export const findIsolateAddon = (): string => {
  const nodeMajor = Number(process.versions.node.split(".")[0]);
  const packageName = nodeMajor >= 24 ? "isolated-vm" : "isolated-vm-node22";
  try {
    const folder = dirname(require.resolve(`${packageName}/package.json`));
    const findBinary: { path: (folder: string) => string } = createRequire(`${folder}/package.json`)(
      "node-gyp-build",
    );
    return findBinary.path(folder);
  } catch (cause) {
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      `Cannot start the sandbox "isolate": no engine for Node ${process.versions.node} on ${process.platform}-${process.arch}`,
      {
        cause,
        hint: `Run "npm install" again, with Node 22, 24 or 26, to install the optional package "${packageName}".`,
      },
    );
  }
};

const wasmChild = fileURLToPath(new URL("../guests/typescript/wasm-child.mjs", import.meta.url));

/** Room below for the whole stack of the engine; on Windows the stack size of a process is fixed at link time. */
const stackFlags = process.platform === "win32" ? [] : ["--stack-size=2600"];

/** No process is started before `warm` or the first run. */
export const openWasmExecutor = ({ limits, walls = "auto" }: NodeExecutorOptions): Executor =>
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
          file: wasmChild,
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
