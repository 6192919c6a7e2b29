// Tests run one file a process; the long ones start real servers and sandboxes.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    maxWorkers: 2,
    // Real processes on a shared machine: a second try there, and vitest says which test needed it.
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
