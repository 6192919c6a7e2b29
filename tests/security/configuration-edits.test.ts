// An agent or anyone else who can edit a project's configuration cannot start a command or remove a rule with it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { type OpenOptions, openCoordinator } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startHttp } from "../support/transports.js";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));

const echo = (...args: readonly string[]) => ({
  command: process.execPath,
  args: [fixturePath("echo"), ...args],
});

/** A project with a configuration that clients name, beside its own home folder. */
const openProject = async () => {
  const root = await temporaryFolder();
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const folder of [home, project]) mkdirSync(folder);
  const config = join(project, "mcp-coordinator.json");
  const started = join(root, "started");
  const env = { PATH: process.env.PATH ?? "", HOME: home, XDG_STATE_HOME: join(home, "state") };
  const write = (servers: object, coordinator?: object): void =>
    writeFileSync(config, JSON.stringify({ mcpServers: { echo: echo(), ...servers }, coordinator }));
  const evil = { evil: echo("--log", started) };
  const type = (...words: readonly string[]) =>
    spawnSync(process.execPath, [bin, ...words], { cwd: project, env, input: "", encoding: "utf8" });
  return { home, project, config, env, evil, write, type, isStarted: () => existsSync(started) };
};

type Project = Awaited<ReturnType<typeof openProject>>;

const serve = async ({ project, env }: Project, ...words: readonly string[]) => {
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "serve", ...words],
    cwd: project,
    env,
    stderr: "pipe",
  });
  let notes = "";
  transport.stderr?.on("data", (data: Buffer) => {
    notes += data.toString();
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const run = async (code: string): Promise<string> =>
    JSON.stringify((await client.callTool({ name: "run_code", arguments: { code } })).content);
  return { run, notes: () => notes, close: () => client.close() };
};

const named = ["--config", "mcp-coordinator.json"];
/** As "init" writes it into a project. */
const guarded = ["--require-trust", ...named];
const callEvil = 'return await evil.echo({ text: "a" })';
const change = "return await echo.add({ a: 1, b: 2 })";
const waits = "waits until a person allows";

describe.each([
  ["the file is named with --require-trust", guarded, named],
  ["the file is found", [], []],
])("where %s", (_how, words, place) => {
  test("an edit starts no command and removes no rule, neither while serve runs nor at the next start", async () => {
    const project = await openProject();
    project.write({}, { approve: ["writes"] });
    expect(project.type("trust", "--yes", ...place).status).toBe(0);
    const first = await serve(project, ...words);
    expect(await first.run(change)).toContain(waits);

    project.write(project.evil, { approve: [] });
    await expect.poll(first.notes).toContain('The settings "approve"');
    expect(await first.run(callEvil)).toContain("not trusted yet");
    expect(await first.run(change)).toContain(waits);
    await first.close();

    const second = await serve(project, ...words);
    expect(second.notes()).toContain("trust --folder ");
    expect(await second.run(callEvil)).toContain("not trusted yet");
    expect(await second.run(change)).toContain(waits);
    expect(project.isStarted()).toBe(false);

    // A person reviews it and agrees, and the running process notices.
    expect(project.type("trust", "--yes", ...place).status).toBe(0);
    await expect.poll(() => second.run(callEvil)).toContain('"a"');
    expect(await second.run(change)).toContain('sum\\":3');
  });
});

test("an edit that requires more approvals takes effect at once", async () => {
  const project = await openProject();
  project.write({});
  project.type("trust", "--yes", ...named);
  const { run } = await serve(project, ...guarded);
  expect(await run(change)).toContain('sum\\":3');
  project.write({}, { approve: ["writes"] });
  await expect.poll(() => run(change)).toContain(waits);
});

describe("a file that a person named", () => {
  test("is used as written, and its edits take effect", async () => {
    const project = await openProject();
    project.write({}, { approve: ["writes"] });
    const { run } = await serve(project, ...named);
    expect(await run(change)).toContain(waits);
    project.write({ more: echo() }, { approve: [] });
    await expect.poll(() => run('return await more.echo({ text: "a" })')).toContain('"a"');
    expect(await run(change)).toContain('sum\\":3');
  });

  test("is not reloaded if a server has access to its folder", async () => {
    const project = await openProject();
    const files = echo(project.project);
    project.write({ files }, { approve: ["writes"] });
    const { run, notes } = await serve(project, ...named);
    expect(await run(change)).toContain(waits);
    project.write({ files, ...project.evil }, { approve: [] });
    await expect.poll(notes).toContain('The settings "approve"');
    expect(await run(callEvil)).toContain("not trusted yet");
    expect(await run(change)).toContain(waits);
    expect(project.isStarted()).toBe(false);
  });
});

test("serve --trust trusts what existed when it started, even for callers that connect later", async () => {
  const project = await openProject();
  project.write({}, { approve: ["writes"] });
  const { config, env, evil } = project;
  const server = await startHttp({ config, env, words: ["--trust", "--require-trust"] });
  onTestFinished(async () => void (await server.stop()));
  project.write(evil, { approve: [] });
  const added = project.type("callers", "add", "later", "--json");
  const { token } = JSON.parse(added.stdout) as { token: string };
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.url), { requestInit }) as Parameters<
      Client["connect"]
    >[0],
  );
  onTestFinished(() => client.close());
  const ask = async (code: string): Promise<string> =>
    JSON.stringify((await client.callTool({ name: "run_code", arguments: { code } })).content);
  expect(await ask('return await echo.echo({ text: ["still", "here"].join(" ") })')).toContain("still here");
  expect(await ask(callEvil)).toContain("not trusted yet");
  expect(await ask(change)).toContain(waits);
  expect(project.isStarted()).toBe(false);
});

describe("a program that names the file in its own code", () => {
  const openNamed = async (project: Project, options: OpenOptions = {}) => {
    const { config, env, project: workingFolder } = project;
    const coordinator = await openCoordinator({ config, workingFolder, environment: env, ...options });
    onTestFinished(() => coordinator.close());
    return coordinator;
  };

  test("gets the file as written, and no edit that starts a command or removes a rule", async () => {
    const project = await openProject();
    project.write({}, { approve: ["writes"] });
    const coordinator = await openNamed(project);
    const notes: string[] = [];
    await coordinator.stayCurrent({ onNote: (text) => notes.push(text) });
    expect((await coordinator.runCode({ code: change })).status).toBe("paused");
    project.write(project.evil, { approve: [] });
    await expect.poll(() => notes.join()).toContain('The settings "approve"');
    expect((await coordinator.runCode({ code: callEvil })).error?.code).toBe("CONFIG_UNTRUSTED");
    expect((await coordinator.runCode({ code: change })).status).toBe("paused");
    expect(project.isStarted()).toBe(false);
  });

  test("gets every edit on request", async () => {
    const project = await openProject();
    project.write({}, { approve: ["writes"] });
    const coordinator = await openNamed(project);
    await coordinator.stayCurrent({ trustsEdits: true });
    project.write(project.evil, { approve: [] });
    await expect.poll(async () => (await coordinator.runCode({ code: callEvil })).value).toBe("a");
    expect((await coordinator.runCode({ code: change })).status).toBe("completed");
  });

  test("does not offer servers that an edit added", async () => {
    const project = await openProject();
    project.write({}, { addServers: { from: { more: echo() } } });
    const coordinator = await openNamed(project);
    const notes: string[] = [];
    await coordinator.stayCurrent({ onNote: (text) => notes.push(text) });
    project.write({}, { addServers: { from: { more: echo(), ...project.evil } } });
    await expect.poll(() => notes.join()).toContain('The settings "addServers"');
    await expect(coordinator.addServer({ name: "evil" })).rejects.toMatchObject({
      code: "SERVER_NOT_OFFERED",
    });
    expect(project.isStarted()).toBe(false);
  });
});

test("init trusts the servers that it moves, and nothing else in the file", async () => {
  const project = await openProject();
  project.write(project.evil, { network: { allow: ["evil.example"] } });
  mkdirSync(join(project.project, ".cursor"));
  writeFileSync(
    join(project.project, ".cursor", "mcp.json"),
    JSON.stringify({ mcpServers: { moved: echo() } }),
  );
  expect(project.type("init", "--yes").status).toBe(0);
  const { items } = JSON.parse(project.type("trust", "--json").stdout).error.details as {
    items: readonly { kind: string; name: string }[];
  };
  expect(items.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
    "server echo",
    "server evil",
    "settings coordinator",
  ]);
});
