// `run --session` and `sessions`: variables that programs of several commands share.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandLine, openCommandLine } from "./run-command.js";

let line: CommandLine;
beforeAll(() => {
  line = openCommandLine();
});
afterAll(() => line.close());

test("a program sees the variables and functions of the session's earlier commands, without repeating their calls", async () => {
  const first =
    'const said = await echo.echo({ text: "once" }); const twice = (text: string) => text + text;';
  expect((await line.run(["run", "-e", first, "--session", "notes"])).code).toBe(0);
  const second = await line.run(["run", "-e", "return twice(said)", "--session", "notes", "--json"]);
  expect(JSON.parse(second.stdout)).toMatchObject({ value: "onceonce", calls: [] });
});

test("a Python session continues, too", async () => {
  expect((await line.run(["run", "-e", "import math\nradius = 2", "--session", "circle"])).code).toBe(0);
  const { stdout } = await line.run([
    "run",
    "-e",
    "print(round(math.pi * radius, 2))",
    "--session",
    "circle",
  ]);
  expect(stdout).toBe("6.28\n");
});

test("sessions lists them, shows the programs of one, and removes it", async () => {
  const listed = await line.run(["sessions"]);
  expect(listed.stdout).toMatch(/^notes +2 /m);
  const shown = await line.run(["sessions", "show", "notes"]);
  expect(shown.stdout).toContain("return twice(said)");
  expect(shown.stdout).toContain("onceonce");
  expect((await line.run(["sessions", "remove", "notes"])).stdout).toBe("removed notes\n");
  expect((await line.run(["sessions"])).stdout).not.toContain("notes");
  const again = await line.run(["run", "-e", "return twice(said)", "--session", "notes"]);
  expect(again.stderr).toContain("twice is not defined");
  expect(again.code).toBe(1);
});

test("an unknown session is refused, and nothing is removed twice", async () => {
  const unknown = await line.run(["sessions", "show", "nobody"]);
  expect(unknown.stderr).toContain('Cannot find the session "nobody"');
  expect(unknown.code).toBe(1);
  expect((await line.run(["sessions", "remove", "nobody"])).stderr).toContain("there is no such session");
});
