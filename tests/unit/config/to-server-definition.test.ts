// One entry: its fields, references and problems.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadEntry, openProject } from "./open-project.js";

describe("toServerDefinition()", () => {
  it("accepts a list as the command and puts its rest before args", async () => {
    const { target } = await loadEntry(openProject(), { command: ["docker", "run"], args: ["image"] });
    expect(target).toMatchObject({ kind: "stdio", command: "docker", args: ["run", "image"] });
  });

  it.each([
    [{ url: "https://example.com/a" }, "http"],
    [{ serverUrl: "https://example.com/a" }, "http"],
    [{ httpUrl: "https://example.com/a" }, "http"],
    [{ type: "http", url: "https://example.com/a" }, "http"],
    [{ type: "streamable-http", url: "https://example.com/a" }, "http"],
    [{ type: "streamable_http", url: "https://example.com/a" }, "http"],
    [{ type: "streamableHttp", url: "https://example.com/a" }, "http"],
    [{ type: "sse", url: "https://example.com/a" }, "sse"],
    [{ type: "sse", url: "https://example.com/a", command: "unused" }, "sse"],
  ])("reads %j as %s", async (entry, kind) => {
    const { target, problem } = await loadEntry(openProject(), entry);
    expect(target).toEqual({ kind, url: "https://example.com/a", headers: {} });
    expect(problem).toBeUndefined();
  });

  it.each([
    [{ disabled: true }, false],
    [{ enabled: false }, false],
    [{ disabled: false }, true],
    [{ enabled: true }, true],
  ])("honors %j", async (fields, isEnabled) => {
    expect(await loadEntry(openProject(), { command: "x", ...fields })).toMatchObject({ isEnabled });
  });

  it.each([
    [{}, 'field "command", it is missing, expected "command" or "url"'],
    ["npx", "found a string, expected an object"],
    [null, "found null, expected an object"],
    [{ command: 5 }, 'field "command", found a number, expected a string or a list of strings'],
    [{ command: "" }, 'field "command"'],
    [{ command: [] }, 'field "command"'],
    [{ command: "${EMPTY:-}" }, 'field "command", it is empty'],
    [{ command: "x", args: ["a", 1] }, 'field "args[1]", found a number, expected a string'],
    [{ command: "x", args: "a b" }, 'field "args", found a string, expected a list of strings'],
    [{ command: "x", env: { A: ["s3cret"] } }, 'field "env.A", found a list, expected a string'],
    [{ command: "x\0s3cret" }, "NUL"],
    [{ command: "x", type: "websocket" }, 'field "type", found a string, expected one of stdio, http'],
    [{ command: "x", type: "http" }, 'field "url", it is missing'],
    [{ url: "https://example.com", type: "stdio" }, 'field "command", it is missing'],
    [{ url: "ftp://s3cret" }, 'field "url", it is not an address'],
    [{ url: "http://" }, 'field "url", it is not an address'],
    [{ url: "http://localhost", headers: { "X-A": "s3cret\nb" } }, 'field "headers.X-A"'],
    [{ command: "x", disabled: "yes" }, 'field "disabled", found a string, expected true or false'],
    [{ command: "x", envFile: "gone.env" }, 'field "envFile", it cannot be read'],
    [{ command: "x", timeouts: { callMs: 5 } }, 'field "timeouts", it has the unknown name "callMs"'],
    [
      { command: "x", timeouts: { callTimeoutMs: 0 } },
      'field "timeouts.callTimeoutMs", found a number, expected a whole',
    ],
  ])("stores the problem of %j in that server, naming file and field", async (entry, state) => {
    const { workingFolder, load } = openProject({
      "project/mcp.json": { mcpServers: { broken: entry, good: { command: "good" } } },
    });
    const { servers } = await load();
    const [broken, good] = servers;
    expect(broken?.problem).toMatchObject({ code: "CONFIG_INVALID" });
    expect(broken?.problem?.message).toContain(
      `Cannot use server "broken" of "${join(workingFolder, "mcp.json")}": ${state.startsWith("NUL") ? "" : state}`,
    );
    expect(broken?.problem?.message).toContain(state);
    expect(broken?.problem?.message).not.toContain("s3cret");
    expect(good).toMatchObject({ name: "good", target: { command: "good" } });
    expect(good?.problem).toBeUndefined();
  });

  it("shows the readable fields of a malformed entry, and keeps it disabled", async () => {
    const server = await loadEntry(openProject(), {
      command: "x",
      args: 1,
      description: "d",
      enabled: false,
    });
    expect(server).toMatchObject({ target: { command: "x" }, description: "d", isEnabled: false });
  });

  it("expands references in command, args, env, cwd, url and headers", async () => {
    const project = openProject();
    mkdirSync(join(project.homeFolder, "work"));
    const environment = { BIN: "node", SECRET: "s3cret", HOST: "example.com" };
    const stdio = await loadEntry(
      project,
      {
        command: "${BIN}",
        args: ["--key=${env:SECRET}", "${workspaceFolder}", "$BIN", "${LEVEL:-info}"],
        env: { TOKEN: "${SECRET}" },
        cwd: "${userHome}/work",
      },
      environment,
    );
    expect(stdio.problem).toBeUndefined();
    expect(stdio.target).toEqual({
      kind: "stdio",
      command: "node",
      args: ["--key=s3cret", project.workingFolder, "$BIN", "info"],
      env: { TOKEN: "s3cret" },
      cwd: join(project.homeFolder, "work"),
    });
    const http = await loadEntry(
      project,
      { url: "https://${HOST}/mcp", headers: { Authorization: "Bearer ${SECRET}" } },
      environment,
    );
    expect(http.target).toEqual({
      kind: "http",
      url: "https://example.com/mcp",
      headers: { Authorization: "Bearer s3cret" },
    });
  });

  it("names server, field and variable if a variable is missing, and keeps the server listed", async () => {
    const server = await loadEntry(openProject(), {
      command: "x",
      env: { TOKEN: "${GITHUB_TOKEN}" },
      args: ["${B}"],
    });
    expect(server.problem).toMatchObject({ code: "CONFIG_VARIABLE_MISSING" });
    expect(server.problem?.message).toContain('Cannot use server "subject": ');
    expect(server.problem?.message).toContain(
      'field "env.TOKEN" uses the variable "GITHUB_TOKEN", which is not set',
    );
    expect(server.problem?.message).toContain('field "args[0]" uses the variable "B"');
    expect(server.name).toBe("subject");
  });

  it("does not treat inherited object properties as variables", async () => {
    const { problem } = await loadEntry(openProject(), { command: "${constructor}" });
    expect(problem).toMatchObject({ code: "CONFIG_VARIABLE_MISSING" });
  });

  it("says what to do about a value that an editor would prompt for", async () => {
    const { problem } = await loadEntry(openProject(), {
      url: "https://example.com",
      headers: { Authorization: "Bearer ${input:token}" },
    });
    expect(problem).toMatchObject({
      code: "CONFIG_VARIABLE_MISSING",
      message: expect.stringContaining('field "headers.Authorization" uses "${input:token}"'),
      hint: expect.stringContaining("Set an environment variable"),
    });
  });

  it("looks up variables in the environment, the envFile, the file's .env and the working folder's .env, in this order", async () => {
    const args = ["${A}", "${B}", "${C}", "${D}"];
    const project = openProject({
      "home/conf/mcp.json": { mcpServers: { a: { command: "x", args, envFile: "own.env" } } },
      "home/conf/own.env": "A=own\nB=own",
      "home/conf/.env": "A=beside\nB=beside\nC=beside",
      "project/.env": 'A=project\nB=project\nC=project\nD="project # d"',
    });
    const { servers } = await project.load({ config: "~/conf/mcp.json", environment: { A: "process" } });
    expect(servers[0]?.target).toMatchObject({
      args: ["process", "own", "beside", "project # d"],
      env: { A: "own", B: "own" },
    });
  });

  it("passes a server the variables of its envFile, overridden by its env, and nothing from .env", async () => {
    const project = openProject({ "project/own.env": "A=file\nB=file", "project/.env": "C=dotenv" });
    const { target } = await loadEntry(project, { command: "x", env: { B: "entry" }, envFile: "./own.env" });
    expect(target).toMatchObject({ env: { A: "file", B: "entry" } });
    expect(Object.keys(target.kind === "stdio" ? target.env : {})).toEqual(["A", "B"]);
  });

  it("resolves cwd relative to the file, and to the project for .vscode/mcp.json", async () => {
    const entry = (name: string) => ({ mcpServers: { [name]: { command: "x", cwd: "./place" } } });
    const project = openProject({
      "project/.vscode/mcp.json": entry("code"),
      "project/place/x": "",
      "home/MCPs/a.json": entry("home"),
      "home/MCPs/place/x": "",
    });
    const { servers } = await project.load();
    expect(servers.map(({ target }) => target)).toMatchObject([
      { cwd: join(project.workingFolder, "place") },
      { cwd: join(project.homeFolder, "MCPs", "place") },
    ]);
  });

  it("ignores a missing cwd with a warning", async () => {
    const { target, warnings, problem } = await loadEntry(openProject(), { command: "x", cwd: "~/gone" });
    expect(target).toMatchObject({ cwd: undefined });
    expect(problem).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(/Server "subject" .* "cwd" is ignored, .*home.gone"$/)]);
  });

  it("reads timeouts, and a bare timeout as the call timeout", async () => {
    const project = openProject();
    const own = await loadEntry(project, {
      command: "x",
      timeouts: { connectTimeoutMs: 5 },
      timeout: 60_000,
    });
    expect(own.timeouts).toEqual({ connectTimeoutMs: 5, callTimeoutMs: 60_000 });
    expect(own.warnings).toEqual([]);
    const both = await loadEntry(project, { command: "x", timeouts: { callTimeoutMs: 7 }, timeout: 60_000 });
    expect(both.timeouts).toEqual({ callTimeoutMs: 7 });
    const seconds = await loadEntry(project, { command: "x", timeout: 60 });
    expect(seconds.timeouts).toEqual({ callTimeoutMs: 60_000 });
    expect(seconds.warnings).toEqual([expect.stringContaining("read as seconds")]);
    const odd = await loadEntry(project, { command: "x", timeout: "30s" });
    expect(odd.timeouts).toBeUndefined();
    expect(odd.problem).toBeUndefined();
    expect(odd.warnings).toEqual([expect.stringContaining('"timeout" is ignored')]);
  });
});
