// A guest has a lower scheduling priority than its host, even in its own session.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { describe, expect, it } from "vitest";
import { lowerPriority } from "../../../src/executors/host/lower-priority.js";

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
  it("gives a process a lower priority than this one", async () => {
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
    "gives its helper threads an even lower priority: a program never waits for its compiler (needs Linux)",
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

  it("does not change a session shared with this process", async () => {
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

  it("does nothing if there is no such process", () => {
    expect(() => lowerPriority(undefined)).not.toThrow();
    expect(() => lowerPriority(0x7fff_fff0)).not.toThrow();
  });
});
