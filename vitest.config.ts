// The tests in tiers, each a Vitest project: `--project unit` runs one of them.
import { defineConfig } from "vitest/config";
import { testState } from "./tests/support/test-state.js";

const inFolders = (...names: readonly string[]): string[] =>
  names.map((name) => `tests/${name}/**/*.test.ts`);

const unit = inFolders("unit");
const process = inFolders("process");
const sandbox = inFolders("contract", "security");

// These start real processes, among them the checker process, which runs from dist/.
const withProcesses = {
  pool: "forks" as const,
  globalSetup: ["tests/support/test-state.ts", "tests/support/fresh-build.mjs"],
};

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // Runs that are not told where to keep their state must not use the user's folder.
    env: { XDG_STATE_HOME: testState },
    projects: [
      { extends: true, test: { name: "unit", include: unit, ...withProcesses } },
      { extends: true, test: { name: "process", include: process, ...withProcesses } },
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
          exclude: [...unit, ...process, ...sandbox],
          ...withProcesses,
        },
      },
    ],
  },
});
