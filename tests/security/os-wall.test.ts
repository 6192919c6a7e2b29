// The operating system's walls, attacked from inside by a process that is already hostile.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { syscalls } from "../../src/executors/walls/syscalls.mjs";
import { toWalledCommand } from "../../src/executors/walls/walled-node.js";
import type { Wall } from "../../src/executors/walls/walls.js";
import { findNativeFolder, planWalls } from "../../src/executors/walls/walls.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { asNobody, findUserObstacle, findWallObstacle } from "../support/walls.js";

interface Report {
  readonly report: { readonly walls: readonly string[]; readonly missing: readonly unknown[] };
  /** Attempt → error number, 0 when it succeeded. */
  readonly results: Readonly<Record<string, number>>;
  readonly swept: Readonly<Record<string, number>>;
  readonly work: Readonly<Record<string, unknown>>;
}

const errors = { EPERM: 1, ENOENT: 2, ESRCH: 3, EACCES: 13, ECONNREFUSED: 111 };
const escapeAttempts = fileURLToPath(new URL("../fixtures/os-wall/escape-attempts.mjs", import.meta.url));
const executors = fileURLToPath(new URL("../../src/executors/", import.meta.url));
const nativeFolder = findNativeFolder();
let server: Server;
let port = 0;

beforeAll(async () => {
  server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => server.close());

interface ImprisonOptions {
  readonly isJitless?: boolean;
  readonly prefix?: (command: string, args: readonly string[]) => readonly string[];
}

const imprison = async (walls: readonly Wall[], options: ImprisonOptions = {}): Promise<Report> => {
  const { isJitless = false, prefix = (command, args) => [command, ...args] } = options;
  const folder = join(await temporaryFolder(), "open");
  mkdirSync(folder, { mode: 0o777 });
  writeFileSync(join(folder, "secret"), "planted");
  writeFileSync(join(folder, "removable"), "");
  const native = nativeFolder ?? "";
  const wanted = {
    nativeFolder: native,
    secret: join(folder, "secret"),
    folder,
    port,
    hostProcessId: process.pid,
    isWalled: walls.length > 0,
  };
  const { command, args } = toWalledCommand(
    {
      walls,
      isJitless,
      flags: [],
      file: escapeAttempts,
      readable: [executors, escapeAttempts, `${native}/`],
      args: [JSON.stringify(wanted)],
    },
    planWalls(walls),
  );
  const [first = "", ...rest] = prefix(command, args);
  const { stdout, stderr, signal } = spawnSync(first, rest, { encoding: "utf8", env: {} });
  // What it wrote to stderr says why there is nothing to read.
  expect([signal, stdout === "" ? stderr : ""]).toEqual([null, ""]);
  return JSON.parse(stdout);
};

const exceptOf = (results: Readonly<Record<string, number>>, names: readonly string[]): readonly number[] =>
  Object.entries(results)
    .filter(([name]) => !names.includes(name))
    .map(([, outcome]) => outcome);

const describeWith = (walls: readonly Wall[], run: () => void): void => {
  const obstacle = nativeFolder === undefined ? "no foreign-function binary" : findWallObstacle(walls);
  const title = `${walls.join(" and ") || "a process without walls"}${obstacle === undefined ? "" : ` (skipped: ${obstacle})`}`;
  describe.skipIf(obstacle !== undefined)(title, run);
};

describeWith([], () => {
  it("lets every attempt succeed, which shows that the attempts are real", async () => {
    const { report, results } = await imprison([]);

    expect(report.walls).toEqual([]);
    for (const name of [
      "read a file",
      "list a folder",
      "make a file",
      "remove a file",
      "connect to the host",
    ])
      expect([name, results[name]]).toEqual([name, 0]);
    expect([results["signal its host"], results["make a file in memory"]]).toEqual([0, 0]);
  });
});

describeWith(["seccomp", "landlock"], () => {
  it("refuse every attempt", async () => {
    const { report, results } = await imprison(["seccomp", "landlock"]);

    expect(report).toEqual({ walls: ["landlock", "seccomp"], missing: [] });
    expect(new Set(exceptOf(results, ["make memory executable"]))).toEqual(new Set([errors.EPERM]));
  });

  it("refuse every system call without a rule", async () => {
    const { swept } = await imprison(["seccomp"]);

    const answered = Object.entries(swept).filter(([, outcome]) => outcome !== errors.EPERM);
    expect(Object.keys(swept).length).toBeGreaterThan(450);
    expect(answered).toEqual([]);
  });

  it("allow what the engine needs: compiler, garbage collector, random numbers, clock and time zone", async () => {
    const { work, results } = await imprison(["seccomp", "landlock"]);

    expect(results["make memory executable"]).toBe(0);
    expect(work).toMatchObject({ hash: expect.any(Number), total: 500_100, random: 16 });
    expect(work.year).toBe(new Date().getFullYear());
  });

  it("let no memory become executable in jitless mode", async () => {
    const { results, work } = await imprison(["seccomp", "landlock"], { isJitless: true });

    expect(results["make memory executable"]).toBe(errors.EPERM);
    expect(work.total).toBe(500_100);
  });

  it.skipIf(process.arch !== "x64")(
    "kill a process that makes system calls of another architecture (needs x64)",
    () => {
      const x32Read = 0x4000_0000;
      const code = `
      const binary = { exports: {} };
      process.dlopen(binary, process.argv[1] + "/linux_x64/koffi.node");
      const syscall = binary.exports.load(null).func("long syscall(long)");
      const { lockDown } = await import(process.argv[2]);
      lockDown({ nativeFolder: process.argv[1], walls: ["seccomp"], isJitless: false, isStrict: true });
      syscall(${x32Read});`;
      const { signal } = spawnSync(
        process.execPath,
        ["--input-type=module", "-e", code, nativeFolder ?? "", `${executors}walls/lock-down.mjs`],
        { encoding: "utf8" },
      );

      expect(signal).toBe("SIGSYS");
    },
  );
});

describeWith(["landlock"], () => {
  it("alone blocks files, programs and ports", async () => {
    const { report, results } = await imprison(["landlock"]);

    expect(report.walls).toEqual(["landlock"]);
    for (const name of ["read a file", "list a folder", "make a file", "remove a file", "start a program"])
      expect([name, results[name]]).toEqual([name, errors.EACCES]);
  });
});

describeWith(["bubblewrap"], () => {
  it("alone shows none of the host's files, ports and processes", async () => {
    const { results } = await imprison(["bubblewrap"]);

    for (const name of ["read a file", "list a folder", "read its own environment", "start a program"])
      expect([name, results[name]]).toEqual([name, errors.ENOENT]);
    expect(results["connect to the host"]).toBe(errors.ECONNREFUSED);
    expect(results["signal its host"]).toBe(errors.ESRCH);
    expect(results["mount something"]).toBe(errors.EPERM);
  });
});

describeWith(["bubblewrap", "landlock", "seccomp"], () => {
  it("together refuse every attempt", async () => {
    const { report, results } = await imprison(["bubblewrap", "landlock", "seccomp"]);

    expect(report.walls).toEqual(["landlock", "seccomp"]);
    expect(new Set(exceptOf(results, ["make memory executable"]))).toEqual(new Set([errors.EPERM]));
  });

  const obstacle = findUserObstacle();
  it.skipIf(obstacle !== undefined)(
    `protect a process of an ordinary user${obstacle === undefined ? "" : ` (skipped: ${obstacle})`}`,
    async () => {
      const { report, results } = await imprison(["bubblewrap", "landlock", "seccomp"], { prefix: asNobody });

      expect(report).toEqual({ walls: ["landlock", "seccomp"], missing: [] });
      expect(new Set(exceptOf(results, ["make memory executable"]))).toEqual(new Set([errors.EPERM]));
    },
  );
});

it.runIf(process.platform === "linux")(
  "the io_uring rings that Node opens have no kernel thread (needs Linux)",
  () => {
    const code = `
    const { readdirSync, readFileSync, promises } = require("node:fs");
    const read = (name) => { try { return readFileSync("/proc/self/fdinfo/" + name, "utf8"); } catch { return ""; } };
    promises.stat("/").then(() =>
      console.log(JSON.stringify(readdirSync("/proc/self/fdinfo").flatMap((name) => /SqThread:\\s*(\\S+)/.exec(read(name))?.[1] ?? []))));`;
    const { stdout } = spawnSync(process.execPath, ["-e", code], { encoding: "utf8", env: {} });

    // With one, a ring could do work that no filter sees. Without, it does nothing before a call that is refused.
    expect(JSON.parse(stdout).filter((thread: string) => thread !== "-1")).toEqual([]);
  },
);

it("the table of system calls names each one once for each architecture", () => {
  for (const architecture of ["x64", "arm64"] as const) {
    const numbers = Object.values<{ x64?: number; arm64?: number }>(syscalls).flatMap(
      (entry) => entry[architecture] ?? [],
    );
    expect(new Set(numbers).size).toBe(numbers.length);
  }
});
