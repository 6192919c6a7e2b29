// Programs of this machine that sandboxes can use: which Python, which container runtime.
import { type CoordinatorError, type Settings, toCoordinatorError } from "../../contracts/index.js";
import { findRuntime } from "./container/container-runtime.js";
import { defaultEnvironmentFolder, findInterpreter } from "./python/interpreter.js";

export interface RuntimeReport {
  readonly what: "python" | "container";
  /** Its path or name with its version; absent if there is none. */
  readonly found?: string | undefined;
  readonly problem?: CoordinatorError | undefined;
}

type RuntimeSettings = Pick<Settings, "python" | "container">;

const inspectPython = async ({ python: { interpreter } }: RuntimeSettings): Promise<RuntimeReport> => {
  const found = await findInterpreter({ environmentFolder: defaultEnvironmentFolder(), interpreter });
  const libraries = found.libraries.length === 0 ? "" : ` with ${found.libraries.join(", ")}`;
  return { what: "python", found: `${found.executable}, ${found.version.join(".")}${libraries}` };
};

const inspectContainer = async ({ container }: RuntimeSettings): Promise<RuntimeReport> => {
  const { command, isRootless } = await findRuntime(container);
  return { what: "container", found: `${command}${isRootless ? ", rootless" : ", as root"}` };
};

/** Looks for each. TypeScript needs none of them. */
export const inspectRuntimes = (settings: RuntimeSettings): Promise<readonly RuntimeReport[]> => {
  const toReport =
    (what: RuntimeReport["what"]) =>
    (thrown: unknown): RuntimeReport => ({ what, problem: toCoordinatorError(thrown) });
  return Promise.all([
    inspectPython(settings).catch(toReport("python")),
    inspectContainer(settings).catch(toReport("container")),
  ]);
};
