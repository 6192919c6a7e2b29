// Python without any setup: CPython compiled to WebAssembly, one process for each run, behind the operating system's walls.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Executor, Limits } from "../../../contracts/index.js";
import { deferChannel } from "../../host/deferred-channel.js";
import { openWalledExecutor, sharedGaps } from "../../host/walled-executor.js";
import { openWalledNode, type WalledNode } from "../../walls/walled-node.js";
import type { WantedWalls } from "../../walls/walls.js";
import { dataLibraries } from "../python/interpreter.js";
import { findEngine } from "./find-engine.js";
import { openSnapshot, type Snapshot } from "./snapshot.js";

export interface PythonLiteExecutorOptions {
  readonly limits: Limits;
  /** The operating system's walls. @default "auto": all that this machine offers */
  readonly walls?: WantedWalls | undefined;
  /** Where the interpreter snapshot is stored. @default the user's cache folder */
  readonly cacheFolder?: string | undefined;
}

const childFile = fileURLToPath(new URL("../../guests/python-lite/child.mjs", import.meta.url));
const guestFile = fileURLToPath(new URL("../../guests/python-lite/guest.py", import.meta.url));
const executorsFolder = dirname(dirname(dirname(childFile)));
const worldFolder = join(executorsFolder, "guests", "python", "guest_world");

/** No process is started before `warm` or the first run. */
export const openPythonLiteExecutor = (options: PythonLiteExecutorOptions): Executor => {
  const { limits, walls = "auto", cacheFolder } = options;
  let launcher: Launcher | undefined;
  const getLauncher = (): Launcher => {
    launcher ??= prepare(walls, cacheFolder);
    return launcher;
  };
  return openWalledExecutor({
    name: "python-lite",
    languages: ["python"],
    limits,
    isSingleUse: true,
    openNode: () => getLauncher().node(),
    openChannel: () => {
      const { snapshot, node } = getLauncher();
      // Once per machine: every later start takes a fifth of the time.
      return snapshot.exists() ? node().start() : deferChannel(snapshot.make().then(() => node().start()));
    },
    engineWall: "WebAssembly memory",
    engineGaps: sharedGaps,
    // Neither npm nor PyPI has them for this engine: docs/decisions/0002-python-lite.md.
    missingLibraries: dataLibraries,
  });
};

interface Launcher {
  readonly snapshot: Snapshot;
  /** Starts the process, with the snapshot if available. */
  readonly node: () => WalledNode;
}

const prepare = (walls: WantedWalls, cacheFolder: string | undefined): Launcher => {
  const engine = findEngine();
  const folder = cacheFolder === undefined ? {} : { cacheFolder };
  const snapshot = openSnapshot({ engine, worldFolder, guestFile, ...folder });
  const open = (file: string): WalledNode =>
    openWalledNode({
      walls,
      // WebAssembly is compiled: it does not run without machine code.
      isJitless: false,
      // Code generation from strings is off in this process for everyone.
      flags: ["--disallow-code-generation-from-strings"],
      file: childFile,
      readable: [
        `${executorsFolder}/`,
        `${engine.folder}/`,
        ...engine.others.map((path) => `${path}/`),
        ...(file === "" ? [] : [file]),
      ],
      args: [engine.folder, worldFolder, guestFile, file],
    });
  const slow = open("");
  let fast: WalledNode | undefined;
  return {
    snapshot,
    node: () => {
      if (fast === undefined && snapshot.exists()) fast = open(snapshot.file);
      return fast ?? slow;
    },
  };
};
