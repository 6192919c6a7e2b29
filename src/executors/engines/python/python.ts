// Python programs on a real CPython: one fork of a warm process for each run, behind the strongest wall this machine has.
import type { Executor, Limits } from "../../../contracts/index.js";
import { openProcessExecutor } from "../../host/process-executor.js";
import {
  dataLibraries,
  defaultEnvironmentFolder,
  findInterpreter,
  type Interpreter,
  openPreloadLevels,
} from "./interpreter.js";
import { chooseWall, toReport, toZygoteCommand, type WallChoice, type WallKind } from "./python-walls.js";
import { cannotStartPython, keepZygote } from "./zygote.js";

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
    machine ??= findInterpreter({ environmentFolder: defaultEnvironmentFolder(), ...options }).then(
      async (interpreter) => ({ interpreter, choice: await chooseWall(interpreter, wall) }),
    );
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
