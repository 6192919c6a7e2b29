// Finds the V8 isolate engine's binary for this Node: isolated-vm 7 supports Node 24 and 26, 6.2 supports Node 22.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { CoordinatorError } from "../../contracts/index.js";

const require = createRequire(import.meta.url);

/** The path of the engine's addon. Throws SANDBOX_UNAVAILABLE if none fits. */
export const findEngine = (): string => {
  const nodeMajor = Number(process.versions.node.split(".")[0]);
  const packageName = nodeMajor >= 24 ? "isolated-vm" : "isolated-vm-node22";
  try {
    const folder = dirname(require.resolve(`${packageName}/package.json`));
    const findBinary: { path: (folder: string) => string } = createRequire(`${folder}/package.json`)(
      "node-gyp-build",
    );
    return findBinary.path(folder);
  } catch (cause) {
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      `Cannot start the sandbox "isolate": no engine for Node ${process.versions.node} on ${process.platform}-${process.arch}`,
      {
        cause,
        hint: `Run "npm install" again, with Node 22, 24 or 26, to install the optional package "${packageName}".`,
      },
    );
  }
};
