// The next step when a Python program imports a data library that its sandbox does not have.
import type { Settings } from "../../contracts/index.js";
import { withOwnCommand } from "../setup/own-command.js";

/** The libraries that `setup python` installs, with their dependencies. */
const dataModules = ["numpy", "pandas", "sklearn", "scipy"];

export const isDataModule = (name: string): boolean => dataModules.includes(name.split(".")[0] ?? "");

/** @param sandbox the sandbox that programs use */
export const toLibrariesFix = (
  sandbox: string | undefined,
  { executor, python: { interpreter }, container }: Pick<Settings, "executor" | "python" | "container">,
): string => withOwnCommand(describeFix(sandbox, { executor, interpreter, image: container.image }));

/** The step for a default configuration. */
export const defaultLibrariesFix = (): string =>
  withOwnCommand(describeFix(undefined, { executor: "auto", interpreter: undefined, image: undefined }));

interface PythonSettings {
  readonly executor: string;
  readonly interpreter: string | undefined;
  readonly image: string | undefined;
}

const describeFix = (
  sandbox: string | undefined,
  { executor, interpreter, image }: PythonSettings,
): string => {
  const setUp = 'Run "mcp-coordinator setup python"';
  if (sandbox === "container")
    return image === undefined
      ? `${setUp}, then "mcp-coordinator setup container".`
      : `Name an image that has them in place of "${image}".`;
  if (interpreter !== undefined)
    return `Install numpy, pandas and scikit-learn for "${interpreter}"; or remove the setting "python.interpreter" and run "mcp-coordinator setup python".`;
  if (executor === "python-lite") return `${setUp}, and set "executor" to "auto".`;
  return `${setUp}: it installs numpy, pandas and scikit-learn for the sandbox.`;
};
