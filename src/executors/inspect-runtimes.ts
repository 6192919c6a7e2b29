// The programs of this machine that sandboxes can use: which Python, which container runtime.
import { type CoordinatorError, toCoordinatorError } from "../contracts/index.js";
import { findRuntime } from "./container/find-runtime.js";
import { defaultEnvironmentFolder } from "./python/environment-folder.js";
import { findInterpreter } from "./python/interpreter.js";

export interface RuntimeReport {
  readonly what: "python" | "container";
  /** Its path or name with its version; absent when there is none. */
  readonly found?: string;
  readonly problem?: CoordinatorError;
}

const inspectPython = async (interpreter: string | undefined): Promise<RuntimeReport> => {
  const found = await findInterpreter({
    environmentFolder: defaultEnvironmentFolder(),
    ...(interpreter === undefined ? {} : { interpreter }),
  });
  const libraries = found.libraries.length === 0 ? "" : ` with ${found.libraries.join(", ")}`;
  return { what: "python", found: `${found.executable}, ${found.version.join(".")}${libraries}` };
};

const inspectContainer = async (): Promise<RuntimeReport> => {
  const { command, isRootless } = await findRuntime();
  return { what: "container", found: `${command}${isRootless ? ", rootless" : ", as root"}` };
};

/** Looks for each; none of them is needed for TypeScript. */
export const inspectRuntimes = (interpreter: string | undefined): Promise<readonly RuntimeReport[]> => {
  const tell =
    (what: RuntimeReport["what"]) =>
    (thrown: unknown): RuntimeReport => ({ what, problem: toCoordinatorError(thrown) });
  return Promise.all([
    inspectPython(interpreter).catch(tell("python")),
    inspectContainer().catch(tell("container")),
  ]);
};
