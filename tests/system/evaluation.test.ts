// The evaluation's own harness, with recorded answers on three published servers that the checkout has.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as library from "../../src/index.js";
import { openScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

interface Task {
  readonly name: string;
  readonly servers: readonly string[];
  readonly solution: string;
}
interface Result {
  readonly task: string;
  readonly mode: "direct" | "code";
  readonly isSuccess: boolean;
  readonly reason: string | null;
  readonly turns: number;
  readonly inputTokens: number;
}
type Evaluate = (tasks: readonly Task[], options: object) => Promise<number>;

const load = async <Module>(name: string): Promise<Module> =>
  (await import(new URL(`../../benchmarks/eval/${name}.mjs`, import.meta.url).href)) as Module;
const { tasks } = await load<{ tasks: readonly Task[] }>("tasks/index");
const { evaluate, readResults } = await load<{
  evaluate: Evaluate;
  readResults: (folder: string) => readonly Result[];
}>("evaluate");
const { writeReport } = await load<{
  writeReport: (folder: string, results: readonly Result[], facts: object) => string;
}>("write-report");
const { summarize } = await load<{
  summarize: (results: readonly object[]) => { goals: readonly { what: string; isMet: boolean }[] };
}>("summarize");
const { toEntries } = await load<{ toEntries: (folder: string, names: readonly string[]) => object }>(
  "servers",
);

const own = ["files", "memory", "everything"];
const pick = (name: string): Task => {
  const task = tasks.find((one) => one.name === name);
  if (task === undefined) throw new Error(`There is no task "${name}"`);
  return task;
};

const open = async () => {
  const folder = await temporaryFolder();
  const lines: string[] = [];
  const run = (chosen: readonly Task[], more: object = {}) =>
    evaluate(chosen, {
      ...{ folder, library, isScripted: true, cacheFolder: join(folder, "cache") },
      toEntries: (world: string) => toEntries(world, own),
      say: (line: string) => void lines.push(line),
      ...more,
    });
  return { folder, lines, run };
};

test("tasks on real servers are solved in both modes, stored, and not run again", async () => {
  const { folder, lines, run } = await open();
  const chosen = ["change-port", "forget-person", "compare-weather", "count-words"].map(pick);
  expect(await run(chosen)).toBe(0);
  const results = readResults(folder);
  expect(results.map(({ task, mode, reason }) => [task, mode, reason])).toEqual(
    ["change-port", "compare-weather", "count-words", "forget-person"].flatMap((name) => [
      [name, "code", null],
      [name, "direct", null],
    ]),
  );
  expect(lines).toHaveLength(8);
  const read = (mode: string) =>
    results.filter((one) => one.mode === mode).reduce((sum, { inputTokens }) => sum + inputTokens, 0);
  expect(read("direct")).toBeGreaterThan(2 * read("code"));

  await run(chosen);
  expect(lines).toHaveLength(8);
  await run([...chosen, pick("note-teams")]);
  expect(lines.slice(8)).toEqual([expect.stringContaining("note-teams, code: solved, 2 turns")]);

  const page = readFileSync(writeReport(folder, readResults(folder), { model: "scripted" }), "utf8");
  expect(page).toContain("9 results, 4 tasks in both modes");
  expect(page).toMatch(/^\| tokens read \| 0\.\d\dx \| at most 0\.1x \| MISSED \|$/m);
  expect(page).toMatch(/^\| success \| 4 and 4 of 4 \| at least as many as direct \| met \|$/m);
  for (const name of ["turns", "tokens-read"]) {
    expect(page).toContain(`(${name}.svg)`);
    expect(readFileSync(join(folder, `${name}.svg`), "utf8")).toMatch(
      /^<svg [\s\S]+count-words[\s\S]+<\/svg>\n$/,
    );
  }
});

test("a wrong result or answer is a failure with its reason, and the report lists it", async () => {
  const { folder, run } = await open();
  const wrong = [
    {
      ...pick("forget-person"),
      solution: 'await memory.deleteEntities({ entityNames: ["Ben Cole"] }); return 1;',
    },
    { ...pick("count-words"), solution: "return 7;" },
    { ...pick("change-port"), solution: "return undefinedName;" },
  ];
  await run(wrong, { modes: ["code"] });
  const results = readResults(folder);
  expect(results.map(({ task, isSuccess, reason }) => [task, isSuccess, reason])).toEqual([
    ["change-port", false, expect.stringContaining("service-6.json: found")],
    ["count-words", false, expect.stringMatching(/^the answer lacks \d+$/)],
    ["forget-person", false, expect.stringContaining("people: found")],
  ]);
  const page = readFileSync(writeReport(folder, results, { model: "scripted" }), "utf8");
  expect(page).toContain("- count-words, code: the answer lacks");
  expect(page).toContain("No task ran in both modes.");
});

test("an endpoint that fails leaves no result, so that the next start tries again", async () => {
  const { folder, lines, run } = await open();
  const endpoint = await openScriptedModel([{ failures: [{ status: 401 }] }]);
  const model = { provider: "ollama", model: "m", baseUrl: endpoint.baseUrl };
  const chosen = [pick("forget-person")];
  expect(await run([...chosen, pick("count-words")], { model, modes: ["code"], isScripted: false })).toBe(1);
  // The other tasks would be refused too.
  expect(lines).toEqual([
    expect.stringContaining("could not be run: Cannot get an answer from the model"),
    expect.stringContaining("stopped: the endpoint does not accept the key or the model"),
  ]);
  expect(readResults(folder)).toEqual([]);
  expect(await run(chosen, { modes: ["code"] })).toBe(0);
  expect(readResults(folder)).toHaveLength(1);
});

test("an evaluation stops after three failures in a row", async () => {
  const { folder, lines, run } = await open();
  const model = { provider: "ollama", model: "m", baseUrl: "http://127.0.0.1:9/v1" };
  const chosen = ["forget-person", "count-words", "change-port", "compare-weather"].map(pick);
  expect(await run(chosen, { model, modes: ["code"], isScripted: false })).toBe(3);
  expect(lines.at(-1)).toBe("stopped: 3 failures in a row; the next start continues here");
  expect(readResults(folder)).toEqual([]);
});

test("only tasks that ran in both modes are compared with the goals", () => {
  const result = (task: string, mode: string, more: object) => ({
    ...{ task, mode, isSuccess: true, calls: 1, outputTokens: 1, cost: null, searches: 0 },
    ...more,
  });
  const { goals } = summarize([
    result("a", "direct", { turns: 10, inputTokens: 1000 }),
    result("a", "code", { turns: 6, inputTokens: 100, searches: 1 }),
    result("b", "code", { turns: 60, inputTokens: 100_000, searches: 9, isSuccess: false }),
  ]);
  expect(goals.map(({ what, isMet }) => [what, isMet])).toEqual([
    ["success", true],
    ["turns", true],
    ["tokens read", true],
    ["searches per task, median", true],
  ]);
});

test("there are at least 20 tasks of several kinds, each with a solution and servers that exist", () => {
  expect(tasks.length).toBeGreaterThanOrEqual(20);
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length);
  for (const { name, solution, servers } of tasks) {
    expect(solution, name).toEqual(expect.any(String));
    expect(servers.length, name).toBeGreaterThan(0);
  }
});
