// What happens if bubblewrap is installed but does not work, or not at once.
import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { defaultLimits, type Executor } from "../../../../src/contracts/index.js";
import { findBubblewrap } from "../../../../src/executors/walls/outer-walls.js";
import { toJob } from "../../../support/guest-job.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const realBubblewrap = findBubblewrap();

const job = toJob({ code: "export default async () => 1" });

describe.runIf(process.platform === "linux")(
  "a bubblewrap that is installed and does not work (needs Linux)",
  () => {
    // Facts about bubblewrap are cached for the life of the process: each test needs fresh modules.
    let folder: string;
    const install = (...lines: readonly string[]): void => {
      const failure = ["echo 'bwrap: No permissions to create new namespace' >&2", "exit 1", ""];
      writeFileSync(join(folder, "bwrap"), ["#!/bin/sh", ...lines, ...failure].join("\n"), { mode: 0o755 });
    };
    beforeEach(async () => {
      vi.resetModules();
      folder = await temporaryFolder();
      install();
      vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
    });
    afterEach(() => {
      vi.unstubAllEnvs();
    });

    const open = async (options: { readonly walls?: readonly ["bubblewrap"] } = {}): Promise<Executor> => {
      const { openIsolateExecutor } = await import("../../../../src/executors/engines/typescript.js");
      const executor = openIsolateExecutor({ limits: defaultLimits, ...options });
      onTestFinished(() => executor.close());
      return executor;
    };

    it("is left out and reported as missing", async () => {
      const executor = await open();

      expect(await executor.run(job)).toMatchObject({ status: "completed", valueJson: "1" });
      const { walls, gaps, reason } = await executor.inspect();
      expect(walls).not.toContain("bubblewrap");
      expect(gaps.join()).toContain("without bubblewrap (bwrap: No permissions to create new namespace)");
      expect(reason).toContain("No permissions");
    });

    it("does not block the host while it is tried", async () => {
      const [tried, go] = [join(folder, "tried"), join(folder, "go")];
      install(`case "$*" in *--version) : >${tried}; while [ ! -e ${go} ]; do sleep 0.05; done;; esac`);
      const executor = await open();
      const running = executor.run(job);

      await expect.poll(() => existsSync(tried)).toBe(true);
      writeFileSync(go, "");

      expect(await running).toMatchObject({ status: "completed" });
      // The reason is not that the trial timed out.
      expect((await executor.inspect()).reason).toContain("No permissions");
    });

    it.skipIf(realBubblewrap === undefined)("stays in use if it failed only for a moment", async () => {
      const count = join(folder, "count");
      install(`echo >>${count}`, `[ $(wc -l <${count}) -gt 2 ] && exec ${realBubblewrap} "$@"`);
      const executor = await open();

      expect(await executor.run(job)).toMatchObject({ status: "completed" });
      expect((await executor.inspect()).walls).toContain("bubblewrap");
    });

    it("does not prevent a session from starting", async () => {
      const executor = await open();

      expect(await executor.run({ ...job, session: "first" })).toMatchObject({ status: "completed" });
    });

    it("leaves Python to the next wall, even if it reports nothing", async () => {
      install("exit 0");
      const { openPythonExecutor } = await import("../../../../src/executors/engines/python/python.js");
      const executor = openPythonExecutor({ limits: defaultLimits });
      onTestFinished(() => executor.close());

      expect(await executor.run({ ...job, language: "python", code: "1" })).toMatchObject({
        status: "completed",
      });
      const { walls, reason } = await executor.inspect();
      expect(walls).toContain("Landlock");
      expect(reason).toContain("bubblewrap: what it reported is not JSON");
    });

    it("prevents every start when it was requested by name", async () => {
      const executor = await open({ walls: ["bubblewrap"] });

      await expect(executor.run(job)).rejects.toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
    });
  },
);
