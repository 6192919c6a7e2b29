// The tests in tiers, each a Vitest project: `--project unit` runs one of them.
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { testState } from "./tests/support/test-state.js";

const inFolders = (...names: readonly string[]): string[] =>
  names.map((name) => `tests/${name}/**/*.test.ts`);

const unit = inFolders("unit");
const processes = inFolders("process");
const sandbox = inFolders("contract", "security");

// These start real processes, among them the checker process, which runs from dist/. On a busy machine that takes its time.
const withProcesses = {
  pool: "forks" as const,
  globalSetup: ["tests/support/test-state.ts", "tests/support/fresh-build.mjs"],
};

/** On a fresh machine Vitest starts large files first. These are small and slow: at the end, one of them would run alone. */
const slowFiles = /(?:examples\/examples|cli\/setup|durable\/killed-host|acceptance\/bundle)\.test\.ts$/;

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification): boolean => slowFiles.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  test: {
    // How long a busy machine may take. What is waited for with `expect.poll` is named when it does not come.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // The tests wait for other processes half of the time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
    // Runs that are not told where to keep their state must not use the user's folder.
    env: { XDG_STATE_HOME: testState },
    projects: [
      {
        extends: true,
        test: {
          // Pure modules: they share a thread, because nothing that they load has state.
          name: "unit",
          include: unit,
          pool: "threads",
          isolate: false,
          globalSetup: ["tests/support/test-state.ts", "tests/support/token-table.mjs"],
          setupFiles: ["tests/support/no-processes.ts"],
        },
      },
      { extends: true, test: { name: "process", include: processes, ...withProcesses } },
      {
        extends: true,
        // What guests and servers may do: this depends on the sandboxes that the machine offers.
        test: {
          name: "sandbox",
          include: sandbox,
          setupFiles: ["tests/support/watch-host.ts"],
          ...withProcesses,
        },
      },
      {
        extends: true,
        // The whole coordinator, and every test that no other tier names.
        test: {
          name: "system",
          include: ["tests/**/*.test.ts"],
          exclude: [...unit, ...processes, ...sandbox],
          ...withProcesses,
        },
      },
    ],
  },
});
