// `add` and `remove`: the entry is written, the package installed, the server tested.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { fixturePath } from "../../support/fixture-servers.js";
import { openMachine } from "../../support/package-machine.js";
import { runCommand } from "./run-command.js";

const _bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));

const openPerson = async () => {
  const machine = await openMachine();
  const project = join(machine.folder, "project");
  await mkdir(project);
  const env = { ...machine.environment, MCP_COORDINATOR_CACHE_FOLDER: machine.settings.cacheFolder };
  const run = (...words: string[]) => runCommand(words, project, env);
  const personal = join(machine.home, ".config", "mcp-coordinator", "config.json");
  const read = async (path: string) =>
    (JSON.parse(await readFile(path, "utf8")) as { mcpServers: object }).mcpServers;
  return { ...machine, project, personal, run, read };
};

it("a server from a package is written, installed and started, and removed again", async () => {
  const { registry, personal, run, read } = await openPerson();
  registry.publish("mcp-new");
  const added = await run(
    "add",
    "new",
    "--env",
    "WORD=one=two",
    "--",
    "npx",
    "-y",
    "mcp-new",
    "--json",
    "-v",
  );
  expect(added.stdout).toContain("added new to ~/.config/mcp-coordinator/config.json");
  expect(added.stdout).toContain("It works, and has 1 tool\nmcp-new 1.0.0\n");
  // Nobody watches a terminal: progress is a line.
  expect(added.stderr).toContain("installing 1 of 1: new");
  expect(added.code).toBe(0);
  const entry = { command: "npx", args: ["-y", "mcp-new", "--json", "-v"], env: { WORD: "one=two" } };
  expect(await read(personal)).toEqual({ new: entry });
  const again = await run("add", "new", "--", "npx", "-y", "mcp-new");
  expect([again.code, again.stderr]).toEqual([
    2,
    expect.stringContaining("already has a server of that name"),
  ]);
  expect((await run("servers")).stdout).toMatch(
    /^NAME {2}STATUS {2}TOOLS {2}VERSION {2}STARTS\n.*\nnew {3}cached {2}1 {6}1\.0\.0 {4}npx -y mcp-new --json -v\n$/,
  );
  expect((await run("servers", "--verbose")).stdout).toMatch(
    /npx: mcp-new 1\.0\.0 \(sha512-.*…\), started with .*Node.*, \d+/,
  );
  expect((await run("remove", "new")).stdout).toContain("removed new from ~/.config");
  expect(await read(personal)).toEqual({});
  expect((await run("remove", "new")).stderr).toContain("none of that name");
});

it("a server that does not start stays in the file, and the command fails with the reason", async () => {
  const { personal, run, read } = await openPerson();
  const { code, stdout, stderr } = await run("add", "gone", "--", "npx", "-y", "mcp-gone");
  expect(stdout).toContain("added gone");
  expect(stderr).toContain('its registry has no package "mcp-gone"');
  expect(code).not.toBe(0);
  expect(Object.keys(await read(personal))).toEqual(["gone"]);
});

it("a server of a project needs trust before it is installed", async () => {
  const { registry, project, run, read } = await openPerson();
  registry.publish("mcp-shared");
  await writeFile(join(project, ".npmrc"), "registry=http://127.0.0.1:9/");
  const added = await run("add", "shared", "--scope", "project", "--", "npx", "-y", "mcp-shared");
  expect(added.stderr).toContain("is not trusted yet");
  expect(registry.downloads).toEqual([]);
  expect(Object.keys(await read(join(project, "mcp-coordinator.json")))).toEqual(["shared"]);
  const trusted = await run("trust", "--yes");
  expect(trusted.stderr).toContain("package: what its runner finds; newer versions are used without asking");
});

it("missing or extra arguments are refused, and nothing is written", async () => {
  const { run } = await openPerson();
  for (const words of [
    ["add"],
    ["add", "a"],
    ["add", "a", "--env", "X", "--", "node"],
    ["add", "a", "--env", "X=1", "https://a.example/mcp"],
    ["add", "a", "--header", "X=1", "--", "node"],
    ["add", "a", "https://a.example/mcp", "more"],
    ["add", "a", "ftp://a.example/mcp"],
    ["add", "__proto__", "--", "node"],
    ["add", " ", "--", "node"],
  ]) {
    const { code, stdout } = await run(...words);
    expect([words, code, stdout]).toEqual([words, 2, ""]);
  }
});

it("connect installs the packages of its configuration, even without a terminal", async () => {
  const { registry, project, home, run } = await openPerson();
  registry.publish("mcp-ahead");
  const mcpServers = { ahead: { command: "npx", args: ["-y", "mcp-ahead"] } };
  const config = join(home, "servers.json");
  await writeFile(config, JSON.stringify({ mcpServers }));
  await mkdir(join(project, ".cursor"));
  const { stderr } = await run("connect", "cursor", "--config", config, "--write");
  expect(stderr).toContain("installing 1 of 1: ahead");
  expect(stderr).toContain("1 server is installed");
  expect(registry.downloads).toEqual(["mcp-ahead@1.0.0"]);
});

it("init installs the packages that it takes over, and searches and listings show automatic updates", async () => {
  const { registry, home, run } = await openPerson();
  registry.publish("mcp-taken");
  await mkdir(join(home, ".cursor"));
  const mcpServers = { taken: { command: "npx", args: ["-y", "mcp-taken"] } };
  await writeFile(join(home, ".cursor", "mcp.json"), JSON.stringify({ mcpServers }));
  const { stderr } = await run("init", "--client", "cursor", "--yes");
  expect(stderr).toContain("1 server is installed");
  expect(registry.downloads).toEqual(["mcp-taken@1.0.0"]);
  registry.publish("mcp-taken", { version: "1.1.0" });
  expect((await run("update")).stdout).toContain("was 1.0.0");
  const note = "mcp-taken 1.1.0, before 1.0.0. Pin the version to decide yourself";
  expect((await run("tools", "taken")).code).toBe(0);
  for (const words of [["search", "started"], ["servers"]])
    expect((await run(...words)).stderr).toContain(note);
});

it("a server without a package is also tested", async () => {
  const { run } = await openPerson();
  const { code, stdout } = await run("add", "echo", "--json", "--", process.execPath, fixturePath("echo"));
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ name: "echo", tools: expect.arrayContaining(["echo"]) });
});
