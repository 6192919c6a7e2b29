// Python without any setup: CPython compiled to WebAssembly, one process for each run, behind the operating system's walls.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CoordinatorError, type Executor, type Limits } from "../../../contracts/index.js";
import { openProcessExecutor } from "../../host/process-executor.js";
import { sharedGaps, toNodeEngine } from "../../walls/walled-node.js";
import type { WantedWalls } from "../../walls/walls.js";
import { executorsFolder } from "../guest-files.js";
import { dataLibraries } from "../python/interpreter.js";
import { openSnapshot, type Snapshot } from "./snapshot.js";

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
  /** Folders of the packages it loads besides itself. */
  readonly others: readonly string[];
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
            ...[found.folder, ...found.others].map((path) => `${path}/`),
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
    return { folder: dirname(file), version, others: [dirname(own.resolve("ws/package.json"))] };
  } catch (cause) {
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      'Cannot start the sandbox "python-lite": the optional package "pyodide" is not installed',
      { cause, hint: 'Run "npm install" again to install the optional package "pyodide".' },
    );
  }
};
