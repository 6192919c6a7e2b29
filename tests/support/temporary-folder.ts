// A folder for one test, removed after it.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates an empty folder that is removed after the test. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "mcp-coordinator-test-")));
  // A child that was just ended may still write to its cache.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
};
