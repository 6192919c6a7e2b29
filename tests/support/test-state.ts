// The state folder of tests that name none, removed after all of them.
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const testState = join(tmpdir(), `mcp-coordinator-test-state-${process.pid}`);

/** Vitest calls it after all tests. */
export const teardown = (): void => rmSync(testState, { recursive: true, force: true });
