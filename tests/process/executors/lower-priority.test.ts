// A guest gives way: to the scheduler it is less urgent than its host, in a session of its own too.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { describe, expect, it } from "vitest";
import { lowerPriority } from "../../../src/executors/lower-priority.js";

const openSleeper = ({
  hasSession,
}: {
  readonly hasSession: boolean;
}): { readonly processId: number; readonly end: () => Promise<void> } => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
    detached: hasSession,
    stdio: "ignore",
  });
  return {
    processId: child.pid ?? 0,
    end: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGKILL");
      }),
  };
};

const readAutogroup = (processId: number): string | undefined => {
  try {
    return readFileSync(`/proc/${processId}/autogroup`, "utf8");
  } catch {
    return undefined;
  }
};

describe("lowerPriority()", () => {
  it("makes a process less urgent than this one", async () => {
    const { processId, end } = openSleeper({ hasSession: true });
    try {
      expect(getPriority(processId)).toBe(getPriority());
      lowerPriority(processId);
      expect(getPriority(processId)).toBeGreaterThan(getPriority());
      const group = readAutogroup(processId);
      if (group !== undefined && group !== "") expect(group).toMatch(/nice 10$/m);
    } finally {
      await end();
    }
  });

  it.runIf(process.platform === "linux")(
    "puts back its helpers further: a program never waits for what compiles it (needs Linux)",
    async () => {
      const { processId, end } = openSleeper({ hasSession: true });
      const listHelpers = (): readonly number[] =>
        readdirSync(`/proc/${processId}/task`)
          .map(Number)
          .filter((thread) => thread !== processId);
      try {
        await expect.poll(() => listHelpers().length).toBeGreaterThan(3);
        lowerPriority(processId);
        for (const thread of listHelpers())
          expect(getPriority(thread)).toBeGreaterThan(getPriority(processId));
      } finally {
        await end();
      }
    },
  );

  it("leaves the session alone that it shares with this one", async () => {
    const before = readAutogroup(process.pid);
    const { processId, end } = openSleeper({ hasSession: false });
    try {
      lowerPriority(processId);
      expect(getPriority(processId)).toBeGreaterThan(getPriority());
      expect(readAutogroup(process.pid)).toBe(before);
    } finally {
      await end();
    }
  });

  it("leaves everything as it is where there is no such process", () => {
    expect(() => lowerPriority(undefined)).not.toThrow();
    expect(() => lowerPriority(0x7fff_fff0)).not.toThrow();
  });
});
