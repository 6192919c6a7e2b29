// A Vitest reporter: names every skipped test with its reason, and leaves the counts in a file for `npm test`.
import { writeFileSync } from "node:fs";

/** A suite that is skipped as a whole has its reason in its title, in parentheses. */
const toReason = (test) => {
  const { note } = test.result();
  if (note !== undefined) return `: ${note}`;
  return /\(.+\)/.test(test.fullName) ? "" : ": no reason given";
};

class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state) => tests.filter((test) => test.result().state === state);
    const skipped = inState("skipped");
    for (const test of skipped) console.log(`skipped: ${test.fullName}${toReason(test)}`);
    // A file that cannot be loaded has no failed test of its own.
    const brokenFiles = modules.filter(
      (module) =>
        module.state() === "failed" &&
        ![...module.children.allTests()].some((test) => test.result().state === "failed"),
    );
    const counts = {
      passed: inState("passed").length,
      failed: inState("failed").length + brokenFiles.length + unhandledErrors.length,
      skipped: skipped.length,
    };
    const file = process.env.TEST_COUNTS_FILE;
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
  }
}

// biome-ignore lint/style/noDefaultExport: Vitest takes a reporter's default export.
export default CountReporter;
