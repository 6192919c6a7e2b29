// `npm test`: lint, types, tests, unused code, the package; the last line says `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { checkout, prepare } from "./prepare.mjs";
import { runOpenly, runQuietly } from "./run-process.mjs";

const node = await prepare();
const inModules = (...path) => join(checkout, "node_modules", ...path);
// What a test starts as "node" is the Node that the tests themselves run on.
const options = {
  cwd: checkout,
  env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}` },
};

const compiler = inModules("typescript", "bin", "tsc");
const checksBefore = [
  ["lint", [inModules("@biomejs", "biome", "bin", "biome"), "check", "."]],
  ["types of src", [compiler, "-p", "tsconfig.json"]],
  ["types of tests", [compiler, "-p", "tsconfig.test.json"]],
  ["types of guests", [compiler, "-p", "tsconfig.guest.json"]],
];
const checksAfter = [
  ["unused code", [inModules("knip", "bin", "knip.js")]],
  ["package", [inModules("publint", "src", "cli.js"), "--strict"]],
];

const failedChecks = [];
const runChecks = async (checks) => {
  for (const [name, words] of checks) {
    const { code, output } = await runQuietly(node, words, options);
    console.log(`${code === 0 ? "ok    " : "failed"} ${name}`);
    if (code === 0) continue;
    failedChecks.push(name);
    console.log(output.trim());
  }
};

const runTests = async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-test-"));
  try {
    const report = join(folder, "counts.json");
    const reporters = ["--reporter=default", `--reporter=${join(checkout, "scripts", "count-reporter.mjs")}`];
    const words = [inModules("vitest", "vitest.mjs"), "run", ...reporters, ...process.argv.slice(2)];
    const env = { ...options.env, TEST_COUNTS_FILE: report };
    const code = await runOpenly(node, words, { ...options, env });
    const counts = JSON.parse(readFileSync(report, "utf8"));
    // A run can fail without a failed test, e.g. by an error outside of every test.
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } catch (error) {
    console.log(`Cannot count the tests: ${error.message}`);
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

await runChecks(checksBefore);
const counts = await runTests();
await runChecks(checksAfter);

const failed = counts.failed + failedChecks.length;
if (failedChecks.length > 0) console.log(`Failed besides the tests: ${failedChecks.join(", ")}`);
process.exitCode = failed === 0 ? 0 : 1;
console.log(
  `${counts.passed} passed, ${failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""}`,
);
