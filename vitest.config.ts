// Tests run one file a process; the long ones start real servers and sandboxes.
import { defineConfig } from "vitest/config";
import { testState } from "./tests/support/test-state.js";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What runs keep without being told where is not the user's.
    env: { XDG_STATE_HOME: testState },
    globalSetup: ["tests/support/test-state.ts", "tests/support/fresh-build.mjs"],
    setupFiles: ["tests/support/watch-host.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Real processes on a shared machine: a second try there, and vitest says which test needed it.
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
