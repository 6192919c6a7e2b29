// What every script needs first: a Node that is new enough, the dependencies, the build.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { ensureDependencies } from "./ensure-dependencies.mjs";
import { ensureNode } from "./ensure-node.mjs";

/** The checkout's folder. */
export const checkout = dirname(dirname(fileURLToPath(import.meta.url)));

/** Prints one line for each slow step and answers with the path of a Node that is new enough; reports a failure and ends the script. */
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
