// What the kernel reports about sandbox processes without bubblewrap: they run as nobody without privileges, under every user that runs the host.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { defaultLimits, type Executor } from "../../src/contracts/index.js";
import { openPythonExecutor } from "../../src/executors/engines/python/python.js";
import { openPythonLiteExecutor } from "../../src/executors/engines/python-lite.js";
import { openIsolateExecutor, openWasmExecutor } from "../../src/executors/engines/typescript.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { findWallObstacle } from "../support/walls.js";

const walls = ["landlock", "seccomp"] as const;
const obstacle = findWallObstacle(walls);
const because = obstacle === undefined ? "" : ` (skipped: ${obstacle})`;

const childrenOf = (processId: number): readonly number[] =>
  readdirSync(`/proc/${processId}/task`).flatMap((thread) =>
    readFileSync(`/proc/${processId}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );

/** Processes without children, below one: what guests live in. */
const leavesBelow = (processId: number): readonly number[] =>
  childrenOf(processId).flatMap((child) => {
    const below = leavesBelow(child);
    return below.length === 0 ? [child] : below;
  });

/** What the kernel says of each thread: its user, its effective and permitted capabilities; of the first also the rest. */
const privilegesOf = (processId: number): readonly string[] => {
  const field = (status: string, name: string): string =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, "m").exec(status)?.[1]?.replaceAll("\t", " ") ?? "?";
  const threads = readdirSync(`/proc/${processId}/task`).map((thread) =>
    readFileSync(`/proc/${processId}/task/${thread}/status`, "utf8"),
  );
  const [main = ""] = threads;
  return [
    ...new Set(
      threads.map((status) =>
        ["Uid", "Gid", "CapEff", "CapPrm", "NoNewPrivs"]
          .map((name) => `${name} ${field(status, name)}`)
          .join(", "),
      ),
    ),
    ["CapInh", "CapBnd", "CapAmb", "Groups"].map((name) => `${name} ${field(main, name).trim()}`).join(", "),
  ];
};

const none = "0000000000000000";
const user = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
const group = process.getuid?.() === 0 ? 65_534 : process.getgid?.();
const four = (id: number | undefined): string => Array(4).fill(id).join(" ");
const ofNobody = [
  `Uid ${four(user)}, Gid ${four(group)}, CapEff ${none}, CapPrm ${none}, NoNewPrivs 1`,
  expect.stringMatching(
    process.getuid?.() === 0
      ? `^CapInh ${none}, CapBnd ${none}, CapAmb ${none}, Groups $`
      : `^CapInh ${none},`,
  ),
];

/** The value of a program that calls a tool, and what the kernel reported about every guest's process while it waited. */
const lookAt = async (executor: Executor, code: string): Promise<{ value: unknown; said: unknown[] }> => {
  const said: unknown[] = [];
  const [language = "typescript"] = executor.languages;
  const outcome = await executor.run({
    language,
    code,
    files: [],
    globals: { desk: "desk" },
    host: {
      call: async () => {
        // A spare process may not have set up its walls yet, and another may start in the meantime.
        await vi
          .waitFor(
            () => {
              said.splice(0, said.length, ...leavesBelow(process.pid).map(privilegesOf));
              expect(said.length).toBeGreaterThan(0);
              for (const one of said) expect(one).toEqual(ofNobody);
            },
            { timeout: 20_000, interval: 50 },
          )
          .catch(() => {});
        return { status: "answered", format: "json", body: "1" };
      },
    },
    limits: { ...defaultLimits, timeoutMs: 60_000 },
  });
  await executor.close();
  expect(outcome).toEqual(expect.objectContaining({ status: "completed" }));
  return {
    value: outcome.status === "completed" ? JSON.parse(outcome.valueJson ?? "null") : undefined,
    said,
  };
};

const waiting = "export default async () => await desk.tool()";

describe.skipIf(obstacle !== undefined)(`a sandbox process without bubblewrap${because}`, () => {
  it.for([
    ["isolate", () => openIsolateExecutor({ limits: defaultLimits, walls }), waiting],
    ["wasm", () => openWasmExecutor({ limits: defaultLimits, walls }), waiting],
    ["python-lite", () => openPythonLiteExecutor({ limits: defaultLimits, walls }), "await desk.tool()"],
    [
      "python",
      () =>
        openPythonExecutor({
          limits: defaultLimits,
          wall: "self",
          preload: [],
          interpreter: "/usr/bin/python3",
        }),
      "await desk.tool()",
    ],
  ] as const)(
    "of %s runs as nobody on every thread, without capabilities or a way to gain them",
    async ([_name, open, code], context) => {
      const executor = open();
      const { isAvailable, reason } = await executor.inspect();
      if (!isAvailable) return context.skip(reason);
      const { value, said } = await lookAt(executor, code);

      expect(value).toBe(1);
      expect(said.length).toBeGreaterThan(0);
      for (const one of said) expect(one).toEqual(ofNobody);
    },
  );
});

const makePython = async (): Promise<{ readonly python: string } | { readonly problem: string }> => {
  const folder = join(await temporaryFolder(), "home");
  mkdirSync(folder, { mode: 0o700 });
  const environment = join(folder, "versions", "own");
  const made = spawnSync("python3", ["-m", "venv", "--without-pip", environment], { encoding: "utf8" });
  if (made.status !== 0) return { problem: made.error?.message ?? made.stderr.trim() };
  const found = spawnSync(
    join(environment, "bin", "python3"),
    ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
    { encoding: "utf8" },
  );
  writeFileSync(join(found.stdout.trim(), "only_here.py"), "answer = 42\n", { mode: 0o644 });
  return { python: environment };
};

describe.skipIf(obstacle !== undefined)(
  `a Python in a folder that only its owner may enter${because}`,
  () => {
    it("runs as nobody, and still imports its modules while a program runs", async ({ skip }) => {
      const made = await makePython();
      if ("problem" in made) return skip(`no virtual environment can be made: ${made.problem}`);
      const executor = openPythonExecutor({
        limits: defaultLimits,
        wall: "self",
        preload: [],
        interpreter: made.python,
      });
      const report = await executor.inspect();
      expect(report.reason ?? "").not.toContain("Permission denied");
      expect(report).toMatchObject({ isAvailable: true });

      const { value, said } = await lookAt(
        executor,
        "await desk.tool()\nimport only_here, sqlite3\nonly_here.answer",
      );

      expect(value).toBe(42);
      for (const one of said) expect(one).toEqual(ofNobody);
    });
  },
);
