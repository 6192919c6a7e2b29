// A Vitest reporter: prints how many tests each file skips and why, then what failed, and writes the counts to a file for `npm test`. A skip without a reason is a failure.
import { writeFileSync } from "node:fs";
import { relative } from "node:path";

/** The text after "skipped: " in a title, or in parentheses at its end. */
const reasonIn = (title) => {
  const text = title.endsWith(")") ? title.slice(0, -1) : title;
  const mark = ["(skipped: ", "skipped: ", " ("].find((sign) => text.includes(sign));
  if (mark === undefined || (mark === " (" && text === title)) return undefined;
  return text.slice(text.indexOf(mark) + mark.length);
};

/** Why a test is skipped: its note, or the reason in its title or in that of a suite around it. */
const toReason = (test) => {
  let reason = test.result().note;
  for (let part = test; reason === undefined && part?.name !== undefined; part = part.parent)
    reason = reasonIn(part.name);
  return reason;
};

/** One line for each file and reason. */
const listSkips = (modules) =>
  modules.flatMap((module) => {
    const counts = new Map();
    for (const test of module.children.allTests("skipped")) {
      const reason = toReason(test);
      const shown = reason ?? `FAILED, it must say what it needs: "${test.fullName}"`;
      counts.set(shown, { isExplained: reason !== undefined, count: (counts.get(shown)?.count ?? 0) + 1 });
    }
    const file = relative(process.cwd(), module.moduleId);
    return [...counts].map(([shown, { isExplained, count }]) => ({
      file,
      isExplained,
      line: `skipped ${count} in ${file}: ${shown}`,
    }));
  });

const firstLine = (error) => String(error?.message ?? error).split("\n", 1)[0];

/** One line for each failure, at the end of the output: the details are far above. */
const listFailures = (modules, unhandledErrors) => [
  ...modules.flatMap((module) => {
    const file = relative(process.cwd(), module.moduleId);
    const tests = [...module.children.allTests("failed")];
    const lines = tests.map((test) => `${file} > ${test.fullName}: ${firstLine(test.result().errors?.[0])}`);
    const isBroken = module.state() === "failed" && tests.length === 0;
    return isBroken ? [`${file}: ${firstLine(module.errors()[0] ?? "a suite failed")}`] : lines;
  }),
  ...unhandledErrors.map((error) => `outside of all tests: ${firstLine(error)}`),
];

class CountReporter {
  #isFiltered = false;

  onInit({ config }) {
    // Tests that a name pattern excludes count as skipped.
    this.#isFiltered = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const skips = this.#isFiltered ? [] : listSkips(modules);
    for (const { line } of skips) console.log(line);
    for (const line of listFailures(modules, unhandledErrors)) console.log(`failed ${line}`);
    // A file that cannot be loaded has no failed test of its own.
    const brokenFiles = modules.filter(
      (module) => module.state() === "failed" && [...module.children.allTests("failed")].length === 0,
    );
    const unexplained = skips.filter(({ isExplained }) => !isExplained);
    const counts = {
      passed: count("passed"),
      failed: count("failed") + brokenFiles.length + unhandledErrors.length + unexplained.length,
      skipped: count("skipped"),
      skippedFiles: [...new Set(skips.map(({ file }) => file))],
    };
    const file = process.env.TEST_COUNTS_FILE;
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
  }
}

// biome-ignore lint/style/noDefaultExport: Vitest takes a reporter's default export.
export default CountReporter;
