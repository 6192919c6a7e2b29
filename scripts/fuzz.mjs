// `npm run fuzz [-- TARGET…] [--seconds N] [--seed N]`: fuzzes the parsers and decoders of untrusted input. Findings are stored in .cache/fuzz/.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkout, prepare } from "./prepare.mjs";
import { runOpenly } from "./run-process.mjs";

if (process.env.MCP_COORDINATOR_FUZZ === undefined) {
  // The targets need the project's own Node and a current build.
  const node = await prepare();
  const env = { ...process.env, MCP_COORDINATOR_FUZZ: "1" };
  process.exitCode = await runOpenly(node, process.argv.slice(1), { cwd: checkout, env });
} else {
  const { fuzzTarget, targetNames } = await import("../tests/fuzz/run-target.mjs");
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: "string", default: "60" }, seed: { type: "string" } },
  });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const folder = join(checkout, ".cache", "fuzz");
  for (const target of positionals.length > 0 ? positionals : targetNames) {
    const milliseconds = Number(values.seconds) * 1000;
    const { inputs, findings } = await fuzzTarget({ target, seed, milliseconds });
    console.log(`${target}: ${inputs} inputs, ${findings.length} findings (seed ${seed})`);
    for (const [index, { problem, input }] of findings.entries()) {
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `${target}-${seed}-${index}.txt`);
      writeFileSync(file, input);
      console.log(`  ${problem}\n  input: ${file}`);
      process.exitCode = 1;
    }
  }
}
