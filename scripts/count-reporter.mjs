// A Vitest reporter: says how many tests each file skips and why, and leaves the counts in a file for `npm test`.
import { writeFileSync } from "node:fs";
import { relative } from "node:path";

/** What a title says after "skipped: ", or in parentheses at its end. */
const reasonIn = (title) => {
  const text = title.endsWith(")") ? title.slice(0, -1) : title;
  const mark = ["(skipped: ", "skipped: ", " ("].find((sign) => text.includes(sign));
  if (mark === undefined || (mark === " (" && text === title)) return undefined;
  return text.slice(text.indexOf(mark) + mark.length);
};

/** Why a test is skipped: its own note, or what its title or that of a suite around it says. */
const toReason = (test) => {
  let reason = test.result().note;
  for (let part = test; reason === undefined && part?.name !== undefined; part = part.parent)
    reason = reasonIn(part.name);
  return reason ?? `no reason given for "${test.fullName}"`;
};

/** One line for each file and reason. */
const listSkips = (modules) =>
  modules.flatMap((module) => {
    const counts = new Map();
    for (const test of module.children.allTests("skipped")) {
      const reason = toReason(test);
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    const file = relative(process.cwd(), module.moduleId);
    return [...counts].map(([reason, count]) => ({ file, line: `skipped ${count} in ${file}: ${reason}` }));
  });

class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const skips = listSkips(modules);
    for (const { line } of skips) console.log(line);
    // A file that cannot be loaded has no failed test of its own.
    const brokenFiles = modules.filter(
      (module) => module.state() === "failed" && [...module.children.allTests("failed")].length === 0,
    );
    const counts = {
      passed: count("passed"),
      failed: count("failed") + brokenFiles.length + unhandledErrors.length,
      skipped: count("skipped"),
      skippedFiles: [...new Set(skips.map(({ file }) => file))],
    };
    const file = process.env.TEST_COUNTS_FILE;
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
  }
}

// biome-ignore lint/style/noDefaultExport: Vitest takes a reporter's default export.
export default CountReporter;
