// `npm run bench`: the benchmarks on what was just built; words after `--` go to them.
import { join } from "node:path";
import { checkout, prepare } from "./prepare.mjs";
import { runOpenly } from "./run-process.mjs";

const node = await prepare();
const words = [join(checkout, "benchmarks", "run.mjs"), ...process.argv.slice(2)];
process.exitCode = await runOpenly(node, words, { cwd: checkout });
