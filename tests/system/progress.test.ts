// The progress of a real server reaches the caller of the program.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { openCoordinator, type ToolProgress } from "../../src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const everything = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json")),
  "dist/index.js",
);

it("a server's progress is reported during a call, if it was requested", async () => {
  const folder = await temporaryFolder();
  const coordinator = await openCoordinator({
    config: { mcpServers: { everything: { command: process.execPath, args: [everything] } } },
    settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
  });
  try {
    const reported: ToolProgress[] = [];
    const code = "return await everything.triggerLongRunningOperation({ duration: 0.3, steps: 3 })";
    const { status } = await coordinator.runCode({ code, onProgress: (line) => reported.push(line) });
    expect(status).toBe("completed");
    // The last one comes with the answer, and may be too late for it.
    expect(reported.slice(0, 2)).toEqual(
      [1, 2].map((step) => ({
        server: "everything",
        tool: "trigger-long-running-operation",
        message: `${step} of 3`,
        progress: step,
        total: 3,
      })),
    );
    expect((await coordinator.runCode({ code })).status).toBe("completed");
  } finally {
    await coordinator.close();
  }
});
