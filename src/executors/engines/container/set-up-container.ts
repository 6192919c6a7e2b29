// `setup container`: builds an image of this machine's Node and Python, and tests it before it replaces the previous one.
import { CoordinatorError, type Limits } from "../../../contracts/index.js";
import { testRun } from "../../self-test.js";
import { defaultEnvironmentFolder, findInterpreter, type Interpreter } from "../python/interpreter.js";
import type { SetUpSandbox } from "../python/set-up-python.js";
import { buildImage } from "./build-image.js";
import { openContainerExecutor } from "./container.js";
import { findRuntime, runCommand } from "./container-runtime.js";
import { builtImage } from "./plan-containers.js";

export interface SetUpContainerOptions {
  readonly limits: Limits;
  /** "podman", "docker", or the path of one of them. @default the first that answers */
  readonly runtime?: string | undefined;
  readonly ociRuntime?: string | undefined;
  /** The name under which the executor looks for it. @default `builtImage` */
  readonly image?: string | undefined;
  /** The Python to pack. @default the one that Python programs run on */
  readonly interpreter?: string | undefined;
  /** @default the folder of `setup python` */
  readonly environmentFolder?: string | undefined;
  /** Receives progress lines. */
  readonly say?: ((line: string) => void) | undefined;
}

export const setUpContainer = async (options: SetUpContainerOptions): Promise<SetUpSandbox> => {
  const { limits, ociRuntime, image = builtImage, say = () => {} } = options;
  const { command } = await findRuntime(options);
  const python = await findPython(options);
  const packed =
    python === undefined
      ? "no Python: none was found"
      : `Python ${python.version.join(".")} (${python.executable})`;
  say(`Packing Node ${process.versions.node} and ${packed}`);
  const next = `${image.replace(/:[^:/]*$/, "")}:new`;
  const run = (...words: readonly string[]) => runCommand(command, words);
  // Left by an interrupted setup.
  await run("image", "rm", next);
  try {
    await buildImage({ command, image: next, python });
    say("Running a program in a container");
    const executor = openContainerExecutor({ limits, runtime: command, ociRuntime, image: next });
    const languages = python === undefined ? (["typescript"] as const) : undefined;
    const runs = await testRun(executor, limits, languages).finally(executor.close);
    const before = await run("image", "inspect", "--format", "{{.Id}}", image);
    const { isDone, complaint } = await run("tag", next, image);
    if (!isDone)
      throw new CoordinatorError("SANDBOX_UNAVAILABLE", `Cannot name the image "${image}": ${complaint}`);
    if (before.isDone) await run("image", "rm", before.output.trim());
    return { made: image, holds: [`Node ${process.versions.node}`, ...runs.flatMap(({ found }) => found)] };
  } finally {
    // Removes only the name; the image has its final one by now, or failed.
    await run("image", "rm", next);
  }
};

/** A Python named in the settings must exist; without any, the image is for TypeScript only. */
const findPython = async ({
  interpreter,
  environmentFolder = defaultEnvironmentFolder(),
}: SetUpContainerOptions): Promise<Interpreter | undefined> => {
  const found = findInterpreter({ interpreter, environmentFolder });
  return interpreter === undefined ? found.catch(() => undefined) : found;
};
