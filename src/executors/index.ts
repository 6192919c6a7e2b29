// Sandboxes: run untrusted programs and report how they ended. Modules that are not needed to start one are loaded on demand.
import type { Executor, Limits, Settings } from "../contracts/index.js";
import type { SetUpContainerOptions } from "./engines/container/set-up-container.js";
import type { SetUpPythonOptions, SetUpSandbox } from "./engines/python/set-up-python.js";
import type { Packages, PackagesOptions } from "./packages.js";
import type { RuntimeReport, SelfTestResult } from "./self-test.js";

export { type Executors, openExecutors } from "./open-executors.js";

/** The programs of this machine that sandboxes can use. */
export const inspectRuntimes = async (
  settings: Pick<Settings, "python" | "container">,
): Promise<readonly RuntimeReport[]> => (await import("./self-test.js")).inspectRuntimes(settings);

/** The packages that programs may import. */
export const openPackages = async (options: PackagesOptions): Promise<Packages> =>
  (await import("./packages.js")).openPackages(options);

/** Tests whether a sandbox stops what it must stop. */
export const selfTest = async (executor: Executor, limits: Limits): Promise<readonly SelfTestResult[]> =>
  (await import("./self-test.js")).selfTest(executor, limits);

/** Builds the container image from programs of this machine, and tests it. */
export const setUpContainer = async (options: SetUpContainerOptions): Promise<SetUpSandbox> =>
  (await import("./engines/container/set-up-container.js")).setUpContainer(options);

/** Creates the Python environment with the data libraries, and tests it. */
export const setUpPython = async (options: SetUpPythonOptions): Promise<SetUpSandbox> =>
  (await import("./engines/python/set-up-python.js")).setUpPython(options);
