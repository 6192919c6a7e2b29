// Containers end with their runs and their host; none is left behind, whatever happens to either.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Executor, GuestJob } from "../../src/contracts/index.js";
import { defaultLimits } from "../../src/contracts/index.js";
import {
  type ContainerExecutorOptions,
  openContainerExecutor,
} from "../../src/executors/engines/container/container.js";
import { createContainerNames, removeOwn } from "../../src/executors/engines/container/container-names.js";
import { findRuntime } from "../../src/executors/engines/container/container-runtime.js";
import { findContainerObstacle, listOwnContainers } from "../support/container-image.js";
import { toJob, toProgram } from "../support/guest-job.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const obstacle = await findContainerObstacle();
const hasPodman = spawnSync("podman", ["--version"]).status === 0;
const reason = obstacle ?? (hasPodman ? undefined : "looks at the containers through podman");

const toServerJob = (body: string, changes: Partial<GuestJob> = {}): GuestJob =>
  toJob({ code: toProgram(body), globals: { server: "server" }, ...changes });

const open = (options: Partial<ContainerExecutorOptions> = {}): Executor => {
  const executor = openContainerExecutor({ limits: defaultLimits, ...options });
  onTestFinished(() => executor.close());
  return executor;
};

/** Names that start like those of this process: other tests have their own containers. */
const prefixOfProcess = createContainerNames().prefix.replace(/\d+-$/, "");
const ownNow = (prefix = prefixOfProcess): readonly string[] =>
  listOwnContainers().filter((name) => name.startsWith(prefix));
const podman = (...args: string[]): string =>
  execFileSync("podman", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
const processOf = (name: string): number => Number(podman("inspect", "--format", "{{.State.Pid}}", name));
const runningNow = (prefix: string): readonly string[] =>
  podman("ps", "--filter", `name=^${prefix}`, "--format", "{{.Names}}").split("\n").filter(Boolean);

/** Podman, with something that happens right after each `podman ps`; returns its path. */
const writeRuntime = async (afterListing: string): Promise<string> => {
  const path = join(await temporaryFolder(), "podman");
  const script = `[ "$1" = ps ] || exec podman "$@"\npodman "$@"\n${afterListing}`;
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
};

/** A host in its own process whose guest spins. */
const startSpinningHost = async (runtime: string) => {
  const built = fileURLToPath(
    new URL("../../dist/executors/engines/container/container.js", import.meta.url),
  );
  const options = JSON.stringify({ limits: defaultLimits, runtime });
  const job = JSON.stringify({ ...toServerJob("while (true) {}"), host: undefined });
  const script = `import { openContainerExecutor } from ${JSON.stringify(built)};
    const executor = openContainerExecutor(${options});
    void executor.run({ ...${job}, host: {} });
    setInterval(() => { if (executor.statistics().activeRuns === 1) console.log("at work"); }, 50);`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void host.kill("SIGKILL"));
  await once(host.stdout, "data");
  return { host, prefix: prefixOfProcess.replace(/-\d+-\d+-$/, `-${host.pid}-`) };
};

describe.skipIf(reason !== undefined)(
  `the container executor${reason === undefined ? "" : ` (${reason})`}`,
  () => {
    it("removes every container on close(), including one in an endless loop", async () => {
      const executor = open();
      await executor.run(toServerJob("return 1"));
      const spinning = executor.run(toServerJob("while (true) {}"));
      await expect.poll(() => executor.statistics().activeRuns).toBe(1);
      expect(ownNow()).not.toEqual([]);

      await executor.close();

      expect((await spinning).status).toBe("failed");
      expect(ownNow()).toEqual([]);
    });

    it("reuses a container for the next run", async () => {
      const executor = open();
      await executor.run(toServerJob("return 1"));
      const before = ownNow();

      await executor.run(toServerJob("return 2"));

      expect(ownNow()).toEqual(before);
    });

    it("ends the last container after an idle time, and starts another when needed", async () => {
      const executor = open({ idleMs: 100 });
      await executor.run(toServerJob("return 1"));

      await expect.poll(() => ownNow()).toEqual([]);

      expect(executor.statistics().processes).toBe(0);
      expect(await executor.run(toServerJob("return 2"))).toMatchObject({ valueJson: "2" });
    });

    it("replaces a container that no longer answers before it gets a run", async () => {
      const executor = open({ checkAfterMs: 50 });
      await executor.run(toServerJob("return 1"));
      const [frozen = ""] = ownNow();
      process.kill(processOf(frozen), "SIGSTOP");
      // Longer than `checkAfterMs`: what was used just now is not checked.
      await new Promise((resolve) => setTimeout(resolve, 100));

      expect(await executor.run(toServerJob("return 2"))).toMatchObject({ valueJson: "2" });

      await expect.poll(() => ownNow()).not.toContain(frozen);
    });

    it("fails only the run whose container is killed, and recovers", async () => {
      const executor = open();
      await executor.run(toServerJob("return 1"));
      const [name = ""] = ownNow();
      const lost = executor.run(toServerJob("while (true) {}"));
      await expect.poll(() => executor.statistics().activeRuns).toBe(1);
      process.kill(processOf(name), "SIGKILL");

      expect(await lost).toMatchObject({ status: "failed", failure: { code: "SANDBOX_CRASHED" } });
      expect(await executor.run(toServerJob("return 2"))).toMatchObject({ valueJson: "2" });
    });

    it("keeps a session's state in a separate container", async () => {
      const executor = open();
      const session = "one";
      await executor.run(toServerJob("globalThis.count = 41", { session }));

      expect(await executor.run(toServerJob("return ++globalThis.count", { session }))).toMatchObject({
        valueJson: "42",
      });
      expect(await executor.run(toServerJob("return typeof globalThis.count"))).toMatchObject({
        valueJson: '"undefined"',
      });
      await executor.resetSession(session);
      await expect.poll(() => ownNow()).toHaveLength(1);
    });

    it("uses stdin and stdout if the runtime passes no descriptors, like Docker", async () => {
      // Podman behind Docker's command line: it answers `info` like Docker and accepts no option of its own.
      const docker = join(await temporaryFolder(), "docker");
      const script = `[ "$1" = info ] && echo '28.2.2 []' || exec podman "$@"`;
      await writeFile(docker, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const executor = open({ runtime: docker });

      expect(await executor.run(toServerJob("return await server.echo({})"))).toMatchObject({
        valueJson: "null",
      });
      const python = { language: "python", code: "1 + 1" } as const;
      if (!(await executor.inspect()).gaps.includes("the image has no Python"))
        expect(await executor.run(toServerJob("", python))).toMatchObject({ valueJson: "2" });
    });

    it("removes the containers of a host that has ended, and no others", async () => {
      const gone = spawnSync(process.execPath, ["--version"]).pid;
      const orphan = createContainerNames().next().replace(`-${process.pid}-`, `-${gone}-`);
      const foreign = orphan.replace(/^mcp-coordinator-[0-9a-f]{8}/, "mcp-coordinator-00000000");
      const image = "localhost/mcp-coordinator-guest:latest";
      for (const name of [orphan, foreign])
        podman("create", "--name", name, "--label", "mcp-coordinator=guest", image, "node");
      onTestFinished(() => void podman("rm", "--force", foreign));

      await open().run(toServerJob("return 1"));

      await expect.poll(() => listOwnContainers()).not.toContain(orphan);
      expect(listOwnContainers()).toContain(foreign);
    });

    it("leaves no container behind if the host is killed during an endless loop while a spare waits", async () => {
      const { host, prefix } = await startSpinningHost("podman");
      await expect.poll(() => runningNow(prefix).length).toBeGreaterThan(1);

      host.kill("SIGKILL");

      await expect.poll(() => ownNow(prefix)).toEqual([]);
    });

    it("leaves no container behind if one ends while the others are being removed", async () => {
      // Lists a container that has ended since, like a spare that noticed the end of its host.
      const runtime = await writeRuntime("echo gone-already");
      const { host, prefix } = await startSpinningHost(runtime);
      expect(ownNow(prefix)).not.toEqual([]);

      host.kill("SIGKILL");

      await expect.poll(() => ownNow(prefix)).toEqual([]);
    });

    it("removes a container on close() even if another one on its list is already gone", async () => {
      const prefix = createContainerNames().next();
      const names = ["1", "2"].map((number) => prefix.replace(/\d+$/, number));
      const image = "localhost/mcp-coordinator-guest:latest";
      for (const name of names)
        podman("create", "--name", name, "--label", "mcp-coordinator=guest", image, "node");
      const runtime = await findRuntime({
        runtime: await writeRuntime(`podman rm --force ${names[0]} >/dev/null`),
      });

      await removeOwn(runtime, prefix.replace(/\d+$/, ""));

      expect(listOwnContainers().filter((name) => names.includes(name))).toEqual([]);
    });
  },
);

describe("openContainerExecutor()", () => {
  it("reports what is missing if there is no runtime, and starts nothing", async () => {
    const executor = openContainerExecutor({ limits: defaultLimits, runtime: "/nowhere/podman" });

    expect(await executor.inspect()).toMatchObject({
      isAvailable: false,
      reason: expect.stringContaining("/nowhere/podman"),
      fix: expect.stringContaining("Podman"),
      walls: [],
    });
    await expect(executor.run(toServerJob("return 1"))).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      hint: expect.stringContaining("Podman"),
    });
    await executor.close();
  });

  it.skipIf(reason !== undefined)(
    "reports which image is missing and how to get it (needs podman)",
    async () => {
      const image = "localhost/no-such-image:latest";
      const executor = openContainerExecutor({ limits: defaultLimits, image });

      expect(await executor.inspect()).toMatchObject({
        isAvailable: false,
        reason: `there is no image "${image}"`,
        fix: expect.stringContaining(`pull ${image}`),
      });
      await executor.close();
    },
  );
});
