// `npm run examples [-- names]`: runs every example, two at a time, or only the named ones; a single one shows its output.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkout, prepare } from "./prepare.mjs";
import { runOpenly, runQuietly } from "./run-process.mjs";

const root = join(checkout, "examples");
const names = readdirSync(root, { recursive: true })
  .filter((path) => path.endsWith("run.mjs"))
  .map((path) => dirname(path).replaceAll("\\", "/"))
  .sort();

const wanted = process.argv.slice(2).map((word) => word.replace(/\/$/, ""));
const chosen =
  wanted.length === 0 ? names : names.filter((name) => wanted.some((word) => name.endsWith(word)));
const unknown = wanted.find((word) => !names.some((name) => name.endsWith(word)));
if (unknown !== undefined) {
  console.error(`Cannot run the example "${unknown}": expected one of ${names.join(", ")}`);
  process.exit(1);
}

const node = await prepare();
const toWords = (name) => [join(root, name, "run.mjs")];
const runOne = async (name) => {
  const startedAt = performance.now();
  const { code, output } = await runQuietly(node, toWords(name));
  const reason = /^skipped: .*$/m.exec(output)?.[0];
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? (reason ?? "ok") : "failed"}  ${name}  ${seconds} s`);
  if (code === 0) return;
  console.log(output);
  process.exitCode = 1;
};

if (chosen.length === 1) {
  process.exitCode = await runOpenly(node, toWords(chosen[0]));
} else {
  const waiting = [...chosen];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await runOne(name);
  };
  await Promise.all([work(), work()]);
}
