// Help, version and usage errors.
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadGroups } from "../../../src/surfaces/cli/command-table.js";
import { type CommandLine, openCommandLine } from "./run-command.js";

let line: CommandLine;
beforeAll(() => {
  line = openCommandLine();
});
afterAll(() => line.close());

const commands = (await loadGroups()).flatMap((group) => group.commands);

test("help lists every command, and --help prints the same", async () => {
  const { code, stdout } = await line.run(["help"]);
  for (const { name } of commands) expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
  expect((await line.run(["--help"])).stdout).toBe(stdout);
  expect(stdout.split("\n").filter((text) => text.length > 80)).toEqual([]);
  expect(code).toBe(0);
});

test("the command line without a command shows the first steps on one screen of 24 lines", async () => {
  const { code, stdout } = await line.run([]);
  for (const name of ["demo", "init", "doctor", "run"]) expect(stdout).toContain(`mcp-coordinator ${name} `);
  expect(stdout.split("\n").length).toBeLessThan(24);
  expect(stdout.split("\n").filter((text) => text.length > 80)).toEqual([]);
  expect(code).toBe(0);
});

test.each(commands.map(({ name }) => name))(
  "%s --help has usage and examples within 80 columns",
  async (name) => {
    const { code, stdout } = await line.run([name, "--help"]);
    expect(stdout).toContain(`mcp-coordinator ${name}`);
    expect(stdout).toContain("Examples");
    expect(stdout.split("\n").filter((text) => text.length > 80)).toEqual([]);
    expect((await line.run(["help", name])).stdout).toBe(stdout);
    expect(code).toBe(0);
  },
);

test("version and --version print the package's version", async () => {
  expect((await line.run(["version"])).stdout).toMatch(/^mcp-coordinator \d+\.\d+\.\d+ /);
  expect(JSON.parse((await line.run(["--version", "--json"])).stdout)).toMatchObject({
    node: process.versions.node,
  });
});

test("an unknown command gets a suggestion and exit code 2", async () => {
  const { code, stderr, stdout } = await line.run(["sevre"]);
  expect(stderr).toBe('error Cannot run "sevre": there is no such command\nhint  Did you mean "serve"?\n');
  expect(stdout).toBe("");
  expect(code).toBe(2);
});

test("an unknown option is a usage error, as a JSON document with --json", async () => {
  const { code, stdout, stderr } = await line.run(["tools", "--refersh", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: "USAGE", kind: "user", hint: 'Did you mean "--refresh"?' },
  });
  expect(stderr).toBe("");
  expect(code).toBe(2);
});

test("an unexpected argument is refused", async () => {
  const { code, stderr } = await line.run(["init", "cursor"]);
  expect(stderr).toMatch(/^error Cannot run "init": it takes no arguments, found "cursor"\nhint /);
  expect(code).toBe(2);
});
