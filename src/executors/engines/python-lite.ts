// Python without any setup: CPython compiled to WebAssembly, one process for each run, behind the operating system's walls.
// A snapshot of the interpreter's memory, created once per version, makes its start five times as fast.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CoordinatorError, type Executor, type Limits } from "../../contracts/index.js";
import { openProcessExecutor } from "../host/process-executor.js";
import { sharedGaps, toNodeEngine } from "../walls/walled-node.js";
import type { WantedWalls } from "../walls/walls.js";
import { executorsFolder } from "./guest-files.js";
import { dataLibraries } from "./python/interpreter.js";

export interface PythonLiteExecutorOptions {
  readonly limits: Limits;
  /** The operating system's walls. @default "auto": all that this machine offers */
  readonly walls?: WantedWalls | undefined;
  /** Where the interpreter snapshot is stored. @default the user's cache folder */
  readonly cacheFolder?: string | undefined;
}

interface EmbeddedPackage {
  readonly folder: string;
  readonly version: string;
  /** Folder of the package "ws", which it loads. */
  readonly wsFolder: string;
}

const require = createRequire(import.meta.url);
const guestFolder = join(executorsFolder, "guests", "python-lite");
const worldFolder = join(executorsFolder, "guests", "python", "guest_world");

/** No process is started before `warm` or the first run. */
export const openPythonLiteExecutor = (options: PythonLiteExecutorOptions): Executor => {
  const { limits, walls = "auto", cacheFolder } = options;
  let known: { readonly package: EmbeddedPackage; readonly snapshot: Snapshot } | undefined;
  const find = (): NonNullable<typeof known> => {
    if (known !== undefined) return known;
    const found = findPyodide();
    known = {
      package: found,
      snapshot: openSnapshot({ ...found, guestFolder, worldFolder, cacheFolder }),
    };
    return known;
  };
  return openProcessExecutor({
    limits,
    engine: toNodeEngine({
      name: "python-lite",
      languages: ["python"],
      isSingleUse: true,
      engineWall: "WebAssembly memory",
      engineGaps: sharedGaps,
      // Neither npm nor PyPI has them for this engine: docs/decisions/0002-python-lite.md.
      missingLibraries: dataLibraries,
      prepare: () => {
        const { snapshot } = find();
        // Once per machine: every later start takes a fifth of the time.
        return snapshot.exists() ? undefined : snapshot.make();
      },
      describeNode: () => {
        const { package: found, snapshot } = find();
        const file = snapshot.exists() ? snapshot.file : "";
        return {
          walls,
          // WebAssembly is compiled: it does not run without machine code.
          isJitless: false,
          // Code generation from strings is off in this process for everyone.
          flags: ["--disallow-code-generation-from-strings"],
          file: join(guestFolder, "child.mjs"),
          readable: [
            `${executorsFolder}/`,
            `${found.folder}/`,
            `${found.wsFolder}/`,
            ...(file === "" ? [] : [file]),
          ],
          args: [found.folder, worldFolder, join(guestFolder, "guest.py"), file],
        };
      },
    }),
  });
};

/** Throws SANDBOX_UNAVAILABLE if the package is not installed. */
const findPyodide = (): EmbeddedPackage => {
  try {
    const file = require.resolve("pyodide/package.json");
    const { version } = require(file) as { readonly version: string };
    const own = createRequire(file);
    return { folder: dirname(file), version, wsFolder: dirname(own.resolve("ws/package.json")) };
  } catch (cause) {
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      'Cannot start the sandbox "python-lite": the optional package "pyodide" is not installed',
      { cause, hint: 'Run "npm install" again to install the optional package "pyodide".' },
    );
  }
};

interface SnapshotOptions {
  /** The folder and version of the engine's package. */
  readonly folder: string;
  readonly version: string;
  readonly guestFolder: string;
  readonly worldFolder: string;
  /** @default the user's cache folder */
  readonly cacheFolder?: string | undefined;
}

interface Snapshot {
  readonly file: string;
  readonly exists: () => boolean;
  /** Creates it if missing. A failure only means that starts stay slow. */
  readonly make: () => Promise<void>;
}

const openSnapshot = (options: SnapshotOptions): Snapshot => {
  const { folder, guestFolder, worldFolder, cacheFolder = defaultCacheFolder() } = options;
  const file = join(cacheFolder, "python-lite", `${toKey(options)}.snapshot`);
  let making: Promise<void> | undefined;
  return {
    file,
    exists: () => isOwn(file),
    make: () => {
      making ??= new Promise((resolve) => {
        try {
          mkdirSync(join(cacheFolder, "python-lite"), { recursive: true, mode: 0o700 });
        } catch {
          resolve();
          return;
        }
        const script = join(guestFolder, "make-snapshot.mjs");
        const words = ["--no-warnings", script, folder, worldFolder, join(guestFolder, "guest.py"), file];
        const child = execFile(process.execPath, words, { env: {}, timeout: 60_000 }, () => resolve());
        // For later starts only: the host may exit without it.
        child.unref();
      });
      return making;
    },
  };
};

const defaultCacheFolder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "mcp-coordinator");

/** Anything that goes into a snapshot changes its name. */
const toKey = ({ version, guestFolder, worldFolder }: SnapshotOptions): string => {
  const hash = createHash("sha256").update(`${version} ${process.versions.v8} ${process.arch}`);
  const world = readdirSync(worldFolder).filter((name) => name.endsWith(".py"));
  const parts = ["guest.py", "load-interpreter.mjs"].map((name) => join(guestFolder, name));
  for (const path of [...world.sort().map((name) => join(worldFolder, name)), ...parts])
    hash.update(readFileSync(path));
  return hash.digest("hex").slice(0, 24);
};

/** Never load memory that somebody else may have written. */
const isOwn = (file: string): boolean => {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  return process.platform === "win32" || (stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0);
};
