// Prepares what every script needs: a recent Node, the dependencies, the build.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { ensureDependencies } from "./ensure-dependencies.mjs";
import { ensureNode } from "./ensure-node.mjs";

/** The checkout's folder. */
export const checkout = dirname(dirname(fileURLToPath(import.meta.url)));

/** Prints one line for each slow step and returns the path of a recent Node. On failure it prints the error and exits. */
export const prepare = async ({ isBuilt = true } = {}) => {
  const say = (line) => console.error(line);
  try {
    const node = await ensureNode(checkout, say);
    await ensureDependencies(checkout, node, say);
    if (isBuilt) await build(checkout, node, say);
    return node;
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
};
