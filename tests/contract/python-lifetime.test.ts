// Python processes: none is left behind, and the end of one affects no other run.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/contracts/index.js";
import { openPythonExecutor } from "../../src/executors/engines/python/python.js";
import { rounds } from "../support/rounds.js";
import { runPython } from "./python-run.js";

/** Processes of this machine that descend from us and run our zygote. */
const zygotes = (): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, "utf8").includes("zygote.py") && isOurs(id);
      } catch {
        return false;
      }
    });

const isOurs = (id: number): boolean => {
  for (let at = id; at > 1; ) {
    if (at === process.pid) return true;
    at = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${at}/status`, "utf8"))?.[1] ?? 0);
  }
  return false;
};

/** bubblewrap ends with the process that it started, so one of the two may be gone already. */
const kill = (id: number): void => {
  try {
    process.kill(id, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};

// A folder of its own, without files of others.
const temporaryFolder = mkdtempSync(join(tmpdir(), "mcp-lifetime-"));
process.env.TMPDIR = temporaryFolder;
afterAll(() => rmSync(temporaryFolder, { recursive: true, force: true }));

for (const wall of ["bubblewrap", "self"] as const) {
  const executor = openPythonExecutor({ limits: defaultLimits, wall, preload: [] });
  const { isAvailable, reason } = await executor.inspect();

  describe.skipIf(!isAvailable || !existsSync("/proc"))(
    `python processes behind ${wall}${isAvailable ? "" : ` (skipped: ${reason})`}`,
    () => {
      afterAll(() => executor.close());

      it("starts no process before it is needed, and leaves no process and no folder after close()", async () => {
        const before = readdirSync(temporaryFolder);
        const limits = { ...defaultLimits, concurrentRuns: 1 };
        const short = openPythonExecutor({ limits, wall, preload: [] });
        expect(zygotes()).toEqual([]);
        const spinning = runPython({ executor: short, code: "while True: pass" });
        await expect.poll(() => short.statistics().activeRuns).toBe(1);
        const waiting = runPython({ executor: short, code: "1" });
        expect(zygotes().length).toBeGreaterThan(0);

        await short.close();

        expect((await spinning).outcome).toMatchObject({ failure: { code: "SANDBOX_CRASHED" } });
        expect((await waiting).outcome).toMatchObject({ status: "stopped", reason: "cancelled" });
        await expect.poll(zygotes).toEqual([]);
        expect(readdirSync(temporaryFolder)).toEqual(before);
      });

      it("reports the limit that stopped a run, although answers to its calls are still on their way", async () => {
        const code = "import asyncio\nawait asyncio.gather(*[server.echo(number) for number in range(2000)])";
        for (let round = 0; round < rounds(20, 500); round++) {
          const { outcome } = await runPython({ executor, code, limits: { calls: 100, memoryMb: 512 } });
          expect(outcome).toMatchObject({ status: "stopped", reason: "calls" });
        }
      });

      it("fails the runs of a killed zygote, and recovers", async () => {
        await runPython({ executor, code: "1" });
        const waiting = runPython({ executor, code: "import time\nprint('up')\ntime.sleep(20)" });
        await expect.poll(() => executor.statistics().activeRuns).toBe(1);
        for (const id of zygotes()) kill(id);

        expect((await waiting).outcome).toMatchObject({
          status: "failed",
          failure: { code: "SANDBOX_CRASHED" },
        });
        // A spare that was forked earlier dies with its zygote, and the next run may already have taken it.
        let after: unknown;
        for (let tries = 0; tries < 20 && after !== 2; tries++) {
          after = (await runPython({ executor, code: "1 + 1" }).catch(() => ({ value: undefined }))).value;
        }
        expect(after).toBe(2);
      });

      it("runs many programs in parallel and in sequence, and keeps one idle process", async () => {
        const values = await Promise.all(
          Array.from({ length: 40 }, async (_, i) => (await runPython({ executor, code: `${i} + 1` })).value),
        );

        expect(values).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
        await expect.poll(() => executor.statistics().processes).toBeLessThanOrEqual(2);
      });
    },
  );
}

describe("python that cannot run", () => {
  it("refuses a run and reports the missing interpreter", async () => {
    const nowhere = openPythonExecutor({ limits: defaultLimits, interpreter: "/nowhere/python3" });

    expect(await nowhere.inspect()).toMatchObject({
      isAvailable: false,
      reason: expect.stringContaining("/nowhere/python3"),
    });
    await expect(runPython({ executor: nowhere, code: "1" })).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
    });
    await nowhere.close();
  });

  it.skipIf(process.platform === "darwin")(
    "refuses a run if the required wall is not available (not on macOS)",
    async () => {
      const unwalled = openPythonExecutor({ limits: defaultLimits, wall: "seatbelt" });

      await expect(runPython({ executor: unwalled, code: "1" })).rejects.toMatchObject({
        code: "SANDBOX_UNAVAILABLE",
        message: expect.stringContaining("sandbox-exec"),
      });
      await unwalled.close();
    },
  );
});
