// Where servers come from, and which of them wins.
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Configuration } from "../../../src/contracts/index.js";
import { openProject } from "./open-project.js";

const one = (name: string, command = name) => ({ mcpServers: { [name]: { command } } });
const names = ({ servers }: Configuration): readonly string[] => servers.map(({ name }) => name);

describe("loadConfiguration()", () => {
  it("reads a client's configuration without changing the file", async () => {
    const text = `{
  // as a client wrote it
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "server-filesystem", "/tmp"], "autoApprove": ["read_file"] },
    "search": { "command": "uvx", "args": ["search"], "env": { "KEY": "abc", "PORT": 80, "OFF": null } },
    "docs": { "type": "streamable-http", "url": "https://example.com/mcp", "headers": { "X-Key": "k" } },
  },
}
`;
    const { workingFolder, load } = openProject({ "project/mcp.json": text });
    const { servers, sources, warnings } = await load();
    const source = join(workingFolder, "mcp.json");
    expect(servers).toEqual([
      {
        name: "files",
        target: { kind: "stdio", command: "npx", args: ["-y", "server-filesystem", "/tmp"], env: {} },
        written: "npx -y server-filesystem /tmp",
        isEnabled: true,
        source,
      },
      {
        name: "search",
        target: { kind: "stdio", command: "uvx", args: ["search"], env: { KEY: "abc", PORT: "80" } },
        written: "uvx search",
        isEnabled: true,
        source,
      },
      {
        name: "docs",
        target: { kind: "http", url: "https://example.com/mcp", headers: { "X-Key": "k" } },
        written: "https://example.com/mcp",
        isEnabled: true,
        source,
      },
    ]);
    expect(sources).toEqual([source]);
    expect(warnings).toEqual([]);
    expect(readFileSync(source, "utf8")).toBe(text);
  });

  it("shows the command line as written, without the secrets behind its references", async () => {
    const text = JSON.stringify({
      mcpServers: {
        one: { command: "npx", args: ["server", "--token", "${TOKEN}"] },
        two: { url: "https://user:pass@example.com/mcp?key=${TOKEN}" },
      },
    });
    const { load } = openProject({ "project/mcp.json": text, "project/.env": "TOKEN=secret" });
    const { servers } = await load();
    expect(servers.map(({ written }) => written)).toEqual([
      "npx server --token ${TOKEN}",
      "https://example.com/mcp",
    ]);
  });

  it("reads only the named file, and expands `~` to the home folder", async () => {
    const { homeFolder, load } = openProject({ "project/mcp.json": one("near"), "home/x.json": one("far") });
    const configuration = await load({ config: "~/x.json", environment: { MCP_JSON: "mcp.json" } });
    expect(names(configuration)).toEqual(["far"]);
    expect(configuration.sources).toEqual([join(homeFolder, "x.json")]);
  });

  it("reads several named files in order, relative to the working folder", async () => {
    const { load } = openProject({ "project/b.json": one("b"), "project/a.json": one("a") });
    expect(names(await load({ config: ["b.json", "./a.json", "b.json"] }))).toEqual(["b", "a"]);
  });

  it("refuses a file that is too large", async () => {
    const { load } = openProject({ "project/mcp.json": `${" ".repeat(5 * 1024 * 1024)}{}` });
    await expect(load({ config: "mcp.json" })).rejects.toMatchObject({ code: "CONFIG_UNREADABLE" });
  });

  it("names a missing file", async () => {
    const { workingFolder, load } = openProject();
    await expect(load({ config: "gone.json" })).rejects.toMatchObject({
      code: "CONFIG_NOT_FOUND",
      message: expect.stringContaining(`"${join(workingFolder, "gone.json")}"`),
    });
    await expect(load({ environment: { MCP_JSON: "gone.json" } })).rejects.toMatchObject({
      code: "CONFIG_NOT_FOUND",
      message: expect.stringContaining("MCP_JSON"),
    });
  });

  it("accepts a configuration in memory", async () => {
    const { load } = openProject({ "project/mcp.json": one("near") });
    const configuration = await load({ config: { ...one("given"), coordinator: { allowSelf: true } } });
    expect(names(configuration)).toEqual(["given"]);
    expect(configuration.settings.allowSelf).toBe(true);
    expect(configuration.servers[0]?.source).toBe("config option");
  });

  it("prefers MCP_SERVERS_CONFIG over MCP_JSON, and both over the default locations", async () => {
    const { load } = openProject({
      "project/mcp.json": one("usual"),
      "project/a.json": one("a"),
      "project/b.json": one("b"),
    });
    const both = {
      MCP_SERVERS_CONFIG: ["a.json", "b.json"].join(delimiter),
      MCP_JSON: JSON.stringify(one("c")),
    };
    expect(names(await load({ environment: both }))).toEqual(["a", "b"]);
    const inline = await load({ environment: { ...both, MCP_SERVERS_CONFIG: "" } });
    expect(names(inline)).toEqual(["c"]);
    expect(inline.sources).toEqual(["MCP_JSON"]);
  });

  it("reads every default location, and the first source wins", async () => {
    const places = [
      "project/mcp.json",
      "project/mcp_servers.json",
      "project/.mcp.json",
      "project/.vscode/mcp.json",
      "project/mcp-coordinator.json",
      "project/mcp-servers/a.json",
      "project/mcp-servers/b.json",
      "home/.config/mcp-coordinator/config.json",
      "home/.config/mcp/servers/a.json",
      "home/MCPs/a.json",
    ];
    const { workingFolder, load } = openProject(
      Object.fromEntries(
        places.map((place, index) => [
          place,
          { mcpServers: { shared: { command: `from-${index}` }, [`only-${index}`]: { command: "x" } } },
        ]),
      ),
    );
    const configuration = await load();
    expect(names(configuration)).toEqual(["shared", ...places.map((_, index) => `only-${index}`)]);
    expect(configuration.servers[0]).toMatchObject({
      target: { command: "from-0" },
      source: join(workingFolder, "mcp.json"),
    });
    expect(configuration.sources).toHaveLength(places.length);
    expect(configuration.servers.at(-1)?.source).toMatch(/MCPs.a\.json$/);
  });

  it("reads VS Code's `servers` key as well as `mcpServers`", async () => {
    const { load } = openProject({
      "project/.vscode/mcp.json": { inputs: [], servers: { code: { type: "stdio", command: "x" } } },
      "project/mcp.json": { mcpServers: { a: { command: "a" } }, servers: { b: { command: "b" } } },
    });
    expect(names(await load())).toEqual(["a", "b", "code"]);
  });

  it("reads a folder's *.json in order, and names a server after a file that holds only its entry", async () => {
    const { load } = openProject({
      "project/conf/b.json": { url: "https://example.com/mcp" },
      "project/conf/a.json": {
        description: "File-level",
        ...one("first"),
        mcpServers: { first: { command: "x" } },
      },
      "project/conf/.hidden.json": one("hidden"),
      "project/conf/notes.txt": "not JSON",
      "project/conf/folder.json/inner.json": one("inner"),
    });
    const { servers } = await load({ config: "conf" });
    expect(servers.map(({ name, description }) => [name, description])).toEqual([
      ["first", "File-level"],
      ["b", undefined],
    ]);
  });

  it("prefers a server's own description over the file's", async () => {
    const { load } = openProject();
    const { servers } = await load({
      config: {
        description: "all",
        mcpServers: { a: { command: "a", description: "own" }, b: { command: "b" } },
      },
    });
    expect(servers.map(({ description }) => description)).toEqual(["own", "all"]);
  });

  it("warns how to add a server if there is none", async () => {
    const { servers, sources, warnings } = await openProject().load();
    expect({ servers, sources }).toEqual({ servers: [], sources: [] });
    expect(warnings).toEqual([expect.stringContaining('put an "mcp.json" with "mcpServers"')]);
  });

  it("warns about a file without servers and settings", async () => {
    const { load } = openProject({ "project/mcp.json": { github: { command: "x" } } });
    expect((await load()).warnings[0]).toMatch(/mcp\.json" is ignored: /);
  });

  it("suggests the known key for a misspelled one, in the file and in a server's entry, and is silent about other clients' keys", async () => {
    const { load } = openProject({
      "project/mcp.json": {
        mcpServers: {
          a: { command: "node", arg: ["x"], autoApprove: [], icon: "x", transport: "stdio", alwaysAllow: [] },
          b: { comand: "node", env: {}, enviroment: {} },
        },
        coordinater: {},
        inputs: [],
        projects: {},
      },
    });
    const { warnings } = await load();
    expect(warnings.map((text) => text.replace(/"[^"]*mcp\.json"/, "FILE"))).toEqual([
      'The key "coordinater" of FILE has no effect: did you mean "coordinator"?',
      'The key "arg" of server "a" of FILE has no effect: did you mean "args"?',
      'The key "comand" of server "b" of FILE has no effect: did you mean "command"?',
    ]);
  });

  it.each([
    [[], 'found a list, expected an object with "mcpServers"'],
    [{ mcpServers: [] }, 'Cannot use "mcpServers" of'],
    [{ servers: null }, "found null"],
  ])("refuses a malformed top level of a named file: %j", async (content, message) => {
    const { load } = openProject({ "project/mcp.json": content });
    const loading = load({ config: "mcp.json" });
    await expect(loading).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/mcp\.json/),
    });
    await expect(loading).rejects.toThrow(message);
  });

  it.each([
    ["in a folder that was named", { config: "conf" }, "project/conf"],
    ["in the project's folder", {}, "project/mcp-servers"],
    ["in the person's folder", {}, "home/MCPs"],
  ])("skips one broken file %s, reports it and uses the others", async (_where, options, folder) => {
    const { load } = openProject({
      [`${folder}/bad.json`]: '{ "mcpServers": ',
      [`${folder}/good.json`]: { mcpServers: { good: { command: "x" } } },
      [`${folder}/list.json`]: [],
    });
    const configuration = await load(options);
    expect(names(configuration)).toEqual(["good"]);
    expect(configuration.warnings).toEqual([
      expect.stringMatching(/bad\.json" is skipped, all other files are used\. Cannot/),
      expect.stringMatching(/list\.json" is skipped, all other files are used\. Cannot/),
    ]);
  });

  it("skips a broken file of another client in the working folder", async () => {
    const { load } = openProject({
      "project/.mcp.json": "{",
      "home/.config/mcp-coordinator/config.json": { mcpServers: { mine: { command: "x" } } },
    });
    expect(names(await load())).toEqual(["mine"]);
  });

  it.each(["project/mcp-servers/bad.json", "project/mcp-coordinator.json"])(
    "fails on a broken %s that seems to have settings, because they may forbid something",
    async (path) => {
      const { load } = openProject({ [path]: '{ "coordinator": { "approve": ["writes"] }' });
      await expect(load()).rejects.toMatchObject({ code: "CONFIG_UNREADABLE" });
    },
  );

  it("skips servers whose names are not allowed, with a warning", async () => {
    const { load } = openProject({
      "project/mcp.json":
        '{ "mcpServers": { "": {}, " ": {}, "a\\u001b[2J": {}, "a\\u202eb": {}, "__proto__": { "command": "x" }, "constructor": {}, "Ada\'s files 📁": { "command": "x" } } }',
    });
    const configuration = await load();
    expect(names(configuration)).toEqual(["Ada's files 📁"]);
    expect(configuration.warnings).toHaveLength(6);
    expect(configuration.warnings.join("\n")).not.toMatch(/\p{Cc}(?<!\n)|\u202e/u);
    expect(configuration.warnings[2]).toContain('"a\\u001b[2J"');
  });

  it("skips its own entry with a warning, unless allowSelf is set", async () => {
    const mcpServers = {
      other: { command: "x" },
      me: { command: "npx", args: ["-y", "mcp-coordinator", "serve"] },
    };
    const { load } = openProject({ "project/mcp.json": { mcpServers } });
    const without = await load();
    expect(names(without)).toEqual(["other"]);
    expect(without.warnings).toEqual([expect.stringMatching(/"me" of ".*mcp\.json" is skipped/)]);
    const withSelf = await load({ settings: { allowSelf: true } });
    expect(names(withSelf)).toEqual(["other", "me"]);
    expect(withSelf.warnings).toEqual([]);
  });

  it("keeps a server that uses a folder with our name", async () => {
    const { workingFolder, load } = openProject({ "project/mcp-coordinator/readme.md": "x" });
    const args = [join(workingFolder, "mcp-coordinator")];
    expect(names(await load({ config: { mcpServers: { files: { command: "files", args } } } }))).toEqual([
      "files",
    ]);
  });
});

describe("servers that may be added", () => {
  const entry = { command: "node", args: ["server.mjs"], env: { TOKEN: "${TOKEN}" } };

  it("are read like servers, from every layer, but are not listed as servers", async () => {
    const { load } = openProject({
      "project/mcp.json": {
        mcpServers: { one: { command: "node" } },
        coordinator: { addServers: { from: { two: { ...entry, description: "Second" } } } },
      },
    });
    const { servers, addable } = await load({
      environment: { TOKEN: "t" },
      settings: { addServers: { from: { three: { url: "http://127.0.0.1:1/mcp" } } } },
    });
    expect(servers.map(({ name }) => name)).toEqual(["one"]);
    expect(addable.map(({ name, description }) => [name, description])).toEqual([
      ["three", undefined],
      ["two", "Second"],
    ]);
    expect(addable[1]?.target).toMatchObject({ kind: "stdio", env: { TOKEN: "t" } });
  });

  it("keep the problem of one entry separate from the others", async () => {
    const { load } = openProject({
      "project/mcp.json": { coordinator: { addServers: { from: { two: entry, bad: { command: 7 } } } } },
    });
    const { addable } = await load();
    expect(addable.map(({ problem }) => problem?.message)).toEqual([
      expect.stringContaining("TOKEN"),
      expect.stringContaining('field "command"'),
    ]);
  });

  it("do not include a configured server of the same name", async () => {
    const { load } = openProject({
      "project/mcp.json": {
        mcpServers: { one: entry },
        coordinator: { addServers: { from: { one: entry } } },
      },
    });
    expect((await load()).addable).toEqual([]);
  });

  it("must be an object of entries", async () => {
    const { load } = openProject({ "project/mcp.json": { coordinator: { addServers: { from: ["one"] } } } });
    await expect(load()).rejects.toThrow('Cannot use setting "coordinator.addServers.from"');
  });
});

describe("a policy", () => {
  const policy = { undo: { "a.b": { call: "a.c" } } };
  const own = "home/.config/mcp-coordinator/config.json";

  it("that is found in a project is marked, even if everything is trusted", async () => {
    const { load } = openProject({
      "project/mcp-coordinator.json": { coordinator: { policy } },
      "project/policy.yaml": "deny: [writes]",
      [own]: { coordinator: { policy: {} } },
    });
    const { policies } = await load({ trust: true });
    expect(policies.map(({ isProject }) => isProject)).toEqual([undefined, true, true]);
  });

  it("without a configuration beside it is not read, and is listed as ignored", async () => {
    const { load, workingFolder } = openProject({
      "project/.vscode/mcp.json": { servers: {} },
      "project/policy.yaml": "deny: [writes]",
      [own]: { coordinator: { policy: {} } },
      "home/.config/mcp-coordinator/policy.yaml": "deny: [writes]",
    });
    const { policies, ignoredPolicies } = await load();
    expect(policies.map(({ file }) => file)).not.toContain(`${workingFolder}/policy.yaml`);
    expect(ignoredPolicies).toEqual([`${workingFolder}/policy.yaml`]);
    expect((await load({ config: {} })).ignoredPolicies).toEqual([]);
  });

  it("that the environment names comes after those that the user wrote or named, and before a project's", async () => {
    const { load, workingFolder } = openProject({
      "project/mcp-coordinator.json": { coordinator: { policy: { deny: ["project.*"] } } },
      "project/named.json": { coordinator: { policy: { deny: ["named.*"] } } },
      "project/environment.yaml": "deny: [environment.*]",
      [own]: { coordinator: { policy: { deny: ["own.*"] } } },
    });
    const environment = { MCP_COORDINATOR_POLICY: `${workingFolder}/environment.yaml` };
    const listed = async (options: Parameters<typeof load>[0]) =>
      (await load({ environment, ...options })).policies.map(({ document }) => document);
    const [first, second, third] = await listed({ trust: true });
    expect([first, second, third]).toEqual([
      { deny: ["own.*"] },
      { deny: ["environment.*"] },
      { deny: ["project.*"] },
    ]);
    expect(await listed({ config: `${workingFolder}/named.json`, trust: undefined })).toEqual([
      { deny: ["named.*"] },
      { deny: ["environment.*"] },
    ]);
  });

  it("that the user names is the user's own, unless it needs trust", async () => {
    const { load, workingFolder } = openProject({ "project/named.json": { coordinator: { policy } } });
    const config = `${workingFolder}/named.json`;
    expect((await load({ config, trust: undefined })).policies[0]?.isProject).toBeUndefined();
    const untrusted = await load({ config, trust: undefined, trustsNamed: false });
    expect(untrusted.policies.map(({ isProject }) => isProject)).not.toContain(undefined);
  });
});
