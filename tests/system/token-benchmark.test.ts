// Tasks of the token benchmark, really run: one that code wins by far, and one that it loses.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

interface Figures {
  readonly definitions: number;
  readonly calls: number;
  readonly results: number;
  readonly turns: number;
  readonly largest: number;
  readonly total: number;
}
interface Measured {
  readonly answer: string;
  readonly direct: Figures;
  readonly code: {
    readonly default: Figures & { readonly saved: { readonly largest: number; readonly total: number } };
  };
}
interface Task {
  readonly name: string;
  readonly worlds: readonly string[];
}

const root = new URL("../../", import.meta.url);
const load = async (path: string): Promise<unknown> =>
  import(new URL(`benchmarks/tokens/${path}`, root).href);
const world = fileURLToPath(new URL("benchmarks/tokens/servers/serve-world.mjs", root));
const bin = fileURLToPath(new URL("bin/mcp-coordinator.mjs", root));
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coordinator-token-benchmark-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const measure = async (path: string): Promise<Measured> => {
  const { measureTask } = (await load("measure-task.mjs")) as {
    measureTask: (task: Task, options: object) => Promise<Measured>;
  };
  const { task } = (await load(path)) as { task: Task };
  const servers = Object.fromEntries(
    task.worlds.map((name) => [name, { command: process.execPath, args: [world, name] }]),
  );
  const config = join(folder, `${task.name}.json`);
  writeFileSync(config, JSON.stringify({ mcpServers: servers }));
  const launch = { command: process.execPath, args: [bin] };
  const coordinator = { launch, config, cacheFolder: join(folder, task.name) };
  return measureTask(task, { servers, surfaces: { default: coordinator } });
};

test("the expense workload is the same every time, and costs a program less than a twentieth", async () => {
  const { answer, direct, code } = await measure("cases/team-expenses.mjs");

  expect(answer).toMatch(/^Over their travel budget: \w+ \w+ \(\d+ of \d+\)/);
  expect(direct).toMatchObject({ definitions: 284, calls: 218, results: 37_429, turns: 4, total: 77_078 });
  expect(code.default.turns).toBeLessThanOrEqual(3);
  expect(code.default.saved.total).toBeGreaterThan(0.95);
  expect(code.default.saved.largest).toBeGreaterThan(0.95);
});

test("one small call over five tools is cheaper without us, and the benchmark says so", async () => {
  const { direct, code } = await measure("cases/single-call.mjs");

  expect(direct.total).toBeLessThan(code.default.total);
  expect(code.default.saved.total).toBeLessThan(0);
});
