// The processes of a pool when they are killed or closed, or when their host dies.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { defaultLimits, type GuestAnswer } from "../../../src/contracts/index.js";
import { openIsolateExecutor } from "../../../src/executors/engines/typescript.js";
import { findDescendant } from "../../../src/executors/host/process-usage.js";
import { toJob } from "../../support/guest-job.js";

const job = toJob({ code: "export default async () => 1" });

const childrenOf = (processId: number | undefined): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === processId;
      } catch {
        return false;
      }
    })
    .map(Number);

/** The processor time of each of our processes, in kernel ticks. */
const readTicks = (): ReadonlyMap<number, number> =>
  new Map(
    childrenOf(process.pid)
      .map((processId) => findDescendant(processId) ?? processId)
      .map((processId) => [
        processId,
        Number(readFileSync(`/proc/${processId}/stat`, "utf8").split(") ")[1]?.split(" ")[11]),
      ]),
  );

const isAlive = (processId: number): boolean => {
  try {
    process.kill(processId, 0);
    return !/\) Z /.test(readFileSync(`/proc/${processId}/stat`, "utf8"));
  } catch {
    return false;
  }
};

describe.runIf(process.platform === "linux")("openIsolateExecutor() (needs Linux)", () => {
  it("fails only the run whose process is killed, and recovers", async () => {
    const executor = openIsolateExecutor({ limits: defaultLimits });
    const limits = { ...defaultLimits, timeoutMs: 25_000 };
    await executor.run(job);
    const spinning = executor.run({
      ...job,
      code: "export default async () => { while (true) {} }",
      limits,
    });
    const { promise: released, resolve: release } = Promise.withResolvers<GuestAnswer>();
    let isWaiting = false;
    const other = executor.run({
      ...job,
      code: "export default async () => await server.wait()",
      globals: { server: "server" },
      host: {
        call: () => {
          isWaiting = true;
          return released;
        },
      },
      limits,
    });
    // From now on the other process only waits: the busy one runs the endless loop.
    await expect.poll(() => isWaiting).toBe(true);
    const before = readTicks();
    const findSpinning = () =>
      [...readTicks()].find(([processId, ticks]) => ticks >= (before.get(processId) ?? 0) + 20)?.[0];
    await expect.poll(findSpinning).toBeDefined();

    process.kill(findSpinning() ?? 0, "SIGKILL");
    release({ status: "answered", format: "json", body: "2" });

    expect(await spinning).toMatchObject({ status: "failed", failure: { code: "SANDBOX_CRASHED" } });
    expect(await other).toMatchObject({ status: "completed", valueJson: "2" });
    expect(await executor.run(job)).toMatchObject({ status: "completed", valueJson: "1" });
    await executor.close();
  });

  it("keeps its process and accepts the next run when the host was busy after a run", async () => {
    const executor = openIsolateExecutor({ limits: defaultLimits });
    await executor.run(job);
    const before = childrenOf(process.pid);
    for (let round = 0; round < 3; round++) {
      expect(await executor.run(job)).toMatchObject({ status: "completed", valueJson: "1" });
      // Longer than a sandbox may take to clean up: its message stays unread meanwhile.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    }

    expect(await executor.run(job)).toMatchObject({ status: "completed", valueJson: "1" });
    expect(childrenOf(process.pid)).toEqual(expect.arrayContaining(before));
    await executor.close();
  });

  it("leaves no process behind when it is closed", async () => {
    const executor = openIsolateExecutor({ limits: defaultLimits });
    const before = childrenOf(process.pid);
    await Promise.all(Array.from({ length: 5 }, () => executor.run(job)));
    const started = childrenOf(process.pid).filter((processId) => !before.includes(processId));

    await executor.close();

    expect(started.length).toBeGreaterThan(0);
    expect(started.filter(isAlive)).toEqual([]);
  });

  it("can be closed by several callers at once", async () => {
    const executor = openIsolateExecutor({ limits: defaultLimits });
    await executor.run(job);
    await Promise.all([executor.close(), executor.close()]);
    await executor.close();
  });

  it("dies with its host, even when the host is killed", async () => {
    const dist = fileURLToPath(new URL("../../../dist/executors/engines/typescript.js", import.meta.url));
    const limits = JSON.stringify({ ...defaultLimits, timeoutMs: 1500 });
    const host = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { openIsolateExecutor } from ${JSON.stringify(dist)}; const executor = openIsolateExecutor({ limits: ${limits} }); const job = { language: "typescript", code: "export default async () => { await server.up(); while (true) {} }", files: [], globals: { server: "server" }, host: { call: async () => { console.log("up"); return { status: "answered", format: "json", body: "null" } } }, limits: ${limits} }; executor.run(job)`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await new Promise((resolve) => host.stdout.once("data", resolve));
    const children = childrenOf(host.pid);

    host.kill("SIGKILL");

    expect(children.length).toBeGreaterThan(0);
    await expect.poll(() => children.filter(isAlive)).toEqual([]);
  });

  it("gives its child an empty environment", async () => {
    const executor = openIsolateExecutor({ limits: defaultLimits, walls: [] });
    const before = childrenOf(process.pid);
    await executor.run(job);

    const environments = childrenOf(process.pid)
      .filter((processId) => !before.includes(processId))
      .map((processId) => readFileSync(`/proc/${processId}/environ`, "utf8"));

    expect(environments.length).toBeGreaterThan(0);
    expect(environments.join("")).toBe("");
    await executor.close();
  });
});
