// Sandboxes: run untrusted programs and tell how they ended. What is not needed to start one is loaded when it is used.
import type { Executor, Limits } from "../contracts/index.js";
import type { BuildImageOptions, BuiltImage } from "./container/build-image.js";
import type { RuntimeReport } from "./inspect-runtimes.js";
import type { Packages, PackagesOptions } from "./packages/open-packages.js";
import type { EnvironmentOptions } from "./python/create-environment.js";
import type { SelfTestResult } from "./self-test.js";

export { type Executors, openExecutors } from "./open-executors.js";

/** The programs of this machine that sandboxes can use. */
export const inspectRuntimes = async (interpreter: string | undefined): Promise<readonly RuntimeReport[]> =>
  (await import("./inspect-runtimes.js")).inspectRuntimes(interpreter);

/** The packages that programs may import. */
export const openPackages = async (options: PackagesOptions): Promise<Packages> =>
  (await import("./packages/open-packages.js")).openPackages(options);

/** Really tries what a sandbox must stop. */
export const selfTest = async (executor: Executor, limits: Limits): Promise<readonly SelfTestResult[]> =>
  (await import("./self-test.js")).selfTest(executor, limits);

/** Builds the container image from the programs of this machine. */
export const buildImage = async (options: BuildImageOptions): Promise<BuiltImage> =>
  (await import("./container/build-image.js")).buildImage(options);

/** Makes the Python environment with the data libraries, and returns its interpreter. */
export const createPythonEnvironment = async (options: EnvironmentOptions): Promise<string> =>
  (await import("./python/create-environment.js")).createPythonEnvironment(options);
