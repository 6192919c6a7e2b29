// What every script needs first: a Node that is new enough, the dependencies, the build.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { ensureDependencies } from "./ensure-dependencies.mjs";
import { ensureNode } from "./ensure-node.mjs";

/** The checkout's folder. */
export const checkout = dirname(dirname(fileURLToPath(import.meta.url)));

/** One line for each slow step, then the path of the Node to go on with; a failure is told and ends the script. */
export const prepare = async () => {
  const say = (line) => console.error(line);
  try {
    const node = await ensureNode(checkout, say);
    await ensureDependencies(checkout, node, say);
    await build(checkout, node, say);
    return node;
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
};
