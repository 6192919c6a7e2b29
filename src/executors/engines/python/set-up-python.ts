// `setup python`: creates an environment with the data libraries, and tests it in the sandbox before it replaces the previous one.
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { CoordinatorError, type Limits } from "../../../contracts/index.js";
import { testRun } from "../../test-run.js";
import { createPythonEnvironment } from "./create-environment.js";
import { defaultEnvironmentFolder, environmentPython, findInterpreter } from "./interpreter.js";
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
