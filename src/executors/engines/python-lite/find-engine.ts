// Finds the embedded Python's package.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { CoordinatorError } from "../../../contracts/index.js";

export interface EmbeddedEngine {
  readonly folder: string;
  readonly version: string;
  /** Folders of the packages it loads besides itself. */
  readonly others: readonly string[];
}

const require = createRequire(import.meta.url);

/** Throws SANDBOX_UNAVAILABLE if the package is not installed. */
export const findEngine = (): EmbeddedEngine => {
  try {
    const file = require.resolve("pyodide/package.json");
    const { version } = require(file) as { readonly version: string };
    const own = createRequire(file);
    return { folder: dirname(file), version, others: [dirname(own.resolve("ws/package.json"))] };
  } catch (cause) {
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      'Cannot start the sandbox "python-lite": the optional package "pyodide" is not installed',
      { cause, hint: 'Run "npm install" again to install the optional package "pyodide".' },
    );
  }
};
