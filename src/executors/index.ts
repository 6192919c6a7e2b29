// Sandboxes: run untrusted programs and tell how they ended.
import type { BuildImageOptions, BuiltImage } from "./container/build-image.js";
import type { EnvironmentOptions } from "./python/create-environment.js";

export { type Executors, openExecutors } from "./open-executors.js";
export { openPackages } from "./packages/open-packages.js";
export { selfTest } from "./self-test.js";

/** Builds the container image from the programs of this machine. */
export const buildImage = async (options: BuildImageOptions): Promise<BuiltImage> =>
  (await import("./container/build-image.js")).buildImage(options);

/** Makes the Python environment with the data libraries, and returns its interpreter. */
export const createPythonEnvironment = async (options: EnvironmentOptions): Promise<string> =>
  (await import("./python/create-environment.js")).createPythonEnvironment(options);
