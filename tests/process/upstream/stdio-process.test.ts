// A process ends in steps, together with the processes that it started.

import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startProcess } from "../../../src/upstream/transport/stdio-process.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const start = (args: readonly string[], command = process.execPath) => {
  const started = startProcess({ command, args, env: { PATH: process.env.PATH ?? "" } });
  onTestFinished(started.end);
  return started;
};

/** A process that has ended but was not collected by its parent yet does not count. */
const isAlive = (processId: number): boolean => {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(processId)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
};

describe("startProcess()", () => {
  it("ends a process that exits when its stdin ends, without a signal", async () => {
    const { child, started, end } = start([fixturePath("echo")]);
    await started;
    await end();
    expect([child.exitCode, child.signalCode]).toEqual([0, null]);
  });

  it.skipIf(process.platform === "win32")(
    "kills a process that ignores the end of stdin and SIGTERM (needs a Unix system)",
    async () => {
      const { child, readStderr, end } = start([fixturePath("hangs-at-start"), "--stubborn"]);
      await expect.poll(readStderr).toContain("still waiting");
      await end();
      expect(child.signalCode).toBe("SIGKILL");
    },
  );

  it.skipIf(process.platform === "win32")(
    "ends the processes that it has started itself (needs a Unix system)",
    async () => {
      const file = join(await temporaryFolder(), "pid");
      const script = `sleep 600 & echo $! > "${file}"; cat > /dev/null`;
      const { child, end } = start(["-c", script], "/bin/sh");
      await expect.poll(() => readFile(file, "utf8").catch(() => "")).toMatch(/^\d+\n$/);
      const grandchild = Number(await readFile(file, "utf8"));
      expect(isAlive(grandchild)).toBe(true);
      await end();
      expect(child.exitCode).toBe(0);
      await expect.poll(() => isAlive(grandchild)).toBe(false);
    },
  );

  it("stores the last 8 KB of stderr", async () => {
    const { ended, readStderr } = start(["-e", "process.stderr.write('x'.repeat(20000) + 'END')"]);
    await ended;
    expect(readStderr()).toBe(`${"x".repeat(8 * 1024 - 3)}END`);
  });

  it("rejects if the process cannot be started, and has nothing to end", async () => {
    const { started, ended, end } = start([], "/no/such/program");
    await expect(started).rejects.toMatchObject({ code: "ENOENT" });
    await ended;
    await end();
  });
});
