// Finds the folder of the WebAssembly engine's package, which is the same on every platform.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { CoordinatorError } from "../../contracts/index.js";

const require = createRequire(import.meta.url);

/** The package's folder. Throws SANDBOX_UNAVAILABLE if it is not installed. */
export const findEngine = (): string => {
  try {
    return dirname(require.resolve("quickjs-wasi/package.json"));
  } catch (cause) {
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      'Cannot start the sandbox "wasm": the package "quickjs-wasi" is not installed',
      { cause, hint: 'Run "npm install" again to install the optional package "quickjs-wasi".' },
    );
  }
};
