// `npm start`: from a fresh clone to the demo on real servers.
import { join } from "node:path";
import { checkout, prepare } from "./prepare.mjs";
import { runOpenly } from "./run-process.mjs";

const node = await prepare();
process.exitCode = await runOpenly(node, [
  join(checkout, "bin", "mcp-coordinator.mjs"),
  "demo",
  ...process.argv.slice(2),
]);
