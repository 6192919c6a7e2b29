// `npm run bench [-- words]`: builds, then benchmarks the main path, the sandboxes and the direct surface, or what the first word names.
import { join } from "node:path";
import { checkout, prepare } from "./prepare.mjs";
import { runOpenly } from "./run-process.mjs";

const straightPath = "run.mjs";
const partsOfStraightPath = [
  "start",
  "commands",
  "runs",
  "calls",
  "journal",
  "data",
  "compute",
  "stop",
  "tokens",
];
/** First word → script. The other words are passed to the script. */
const scripts = {
  sandboxes: "sandboxes/run.mjs",
  memory: "memory.mjs",
  soak: "sandboxes/soak.mjs",
  peers: "peers/run.mjs",
  direct: "direct/run.mjs",
  policy: "policy.mjs",
  privacy: "privacy/run.mjs",
  walls: "walls/run.mjs",
  servers: "servers/run.mjs",
  cold: "servers/cold.mjs",
};

const [first, ...others] = process.argv.slice(2);
// The other scripts of package.json name their file, so that they too run with a Node that is new enough.
const chosen = first?.endsWith(".mjs")
  ? [[first, ...others]]
  : first === undefined
    ? [[straightPath], [scripts.sandboxes], [scripts.direct]]
    : Object.hasOwn(scripts, first)
      ? [[scripts[first], ...others]]
      : [[straightPath, first, ...others]];

const unknown =
  chosen[0][0] === straightPath && chosen[0].slice(1).find((word) => !partsOfStraightPath.includes(word));
if (unknown) {
  const known = [...partsOfStraightPath, ...Object.keys(scripts)].join(", ");
  console.error(`Cannot measure "${unknown}": expected one of ${known}`);
  process.exit(1);
}
const node = await prepare();
for (const [script, ...words] of chosen) {
  const code = await runOpenly(node, [join(checkout, "benchmarks", script), ...words], { cwd: checkout });
  process.exitCode ||= code;
}
