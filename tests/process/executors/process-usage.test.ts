// Finds the process whose memory and time count, below its wrappers.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { findDescendant } from "../../../src/executors/host/process-usage.js";

describe.runIf(process.platform === "linux")("findDescendant() (needs Linux)", () => {
  it("finds the last process of a chain of wrappers", async () => {
    const shell = spawn("sh", ["-c", "sh -c 'sleep 60; true'; true"], { detached: true, stdio: "ignore" });
    onTestFinished(() => {
      if (shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL");
    });

    await expect
      .poll(() => readFileSync(`/proc/${findDescendant(shell.pid)}/comm`, "utf8").trim())
      .toBe("sleep");
  });

  it("returns a process itself if it has no children or has ended", () => {
    expect(findDescendant(0x7fff_fffe)).toBe(0x7fff_fffe);
    expect(findDescendant(undefined)).toBeUndefined();
  });
});
