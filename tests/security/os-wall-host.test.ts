// Sandbox processes behind the operating system's walls, seen from the host: they end with it, work for any user, and report the active walls.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { GuestJob } from "../../src/contracts/index.js";
import { executorsFolder, findUrlModule } from "../../src/executors/engines/guest-files.js";
import { findIsolateAddon } from "../../src/executors/engines/typescript.js";
import { spawnChannel } from "../../src/executors/host/guest-channel.js";
import { GuestProcess } from "../../src/executors/host/guest-process.js";
import { findDescendant } from "../../src/executors/host/process-usage.js";
import { toWalledCommand } from "../../src/executors/walls/walled-node.js";
import { planWalls, type Wall, type WallCommand } from "../../src/executors/walls/walls.js";
import { toJob, toProgram } from "../support/guest-job.js";
import { asNobody, findUserObstacle, findWallObstacle } from "../support/walls.js";

const child = fileURLToPath(
  new URL("../../src/executors/guests/typescript/isolate-child.mjs", import.meta.url),
);
const host = fileURLToPath(new URL("../fixtures/os-wall/host.mjs", import.meta.url));

const toCommand = (walls: readonly Wall[]): WallCommand => {
  const addon = findIsolateAddon();
  const urlModule = findUrlModule();
  return toWalledCommand(
    {
      walls,
      isJitless: false,
      flags: ["--no-node-snapshot"],
      file: child,
      readable: [`${executorsFolder}/`, addon, urlModule],
      args: [addon, "256", urlModule],
    },
    planWalls(walls),
  );
};

const job = (body: string): GuestJob => toJob({ code: toProgram(body) });

/** An ended process may still wait for its parent to collect it. */
const isAlive = (processId: number | undefined): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${processId}/status`, "utf8"));
  } catch {
    return false;
  }
};

const describeWith = (walls: readonly Wall[], run: () => void): void => {
  const obstacle = findWallObstacle(walls);
  const title = `behind ${walls.join(" and ")}:${obstacle === undefined ? "" : ` (skipped: ${obstacle})`}`;
  describe.skipIf(obstacle !== undefined)(title, run);
};

const combinations: readonly (readonly Wall[])[] = [
  ["landlock", "seccomp"],
  ["bubblewrap"],
  ["bubblewrap", "landlock", "seccomp"],
];

for (const walls of combinations) {
  describeWith(walls, () => {
    it("a process in an endless loop ends when its host is killed", async () => {
      const { command, args } = toCommand(walls);
      const parent = spawn(process.execPath, [host, command, JSON.stringify(args)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const started = await new Promise<string>((resolve) => parent.stdout.once("data", resolve));
      const spinning = findDescendant(Number(started));
      expect(isAlive(spinning)).toBe(true);

      parent.kill("SIGKILL");

      await expect.poll(() => isAlive(spinning)).toBe(false);
    });

    const obstacle = findUserObstacle();
    it.skipIf(obstacle !== undefined)(
      `a program of an ordinary user runs${obstacle === undefined ? "" : ` (skipped: ${obstacle})`}`,
      async () => {
        const { command, args } = toCommand(walls);
        const [first = "", ...rest] = asNobody(command, args);
        let said: unknown;
        const guest = new GuestProcess({
          ...spawnChannel({ command: first, args: rest, environment: { PATH: process.env.PATH ?? "" } }),
          onReady: (header) => {
            said = header.walls;
          },
        });
        await guest.ready;

        expect(await guest.run(job("return 1"))).toMatchObject({ status: "completed", valueJson: "1" });
        expect(said).toEqual(walls.filter((wall) => wall !== "bubblewrap"));
        await guest.close();
      },
    );
  });
}

describeWith(["bubblewrap", "landlock", "seccomp"], () => {
  it("the kernel reports the process as filtered, unprivileged and unable to gain privileges", async () => {
    const { command, args } = toCommand(["bubblewrap", "landlock", "seccomp"]);
    const channel = spawnChannel({ command, args });
    const guest = new GuestProcess(channel);
    await guest.ready;
    const processId = findDescendant(channel.processId());

    const status = readFileSync(`/proc/${processId}/status`, "utf8");

    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    await guest.close();
  });
});
