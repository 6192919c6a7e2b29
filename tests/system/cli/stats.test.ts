// `stats` after runs of several processes.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandLine, openCommandLine } from "./run-command.js";

let line: CommandLine;
beforeAll(() => {
  line = openCommandLine();
});
afterAll(() => line.close());

test("stats reports that nothing was counted yet, and which servers were never listed", async () => {
  const { code, stdout } = await line.run(["stats"]);
  expect(stdout).toContain("No run was counted yet");
  expect(stdout).toContain("2 servers never listed");
  expect(code).toBe(0);
});

test("stats adds up the runs of several processes, none lost", async () => {
  const program = "return (await echo.big({ megabytes: 0.1 })).length";
  const ended = await Promise.all(
    Array.from({ length: 4 }, () => line.run(["run", "-e", program, "--json"])),
  );
  const meters = ended.map(({ stdout }) => JSON.parse(stdout).meter as Record<string, number>);
  const sum = (name: string): number => meters.reduce((total, meter) => total + (meter[name] ?? 0), 0);
  const { stdout } = await line.run(["stats", "--json"]);
  const { total, days, byServer, definitionTokens, shownTokens } = JSON.parse(stdout);
  expect(total).toMatchObject({
    runs: 4,
    calls: 4,
    programTokens: sum("programTokens"),
    returnedTokens: sum("returnedTokens"),
    keptTokens: sum("keptTokens"),
  });
  expect(sum("keptTokens")).toBeGreaterThan(40_000);
  expect(days.length).toBeGreaterThanOrEqual(1);
  expect(byServer[0]).toMatchObject({ server: "echo", calls: 4, definitionTokens });
  expect(shownTokens).toBeGreaterThan(100);
});

test("stats shows what was returned and kept away", async () => {
  const { stdout } = await line.run(["stats"]);
  expect(stdout).toMatch(/^4 runs with 4 calls since \d{4}-\d\d-\d\d, in tokens:$/m);
  expect(stdout).toMatch(/^ {2}returned +\d+ {2}read by the model$/m);
  expect(stdout).toMatch(/^ {2}kept away +\d\d,\d{3} {2}/m);
  expect(stdout).toMatch(/^echo +\d+ +\d+ +4 +\d\d,\d{3}$/m);
});

test("run reports what it returned and kept away, and whether calling directly would have been cheaper", async () => {
  const large = await line.run([
    "run",
    "--verbose",
    "-e",
    "return (await echo.big({ megabytes: 0.1 })).length",
  ]);
  expect(large.stderr).toMatch(/^returned 1 token, kept \d\d,\d{3} away$/m);
  const small = await line.run(["run", "--verbose", "-e", 'return await echo.echo({ text: "hi" })']);
  expect(small.stderr).toMatch(/kept 0 away; calling directly would have cost \d+ tokens? less/);
});
