// Python programs on a real CPython: one fork of a warm process for each run, behind the strongest wall this machine has.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Executor, ExecutorReport, Limits } from "../../contracts/index.js";
import { CoordinatorError, toCoordinatorError } from "../../contracts/index.js";
import { openPooledExecutor } from "../pooled-executor.js";
import { chooseWall, type WallChoice } from "./choose-wall.js";
import { defaultEnvironmentFolder } from "./environment-folder.js";
import { dataLibraries, findInterpreter, type Interpreter } from "./interpreter.js";
import { toReport } from "./to-report.js";
import { toSocketPath, toWallCommand, type WallKind } from "./wall-command.js";
import { openZygoteChannel } from "./zygote-channel.js";
import { ZygoteProcess } from "./zygote-process.js";

export interface PythonExecutorOptions {
  readonly limits: Limits;
  /** An executable, or the folder of a virtual environment. @default the documented environment, else the machine's own */
  readonly interpreter?: string;
  /** @default the folder that `createPythonEnvironment` uses */
  readonly environmentFolder?: string;
  /** Libraries that every run finds imported; what is not installed is left out. @default numpy, pandas, sklearn */
  readonly preload?: readonly string[];
  /** Only this wall will do. @default the strongest that stands */
  readonly wall?: WallKind;
}

/** Size of each guest's private /tmp. */
const temporaryBytes = 64 * 1024 * 1024;

interface Ground {
  readonly interpreter: Interpreter;
  readonly choice: WallChoice;
}

/** Opens the executor; no process is started before `inspect`, `warm` or the first run. */
export const openPythonExecutor = (options: PythonExecutorOptions): Executor => {
  const { limits, preload = dataLibraries, wall } = options;
  let ground: Promise<Ground> | undefined;
  let zygote: Promise<ZygoteProcess> | undefined;
  let channelFolder = "";
  let lastGuest = 0;

  const lookAround = (): Promise<Ground> => {
    ground ??= findInterpreter({ environmentFolder: defaultEnvironmentFolder(), ...options }).then(
      async (interpreter) => ({
        interpreter,
        choice: await chooseWall({ interpreter, temporaryBytes, ...(wall === undefined ? {} : { wall }) }),
      }),
    );
    return ground;
  };
  const removeFolder = (): void => rmSync(channelFolder, { recursive: true, force: true });

  const startZygote = async (): Promise<ZygoteProcess> => {
    const { interpreter, choice } = await lookAround();
    // Never without a wall: whoever asks is told what could be done.
    const { isAvailable, reason, fix } = toReport(interpreter, choice);
    if (choice.kind === undefined || !isAvailable) throw unavailable(reason, fix);
    if (channelFolder === "") {
      channelFolder = mkdtempSync(join(tmpdir(), "mcp-python-"));
      process.once("exit", removeFolder);
    }
    rmSync(toSocketPath(channelFolder), { force: true });
    const { kind } = choice;
    const started = new ZygoteProcess(
      toWallCommand({ kind, interpreter, preload, temporaryBytes, channelFolder }),
    );
    await started.ready.catch(() => {
      throw unavailable(`Cannot start Python: ${started.lastWords().split("\n").at(-1)}`);
    });
    return started;
  };
  const keepZygote = async (): Promise<ZygoteProcess> => {
    const known = await zygote?.catch(() => undefined);
    if (known !== undefined && !known.isDead) return known;
    return startZygote();
  };

  const inspect = async (): Promise<ExecutorReport> => {
    try {
      const { interpreter, choice } = await lookAround();
      return toReport(interpreter, choice);
    } catch (thrown) {
      const { message, hint } = toCoordinatorError(thrown);
      return { isAvailable: false, reason: message, fix: hint, walls: [], gaps: [] };
    }
  };

  return openPooledExecutor({
    name: "python",
    languages: ["python"],
    limits,
    isSingleUse: true,
    openChannel: () =>
      openZygoteChannel({
        guest: ++lastGuest,
        zygote: () => {
          zygote = keepZygote();
          return zygote;
        },
        socketPath: () => toSocketPath(channelFolder),
      }),
    inspect,
    close: async () => {
      const known = await zygote?.catch(() => undefined);
      await known?.close();
      process.removeListener("exit", removeFolder);
      if (channelFolder !== "") removeFolder();
    },
  });
};

const unavailable = (reason = "Python cannot run here", fix?: string): CoordinatorError =>
  new CoordinatorError("SANDBOX_UNAVAILABLE", reason, fix === undefined ? {} : { hint: fix });
