// A folder for one test, removed after it.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Makes an empty folder that is gone when the test is over. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "mcp-coordinator-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
