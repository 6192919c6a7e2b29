// `setup python`: creates an environment with pinned data libraries, and tests it in the sandbox before it replaces the previous one.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CoordinatorError, type Limits } from "../../../contracts/index.js";
import { testRun } from "../../self-test.js";
import {
  defaultEnvironmentFolder,
  environmentPython,
  findInterpreter,
  type Interpreter,
} from "./interpreter.js";
import { openPythonExecutor } from "./python.js";

export interface SetUpPythonOptions {
  readonly limits: Limits;
  /** The base Python. @default the machine's own */
  readonly interpreter?: string | undefined;
  /** @default the folder in which the Python executor looks */
  readonly folder?: string | undefined;
  readonly packages?: readonly string[] | undefined;
  /** Receives progress lines. */
  readonly say?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SetUpSandbox {
  /** The interpreter or the image. */
  readonly made: string;
  /** What a program found inside, with versions. */
  readonly holds: readonly string[];
}

export const setUpPython = async (options: SetUpPythonOptions): Promise<SetUpSandbox> => {
  const { limits, interpreter, folder = defaultEnvironmentFolder(), say = () => {} } = options;
  // An environment cannot be its own base: it is about to be replaced.
  const isOwn = interpreter !== undefined && `${interpreter}/`.startsWith(`${folder}/`);
  const base = await findInterpreter({ interpreter: isOwn ? undefined : interpreter, libraries: [] });
  await runIn(base.executable, limits, async ({ inspect }) => {
    // Better now than after a long download.
    const { isAvailable, reason = "it cannot run here", fix } = await inspect();
    if (!isAvailable) throw new CoordinatorError("SANDBOX_UNAVAILABLE", reason, { hint: fix });
  });
  const next = `${folder}.new`;
  try {
    await rm(next, { recursive: true, force: true });
    say(`Installing numpy, pandas and scikit-learn for Python ${base.version.join(".")} into ${folder}`);
    const python = await createPythonEnvironment({ ...options, folder: next, base });
    say("Running a program in the sandbox");
    const [run] = await runIn(python, limits, (executor) => testRun(executor, limits));
    if (existsSync(folder)) await rename(folder, `${folder}.old`);
    await rename(next, folder);
    return { made: environmentPython(folder), holds: run?.found ?? [] };
  } finally {
    for (const path of [next, `${folder}.old`]) await rm(path, { recursive: true, force: true });
  }
};

type PythonExecutor = ReturnType<typeof openPythonExecutor>;

const runIn = async <Result>(
  interpreter: string,
  limits: Limits,
  use: (executor: PythonExecutor) => Promise<Result>,
): Promise<Result> => {
  const executor = openPythonExecutor({ limits, interpreter });
  try {
    return await use(executor);
  } finally {
    await executor.close();
  }
};

export interface EnvironmentOptions {
  /** Must not exist. */
  readonly folder: string;
  /** The base Python. */
  readonly base: Interpreter;
  /** Its packages, as pip requirements. @default the data libraries */
  readonly packages?: readonly string[] | undefined;
  /** Receives progress lines. */
  readonly say?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The newest versions of each library that a Python supports, from its minor version on. */
const versions = [
  [11, ["numpy==2.4.6", "pandas==3.1.1", "scikit-learn==1.9.1"]],
  [10, ["numpy==2.2.6", "pandas==2.3.3", "scikit-learn==1.7.2"]],
  [0, ["numpy==2.0.2", "pandas==2.2.3", "scikit-learn==1.6.1"]],
] as const;

/** The data libraries for a Python, as pip requirements. */
export const listPackages = ([, minor]: Interpreter["version"]): readonly string[] =>
  versions.find(([from]) => minor >= from)?.[1] ?? [];

/** A source distribution would run its own code here and take an hour to compile. */
const wheelsOnly = ["--only-binary", ":all:"];

interface Installer {
  readonly name: string;
  readonly steps: readonly (readonly [command: string, ...args: string[]])[];
}

/** Quickest first. The last one needs neither `ensurepip` nor uv, only a pip for the base Python. */
const listInstallers = ({ folder, base, packages }: EnvironmentOptions): readonly Installer[] => {
  const python = environmentPython(folder);
  const { executable, version } = base;
  const wanted = packages ?? listPackages(version);
  const libraries = join(folder, "lib", `python${version[0]}.${version[1]}`, "site-packages");
  const quiet = ["--disable-pip-version-check", "--progress-bar", "off"];
  const pip = ["-I", "-m", "pip", "install", ...quiet, ...wheelsOnly];
  const install = (...step: readonly [string, ...string[]]): Installer["steps"] =>
    wanted.length === 0 ? [] : [[...step, ...wanted]];
  return [
    {
      name: "uv",
      steps: [
        ["uv", "venv", "--no-project", "--python", executable, folder],
        ...install("uv", "pip", "install", ...wheelsOnly, "--python", python),
      ],
    },
    { name: "venv", steps: [[executable, "-I", "-m", "venv", folder], ...install(python, ...pip)] },
    {
      name: "pip --target",
      steps: [
        [executable, "-I", "-m", "venv", "--without-pip", folder],
        ...install(executable, ...pip, "--target", libraries),
      ],
    },
  ];
};

/** Creates the environment and returns the interpreter in it. */
export const createPythonEnvironment = async (options: EnvironmentOptions): Promise<string> => {
  const { folder, base, say = () => {}, signal } = options;
  // Not the working folder: uv and Python obey files there, and it may be somebody else's.
  const home = dirname(folder);
  mkdirSync(home, { recursive: true });
  const failures: string[] = [];
  let output = "";
  for (const { name, steps } of listInstallers(options)) {
    let done = 0;
    try {
      for (const [command, ...args] of steps) {
        await runStep(command, args, { home, say, signal });
        done++;
      }
      return environmentPython(folder);
    } catch (thrown) {
      await rm(folder, { recursive: true, force: true });
      if (signal?.aborted === true) throw thrown;
      const failure = thrown as StepFailure;
      failures.push(`${name}: ${failure.message}`);
      output = `${output}${failure.output}`;
      // What one pip cannot install, another cannot either. uv has its own indexes.
      if (name !== "uv" && done > 0) break;
    }
  }
  throw new CoordinatorError(
    "SANDBOX_UNAVAILABLE",
    `Cannot create the Python environment with "${base.executable}" ${base.version.join(".")}: ${failures.join("; ")}`,
    { hint: toHint(output, base), details: { output } },
  );
};

/** Explains what is missing on this machine, based on the output of the tools. */
const toHint = (output: string, { version }: Interpreter): string => {
  const again = 'then run "mcp-coordinator setup python" again.';
  if (/No matching distribution|no (?:compatible )?wheels|no usable wheels/i.test(output))
    return `There are no libraries for Python ${version[0]}.${version[1]} yet, or the package index does not answer. Use another Python: MCP_COORDINATOR_INTERPRETER=/path/to/python3 mcp-coordinator setup python`;
  if (/ensurepip|No module named (?:pip|venv)/.test(output))
    return `Install uv, or on Debian and Ubuntu "apt install python3-venv"; ${again}`;
  return `Check the output of --verbose for an unreachable package index or a full disk, ${again}`;
};

interface StepOptions {
  readonly home: string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal | undefined;
}

class StepFailure extends Error {
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }
}

const maxOutput = 4000;
const maxReason = 300;

/** What is missing, or the last line that names a reason, or the last line. */
const findReason = (output: string): string => {
  if (output.includes("ensurepip")) return "the module ensurepip is missing";
  const lines = output.trim().split("\n");
  const reason = lines.findLast((line) => /no module named|^error/i.test(line)) ?? lines.at(-1);
  return (reason ?? "").trim().slice(0, maxReason);
};

const runStep = (
  command: string,
  args: readonly string[],
  { home, say, signal }: StepOptions,
): Promise<void> =>
  new Promise((resolve, reject) => {
    // If the host is root, its guest is nobody and must be able to read what root installs.
    const before = process.umask(0o022);
    const child = spawn(command, args, {
      cwd: home,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      signal,
    });
    process.umask(before);
    let output = "";
    const collect = (text: string): void => {
      output = (output + text).slice(-maxOutput);
      for (const line of text.split("\n")) if (line.trim() !== "") say(line.trimEnd());
    };
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.on("error", (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === "ENOENT" || error.code === "EACCES";
      reject(new StepFailure(isMissing ? "not installed" : error.message, output));
    });
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new StepFailure(findReason(output) || `it ended with ${code}`, output));
    });
  });
