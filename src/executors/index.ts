// Sandboxes: run untrusted programs and tell how they ended. What is not needed to start one is loaded when it is used.
import type { Executor, Limits, Settings } from "../contracts/index.js";
import type { SetUpContainerOptions } from "./container/set-up-container.js";
import type { RuntimeReport } from "./inspect-runtimes.js";
import type { Packages, PackagesOptions } from "./packages/open-packages.js";
import type { SetUpPythonOptions, SetUpSandbox } from "./python/set-up-python.js";
import type { SelfTestResult } from "./self-test.js";

export { type Executors, openExecutors } from "./open-executors.js";

/** The programs of this machine that sandboxes can use. */
export const inspectRuntimes = async (
  settings: Pick<Settings, "python" | "container">,
): Promise<readonly RuntimeReport[]> => (await import("./inspect-runtimes.js")).inspectRuntimes(settings);

/** The packages that programs may import. */
export const openPackages = async (options: PackagesOptions): Promise<Packages> =>
  (await import("./packages/open-packages.js")).openPackages(options);

/** Really tries what a sandbox must stop. */
export const selfTest = async (executor: Executor, limits: Limits): Promise<readonly SelfTestResult[]> =>
  (await import("./self-test.js")).selfTest(executor, limits);

/** Builds the container image from the programs of this machine, and tries it. */
export const setUpContainer = async (options: SetUpContainerOptions): Promise<SetUpSandbox> =>
  (await import("./container/set-up-container.js")).setUpContainer(options);

/** Makes the Python environment with the data libraries, and tries it. */
export const setUpPython = async (options: SetUpPythonOptions): Promise<SetUpSandbox> =>
  (await import("./python/set-up-python.js")).setUpPython(options);
