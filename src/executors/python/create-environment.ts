// Makes the documented Python environment: a virtual environment with the data libraries in known versions.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { CoordinatorError } from "../../contracts/index.js";
import { defaultEnvironmentFolder, environmentPython } from "./environment-folder.js";
import { findInterpreter } from "./interpreter.js";

export interface EnvironmentOptions {
  /** @default the folder in which the Python executor looks */
  readonly folder?: string;
  /** The Python to make it with. @default the machine's own */
  readonly interpreter?: string;
  /** What it holds. @default `environmentPackages` */
  readonly packages?: readonly string[];
  /** Lines of what is under way. */
  readonly say?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** The newest versions of each library that a Python's age allows. */
const versions = [
  { python: "< '3.10'", numpy: "2.0.2", pandas: "2.2.3", "scikit-learn": "1.6.1" },
  { python: "== '3.10'", numpy: "2.2.6", pandas: "2.3.3", "scikit-learn": "1.7.2" },
  { python: ">= '3.11'", numpy: "2.4.6", pandas: "3.1.1", "scikit-learn": "1.9.1" },
] as const;

/** The libraries of the environment, as pip takes them. */
export const environmentPackages: readonly string[] = versions.flatMap(({ python, ...libraries }) =>
  Object.entries(libraries).map(([name, version]) => `${name}==${version}; python_version ${python}`),
);

/** Makes the environment and returns the interpreter in it. What is there already is brought up to date. */
export const createPythonEnvironment = async (options: EnvironmentOptions = {}): Promise<string> => {
  const { folder = defaultEnvironmentFolder(), packages = environmentPackages, say = () => {} } = options;
  const python = environmentPython(folder);
  const run = (command: string, args: readonly string[]): Promise<void> =>
    runStep(command, args, say, options.signal);
  if (!existsSync(python)) {
    const { interpreter } = options;
    const base = await findInterpreter(interpreter === undefined ? {} : { interpreter });
    say(`Making a Python ${base.version.join(".")} environment in ${folder}`);
    await run(base.executable, ["-m", "venv", folder]);
  }
  if (packages.length > 0) {
    say("Installing the libraries");
    await run(python, ["-m", "pip", "install", "--disable-pip-version-check", ...packages]);
  }
  return python;
};

const maxLastWords = 4000;

const runStep = (
  command: string,
  args: readonly string[],
  say: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      ...(signal === undefined ? {} : { signal }),
    });
    let lastWords = "";
    const hear = (text: string): void => {
      lastWords = (lastWords + text).slice(-maxLastWords);
      for (const line of text.split("\n")) if (line.trim() !== "") say(line.trimEnd());
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    const fail = (reason: string, cause?: unknown): void =>
      reject(
        new CoordinatorError("SANDBOX_UNAVAILABLE", `Cannot make the Python environment: ${reason}`, {
          hint: "On Debian install python3-venv; or name an environment that exists as the interpreter.",
          details: { output: lastWords },
          ...(cause === undefined ? {} : { cause }),
        }),
      );
    child.on("error", (error) => fail(`"${command}" does not start`, error));
    child.on("close", (code) =>
      code === 0 ? resolve() : fail(lastWords.trim().split("\n").at(-1) || `it ended with ${code}`),
    );
  });
