// Python programs on a real CPython: one fork of a warm process (the zygote) for each run, behind the strongest wall that stands on this machine.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Executor, ExecutorReport, Limits } from "../../../contracts/index.js";
import { openProcessExecutor } from "../../host/process-executor.js";
import { runCommand } from "../../host/run-command.js";
import {
  channelTarget,
  findBubblewrap,
  findSeatbelt,
  guestTarget,
  toZygoteProfile,
  wrapInSeatbelt,
  wrapZygote,
} from "../../walls/outer-walls.js";
import { executorsFolder, toPythonRules } from "../guest-files.js";
import {
  dataLibraries,
  defaultEnvironmentFolder,
  findInterpreter,
  type Interpreter,
  openPreloadLevels,
} from "./interpreter.js";
import { cannotStartPython, keepZygote, toSocketPath, type ZygoteCommand } from "./zygote.js";

export interface PythonExecutorOptions {
  readonly limits: Limits;
  /** An executable, or the folder of a virtual environment. @default the documented environment, else the machine's own */
  readonly interpreter?: string | undefined;
  /** @default the folder that `createPythonEnvironment` uses */
  readonly environmentFolder?: string | undefined;
  /**
   * Libraries imported in advance for programs that need them; each level includes those before it. Missing ones are skipped.
   * @default numpy, pandas, sklearn
   */
  readonly preload?: readonly string[] | undefined;
  /** Accept only this wall. @default the strongest that stands */
  readonly wall?: WallKind | undefined;
}

/** A level of libraries that no program has needed for this long is closed. */
const idleMs = 10 * 60_000;

interface Machine {
  readonly interpreter: Interpreter;
  readonly choice: WallChoice;
}

/** No process is started before `inspect`, `warm` or the first run. */
export const openPythonExecutor = (options: PythonExecutorOptions): Executor => {
  const { limits, preload = dataLibraries, wall } = options;
  let machine: Promise<Machine> | undefined;
  const inspectMachine = (): Promise<Machine> => {
    machine ??= findInterpreter({ environmentFolder: defaultEnvironmentFolder(), ...options })
      .then(async (interpreter) => ({ interpreter, choice: await chooseWall(interpreter, wall) }))
      .catch((thrown: unknown) => {
        // Python may be installed later, so only success is cached.
        machine = undefined;
        throw thrown;
      });
    return machine;
  };
  const levels = openPreloadLevels(preload, (imported) =>
    keepZygote(async (channelFolder) => {
      const { interpreter, choice } = await inspectMachine();
      const { kind } = choice;
      // Never without a wall: the caller learns what to do.
      const { isAvailable, reason, fix } = toReport(interpreter, choice);
      if (kind === undefined || !isAvailable) throw cannotStartPython(reason, fix);
      return toZygoteCommand({ kind, interpreter, preload: imported, channelFolder });
    }),
  );
  return openProcessExecutor({
    limits,
    engine: {
      name: "python",
      languages: ["python"],
      isSingleUse: true,
      idleMs,
      kindOf: levels.choose,
      start: (zygote) => zygote.openChannel(),
      inspect: async () => {
        const { interpreter, choice } = await inspectMachine();
        return toReport(interpreter, choice);
      },
      close: async () => {
        await Promise.all(levels.opened().map((zygote) => zygote.close()));
      },
    },
  });
};

/** What confines a guest: bubblewrap's namespaces, the process's own walls, or macOS's Seatbelt. */
export type WallKind = "bubblewrap" | "self" | "seatbelt";

export interface ZygoteCommandOptions {
  readonly kind: WallKind;
  readonly interpreter: Interpreter;
  readonly preload: readonly string[];
  /** The private folder for the zygote's socket; without it the wall is only tried. */
  readonly channelFolder?: string | undefined;
}

/** Size of each guest's private /tmp. */
const temporaryBytes = 64 * 1024 * 1024;
const pythonFolder = join(executorsFolder, "guests", "python");

/** By default data libraries start a thread for each core, but a fork copies only the forking thread. */
const environment = {
  OPENBLAS_NUM_THREADS: "1",
  OMP_NUM_THREADS: "1",
  MKL_NUM_THREADS: "1",
  NUMEXPR_NUM_THREADS: "1",
};

export const toZygoteCommand = (options: ZygoteCommandOptions): ZygoteCommand => {
  const { kind, interpreter, preload, channelFolder } = options;
  const { executable, executables } = interpreter;
  const readable = readablePaths(interpreter);
  // A private folder hides what is below its mount point.
  const temporaryFolder = readable.some((path) => path.startsWith("/tmp/")) ? "/var/tmp" : "/tmp";
  const isMounted = kind === "bubblewrap";
  const plan = {
    kind,
    preload,
    temporaryBytes,
    temporaryFolder,
    readable,
    rules: kind === "seatbelt" ? {} : toPythonRules(isMounted),
    hidden: isMounted ? [guestTarget, ...(channelFolder === undefined ? [] : [channelTarget])] : [],
    socket: channelFolder === undefined ? null : toSocketPath(isMounted ? channelTarget : channelFolder),
  };
  const script = `${isMounted ? guestTarget : pythonFolder}/zygote.py`;
  const python = { command: executable, args: ["-I", "-B", "-X", "utf8", script, JSON.stringify(plan)] };
  if (kind === "self") return { ...python, environment };
  const wrapped =
    kind === "seatbelt"
      ? wrapInSeatbelt(
          python,
          toZygoteProfile({ readable: [...readable, pythonFolder], executables, channelFolder }),
        )
      : wrapZygote(python, {
          readable,
          guestFolder: pythonFolder,
          temporaryFolder,
          channelFolder,
          environment,
        });
  return { ...wrapped, environment };
};

/** Prefixes that hold far more than Python; only the libraries below them are readable. */
const sharedPrefixes = new Set(["/", "/usr", "/usr/local"]);

const systemPaths = [
  "/usr/lib",
  "/usr/lib64",
  "/usr/lib32",
  "/lib",
  "/lib64",
  "/etc/ld.so.cache",
  // Debian's BLAS is reached through a link in here.
  "/etc/alternatives",
  "/usr/share/zoneinfo",
];

/** The files of an interpreter and its libraries, which are all that a guest may read: existing paths, none below another. */
export const readablePaths = (interpreter: Interpreter): readonly string[] => {
  const own = interpreter.prefixes.filter((prefix) => !sharedPrefixes.has(prefix));
  const local = interpreter.prefixes.includes("/usr/local") ? ["/usr/local/lib"] : [];
  const all = [...systemPaths, ...own, ...local, ...interpreter.folders, ...interpreter.executables];
  const existing = [...new Set(all)].filter((path) => existsSync(path) && !sharedPrefixes.has(path));
  return existing.filter((path) => !existing.some((other) => path.startsWith(`${other}/`)));
};

export type WallChoice =
  | { readonly kind: WallKind; readonly walls: readonly string[]; readonly missing: readonly string[] }
  | { readonly kind: undefined; readonly missing: readonly string[] };

/**
 * Puts up each wall once, around nothing, strongest first, until one stands.
 * @param wanted accept only this one
 */
const chooseWall = async (interpreter: Interpreter, wanted?: WallKind): Promise<WallChoice> => {
  const missing: string[] = [];
  for (const kind of wanted === undefined ? kindsOf(process.platform) : [wanted]) {
    const tried = await tryWall(kind, interpreter);
    if (typeof tried !== "string") return { kind, walls: tried, missing };
    missing.push(`${kind}: ${tried}`);
  }
  return { kind: undefined, missing };
};

const kindsOf = (platform: NodeJS.Platform): readonly WallKind[] => {
  if (platform === "linux") return ["bubblewrap", "self"];
  return platform === "darwin" ? ["seatbelt"] : [];
};

/** The walls in force, or why they are not. */
const tryWall = async (kind: WallKind, interpreter: Interpreter): Promise<readonly string[] | string> => {
  if (kind === "bubblewrap" && findBubblewrap() === undefined) return "it is not installed";
  if (kind === "seatbelt" && findSeatbelt() === undefined) return "there is no sandbox-exec";
  const { command, args, environment } = toZygoteCommand({ kind, interpreter, preload: [] });
  const { isDone, output, complaint } = await runCommand(command, args, { environment, timeoutMs: 20_000 });
  if (!isDone) return complaint;
  try {
    const { walls, reason } = JSON.parse(output) as {
      readonly walls?: readonly string[] | undefined;
      readonly reason?: string | undefined;
    };
    return walls ?? reason ?? "it reported nothing";
  } catch {
    return "what it reported is not JSON";
  }
};

const always = ["own process", "empty environment", "memory, file and time limits of the kernel"];
const everyGap = ["timing side channels between runs on one machine"];

const gapsOf = {
  bubblewrap: [],
  self: [
    "names, sizes and dates of the machine's files are visible, their contents are not",
    "there is no /tmp to write to",
    "the network and process lists are shared with the machine, but no system call can use them",
  ],
  seatbelt: ["not tested on a real Mac", "memory is limited only by the interpreter's own accounting"],
} as const;

const toReport = (interpreter: Interpreter, choice: WallChoice): ExecutorReport => {
  const version = interpreter.version.join(".");
  if (choice.kind === undefined)
    return {
      isAvailable: false,
      reason: `Cannot run Python ${version}: no OS sandbox is available (${choice.missing.join("; ") || `none is known for ${process.platform}`})`,
      fix: 'Install bubblewrap (Linux), or choose the executor "container" or "python-lite".',
      walls: [],
      gaps: [],
    };
  const lacking = dataLibraries.filter((name) => !interpreter.libraries.includes(name));
  const isRoot =
    process.getuid?.() === 0 && choice.kind !== "seatbelt" && !choice.walls.includes("no root user");
  const gaps = [
    ...gapsOf[choice.kind],
    ...(isRoot ? ["the user stays root, without its capabilities: other users cannot read this Python"] : []),
    ...everyGap,
  ];
  return {
    isAvailable: true,
    walls: [...(choice.kind === "bubblewrap" ? ["bubblewrap"] : []), ...choice.walls, ...always],
    gaps: choice.walls.some((wall) => wall.includes("threads")) ? gaps : ["the number of threads", ...gaps],
    reason: choice.missing.length > 0 ? choice.missing.join("; ") : undefined,
    fix: choice.missing.length > 0 ? "Install bubblewrap." : undefined,
    missingLibraries: lacking,
  };
};
