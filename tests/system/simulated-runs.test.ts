// Simulation needs no credentials and is labelled; recordings that cannot be replayed elsewhere are refused.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { openCommandLine } from "./cli/run-command.js";

const open = async (folder: string, environment: Record<string, string>) => {
  const coordinator = await openCoordinator({
    config: {
      mcpServers: {
        echo: { command: process.execPath, args: [fixturePath("echo")], env: { TOKEN: "${SHOP_TOKEN}" } },
      },
    },
    environment: { PATH: process.env.PATH, ...environment },
    settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
  });
  onTestFinished(() => coordinator.close());
  return coordinator;
};

const code = "return await echo.add({ a: 1, b: 2 })";

it("a simulated run needs no variable of a server whose tools are stored, in both languages", async () => {
  const folder = await temporaryFolder();
  const first = await open(folder, { SHOP_TOKEN: "secret" });
  await first.listTools();
  await first.close();
  const later = await open(folder, {});
  const result = await later.runCode({ code, simulate: true, output: "json" });
  expect(result.error).toBeUndefined();
  expect(result.value).toEqual({ sum: expect.any(Number) });
  expect(
    (await later.runCode({ code: "return echo.add(a=1, b=2)", language: "python", simulate: ["echo"] }))
      .status,
  ).toBe("completed");
  // Real runs still say what is missing.
  expect((await later.runCode({ code })).error?.code).toBe("CONFIG_VARIABLE_MISSING");
  expect(await readdir(join(folder, "cache", "listings"))).toHaveLength(1);
});

it("a simulated run of a server that was never listed reports it, and how to store its tools", async () => {
  const coordinator = await open(await temporaryFolder(), {});
  const { error } = await coordinator.runCode({ code, simulate: true });
  expect(error?.message).toContain('Cannot simulate "echo": its tools are not known yet');
  expect(error?.message).toContain("SHOP_TOKEN");
});

it("made-up answers are labelled in the result, in what a model reads, and on the command line", async () => {
  const coordinator = await open(await temporaryFolder(), { SHOP_TOKEN: "secret" });
  const simulated = await coordinator.runCode({ code, simulate: true, output: "json" });
  expect(simulated.simulated).toEqual(["echo"]);
  expect(simulated.shown?.texts[0]).toMatch(/^SIMULATED: the answers of echo are made up/);
  const real = await coordinator.runCode({ code, output: "json" });
  expect(real.simulated).toBeUndefined();
  expect(real.shown?.texts).toEqual(['{"sum":3}']);
  const line = openCommandLine();
  onTestFinished(() => line.close());
  const printed = await line.run(["run", "-e", code, "--simulate"]);
  expect(printed.stderr).toContain("simulated the answers of echo are made up");
  const { stdout } = await line.run(["run", "-e", code, "--simulate", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ simulated: ["echo"] });
});

it("a simulated run changes no file, memory or state, and sees its own changes, in both languages", async () => {
  const folder = await temporaryFolder();
  const coordinator = await open(folder, { SHOP_TOKEN: "secret" });
  const prepare = `import fs from "fs/promises";
await fs.writeFile("total.txt", "41"); await memory.save("total", 41); await saveState({ total: 41 });`;
  expect((await coordinator.runCode({ code: prepare })).status).toBe("completed");
  const programs = [
    {
      language: "typescript",
      code: `import fs from "fs/promises";
const before = await fs.readFile("total.txt", "utf8");
const { sum } = await echo.add({ a: 1, b: 2 });
await fs.writeFile("total.txt", String(sum)); await memory.save("total", sum); await saveState({ total: sum });
return [before, (await fs.readFile("total.txt", "utf8")) === String(sum), (await memory.load("total")) === sum];`,
    },
    {
      language: "python",
      code: `before = open("total.txt").read()
sum = echo.add(a=1, b=2)["sum"]
with open("total.txt", "w") as file:
    file.write(str(sum))
memory.save("total", sum)
return [before, open("total.txt").read() == str(sum), memory.load("total") == sum]`,
    },
  ] as const;
  for (const program of programs) {
    const { value, error } = await coordinator.runCode({ ...program, simulate: true });
    expect([value, error]).toEqual([["41", true, true], undefined]);
  }
  const after = await coordinator.runCode({
    code: `import fs from "fs/promises";
return [await fs.readFile("total.txt", "utf8"), await memory.load("total"), (await getState()).value];`,
  });
  expect(after.value).toEqual(["41", 41, { total: 41 }]);
  expect(await readdir(join(folder, "state", "copies"))).toEqual([]);
});

it("a run with stored values can be replayed without them", async () => {
  const coordinator = await open(await temporaryFolder(), { SHOP_TOKEN: "secret" });
  const earlier = await coordinator.runCode({ code: "return (await keep([4, 5])).id" });
  const { runId, value } = await coordinator.runCode({
    code: `const handle = await keep("a long text");
const old = await (await stored(${JSON.stringify(earlier.value)})).load();
return [await handle.load(), await echo.echo({ text: handle }), old];`,
  });
  expect(value).toEqual(["a long text", "a long text", [4, 5]]);
  const cassette = await coordinator.exportRun({ runId });
  const elsewhere = await open(await temporaryFolder(), {});
  const { result, isSame } = await elsewhere.replayRun({ cassette });
  expect(result.error).toBeUndefined();
  expect(result.value).toEqual(value);
  expect(isSame).toBe(true);
});

it("a run whose stored value is gone is refused at export, with the reason", async () => {
  const coordinator = await open(await temporaryFolder(), { SHOP_TOKEN: "secret" });
  const id = `k_${"0".repeat(20)}`;
  const { runId } = await coordinator.runCode({
    code: `await stored(${JSON.stringify(id)}).catch(() => {}); return await echo.echo({ text: "a" })`,
  });
  await expect(coordinator.exportRun({ runId })).rejects.toMatchObject({
    code: "CASSETTE_INCOMPLETE",
    message: expect.stringContaining(id),
  });
});

it("a run that imports a package is refused at export", async () => {
  const folder = await temporaryFolder();
  const coordinator = await openCoordinator({
    config: { mcpServers: {}, coordinator: { packages: ["zod"] } },
    workingFolder: process.cwd(),
    settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
  });
  onTestFinished(() => coordinator.close());
  const { runId, error } = await coordinator.runCode({
    code: 'import { z } from "zod"; await memory.save("a", 1); return z.number().parse(1)',
  });
  expect(error).toBeUndefined();
  await expect(coordinator.exportRun({ runId })).rejects.toMatchObject({
    code: "CASSETTE_INCOMPLETE",
    message: expect.stringContaining('imports the package "zod"'),
  });
});

it.each([
  ["typescript", 'import { double } from "skills/double"; await memory.save("a", 1); return double(2)'],
  ["python", 'from skills.double import double\nmemory.save("a", 1)\nreturn double(2)'],
] as const)("a run that imports a skill is refused at export, in %s", async (language, code) => {
  const coordinator = await open(await temporaryFolder(), { SHOP_TOKEN: "secret" });
  const skill = {
    typescript: "export const double = (n: number): number => 2 * n;",
    python: "def double(n: int):\n    return 2 * n\n",
  }[language];
  await coordinator.saveSkill({ name: "double", description: "Doubles", language, code: skill });
  const { runId, value } = await coordinator.runCode({ code, language });
  expect(value).toBe(4);
  await expect(coordinator.exportRun({ runId })).rejects.toMatchObject({
    code: "CASSETTE_INCOMPLETE",
    message: expect.stringContaining("imports the skill"),
  });
});
