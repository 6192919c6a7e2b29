// `npm test`: lint, types, unused code, the package and every test; with arguments, only the named tests. The last line is `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { checkout, prepare } from "./prepare.mjs";
import { runOpenly, runQuietly } from "./run-process.mjs";

const filters = process.argv.slice(2);
const isWhole = filters.length === 0;

// With filters, Vitest builds if one of the tests needs it.
const node = await prepare({ isBuilt: isWhole });
const inModules = (...path) => join(checkout, "node_modules", ...path);
// Tests that start "node" get the Node that runs the tests.
const options = {
  cwd: checkout,
  env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}` },
};

const compiler = inModules("typescript", "bin", "tsc");
// The build has already checked the types of src/.
const checks = [
  ["lint", [inModules("@biomejs", "biome", "bin", "biome"), "check", "."]],
  ["types of tests", [compiler, "-p", "tsconfig.test.json"]],
  ["types of guests", [compiler, "-p", "tsconfig.guest.json"]],
  ["unused code", [inModules("knip", "bin", "knip.js")]],
  ["package", [inModules("publint", "src", "cli.js"), "--strict"]],
];

/** Runs a check and prints one line. Returns its name if it failed. */
const runCheck = async ([name, words]) => {
  const { code, output } = await runQuietly(node, words, options);
  console.log(code === 0 ? `ok     ${name}` : `failed ${name}\n${output.trim()}`);
  return code === 0 ? [] : [name];
};

const runTests = async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-test-"));
  try {
    const report = process.env.TEST_COUNTS_FILE ?? join(folder, "counts.json");
    const reporters = ["--reporter=default", `--reporter=${join(checkout, "scripts", "count-reporter.mjs")}`];
    const mode = filters.includes("--watch") ? [] : ["run"];
    const words = [inModules("vitest", "vitest.mjs"), ...mode, ...reporters, ...filters];
    const env = { ...options.env, TEST_COUNTS_FILE: report };
    const code = await runOpenly(node, words, { ...options, env });
    const counts = JSON.parse(readFileSync(report, "utf8"));
    // A run can fail without a failed test, e.g. by an error outside all tests.
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } catch (error) {
    console.log(`Cannot count the tests: ${error.message}`);
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const failedChecks = isWhole ? (await Promise.all(checks.map(runCheck))).flat() : [];
const counts = await runTests();

const failed = counts.failed + failedChecks.length;
if (failedChecks.length > 0) console.log(`Failed besides the tests: ${failedChecks.join(", ")}`);
process.exitCode = failed === 0 ? 0 : 1;
console.log(
  `${counts.passed} passed, ${failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""}`,
);
