// Servers, settings and variables of a folder have no effect until the user trusts them exactly as they are.
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTrust, trustFile, writeTrust } from "../../../../src/config/trust/judge-trust.js";
import type { Configuration } from "../../../../src/contracts/index.js";
import { openProject, type Project } from "../open-project.js";

const stateOf = ({ homeFolder }: Project): string =>
  process.platform === "darwin"
    ? join(homeFolder, "Library", "Application Support", "mcp-coordinator")
    : join(homeFolder, ".local", "state", "mcp-coordinator");

const load = (project: Project, options: Parameters<Project["load"]>[0] = {}): Promise<Configuration> =>
  project.load({ trust: false, ...options });

/** Trusts everything that waits for trust, as the command does. */
const trustAll = async (project: Project, options: Parameters<Project["load"]>[0] = {}): Promise<void> => {
  const { untrusted } = await load(project, options);
  const records = untrusted.map(({ before: _, ...item }) => ({ ...item, trustedAt: "2026-11-15T00:00:00Z" }));
  const kept = readTrust(stateOf(project)).filter(
    (record) =>
      !records.some(
        ({ kind, file, name }) => kind === record.kind && file === record.file && name === record.name,
      ),
  );
  writeTrust(stateOf(project), [...kept, ...records]);
};

const codes = ({ servers }: Configuration): readonly (string | undefined)[] =>
  servers.map(({ problem }) => problem?.code);

const rewrite = (project: Project, name: string, content: unknown): void =>
  writeFileSync(
    join(project.workingFolder, name),
    typeof content === "string" ? content : JSON.stringify(content),
  );

const server = (entry: object, coordinator?: object) => ({
  mcpServers: { tool: entry },
  ...(coordinator === undefined ? {} : { coordinator }),
});

describe("a configuration found in the project", () => {
  it("does not start its servers, shows the exact command and says how to trust it", async () => {
    const project = openProject({
      "project/.mcp.json": server({ command: "npx", args: ["-y", "some-tool", "--all"] }),
    });
    const { servers, warnings, untrusted } = await load(project);
    expect(servers[0]?.problem).toMatchObject({
      code: "CONFIG_UNTRUSTED",
      message: 'Cannot use server "tool": it would start "npx -y some-tool --all", which is not trusted yet',
      hint: expect.stringContaining("mcp-coordinator trust"),
    });
    expect(warnings).toEqual([expect.stringContaining("npx -y some-tool --all")]);
    expect(untrusted).toMatchObject([{ kind: "server", name: "tool", written: "npx -y some-tool --all" }]);
  });

  it("may start its servers once it is trusted, as long as it stays unchanged", async () => {
    const project = openProject({ "project/mcp.json": server({ command: "node", args: ["a.mjs"] }) });
    await trustAll(project);
    expect(codes(await load(project))).toEqual([undefined]);
    rewrite(project, "mcp.json", server({ command: "node", args: ["b.mjs"] }));
    const changed = await load(project);
    expect(changed.servers[0]?.problem?.message).toBe(
      'Cannot use server "tool": it was trusted as "node a.mjs", but is "node b.mjs" now',
    );
    expect(changed.untrusted).toMatchObject([{ before: "node a.mjs", written: "node b.mjs" }]);
  });

  it.each([
    ["an argument", { command: "node", args: ["a.mjs", "--more"], env: { A: "1" } }],
    ["a folder", { command: "node", args: ["a.mjs"], env: { A: "1" }, cwd: ".." }],
    ["a variable's name", { command: "node", args: ["a.mjs"], env: { A: "1", B: "1" } }],
    ["an address", { url: "https://example.com/mcp" }],
    [
      "a variable that loads code",
      { command: "node", args: ["a.mjs"], env: { A: "1", NODE_OPTIONS: "--import ./x.mjs" } },
    ],
  ])("asks again when %s changes", async (_what, entry) => {
    const project = openProject({
      "project/mcp.json": server({ command: "node", args: ["a.mjs"], env: { A: "1" } }),
    });
    await trustAll(project);
    rewrite(project, "mcp.json", server(entry));
    expect(codes(await load(project))).toEqual(["CONFIG_UNTRUSTED"]);
  });

  it("does not ask again when a secret, description or timeout changes", async () => {
    const project = openProject({ "project/mcp.json": server({ command: "node", env: { TOKEN: "one" } }) });
    await trustAll(project);
    rewrite(
      project,
      "mcp.json",
      server({ command: "node", env: { TOKEN: "two" }, description: "x", timeout: 5000 }),
    );
    expect(codes(await load(project))).toEqual([undefined]);
  });

  it("asks again when the value of a variable that loads code changes", async () => {
    const entry = (value: string) => server({ command: "node", env: { NODE_OPTIONS: value } });
    const project = openProject({ "project/mcp.json": entry("--no-warnings") });
    await trustAll(project);
    rewrite(project, "mcp.json", entry("--import ./evil.mjs"));
    expect(codes(await load(project))).toEqual(["CONFIG_UNTRUSTED"]);
  });

  it("asks again when the folder's .env changes the command, but not when the user's environment does", async () => {
    const entry = server({ command: "${TOOL:-node}", args: ["${FLAG:-}"] });
    const project = openProject({ "project/mcp.json": entry, "project/.env": "TOOL=node" });
    await trustAll(project);
    expect(codes(await load(project, { environment: { FLAG: "--x" } }))).toEqual([undefined]);
    rewrite(project, ".env", "TOOL=./evil");
    expect(codes(await load(project))).toEqual(["CONFIG_UNTRUSTED"]);
  });

  it("is trusted file by file and server by server", async () => {
    const project = openProject({ "project/mcp.json": server({ command: "a" }) });
    await trustAll(project);
    rewrite(project, "mcp.json", { mcpServers: { tool: { command: "a" }, other: { command: "a" } } });
    rewrite(project, "mcp-coordinator.json", { mcpServers: { third: { command: "a" } } });
    expect(codes(await load(project))).toEqual([undefined, "CONFIG_UNTRUSTED", "CONFIG_UNTRUSTED"]);
  });

  it("does not hide the user's own server of the same name while it is not trusted", async () => {
    const project = openProject({
      "project/mcp.json": server({ command: "evil" }),
      "home/.config/mcp-coordinator/config.json": server({ command: "mine" }),
    });
    expect((await load(project)).servers).toMatchObject([{ name: "tool", written: "mine" }]);
    await trustAll(project);
    expect((await load(project)).servers).toMatchObject([{ name: "tool", written: "evil" }]);
  });

  it("needs no trust for a disabled server", async () => {
    const project = openProject({ "project/mcp.json": server({ command: "a", disabled: true }) });
    expect((await load(project)).untrusted).toEqual([]);
  });

  it("ignores settings that reach beyond a run, and keeps the others", async () => {
    const coordinator = {
      limits: { timeoutMs: 1234 },
      python: { interpreter: "./evil" },
      approve: [],
      addServers: { from: { x: { command: "evil" } } },
    };
    const project = openProject({
      "project/mcp-coordinator.json": { coordinator },
      "home/.config/mcp-coordinator/config.json": { coordinator: { approve: ["writes"] } },
    });
    const before = await load(project);
    expect(before.settings.limits.timeoutMs).toBe(1234);
    expect(before.settings.python.interpreter).toBeUndefined();
    expect(before.addable).toEqual([]);
    expect(before.settings.approve).toEqual(["writes"]);
    expect(before.warnings[0]).toMatch(/"python", "approve", "addServers" of ".*" are not trusted/);
    await trustAll(project);
    const after = await load(project);
    expect(after.settings.python.interpreter).toBe(join(project.workingFolder, "evil"));
    expect(after.addable).toHaveLength(1);
    expect(after.settings.approve).toEqual([]);
  });
});

describe("a named configuration", () => {
  const named = { config: "conf/x.json" };

  it.each([
    ["with --config", named],
    ["by MCP_SERVERS_CONFIG", { environment: { MCP_SERVERS_CONFIG: "conf/x.json" } }],
    ["by MCP_JSON", { environment: { MCP_JSON: "conf/x.json" } }],
    ["by its folder", { config: "conf" }],
  ])("%s starts nothing before it is trusted", async (_how, options) => {
    const project = openProject({ "project/conf/x.json": server({ command: "a" }) });
    expect(codes(await load(project, options))).toEqual(["CONFIG_UNTRUSTED"]);
    await trustAll(project, options);
    expect(codes(await load(project, options))).toEqual([undefined]);
  });

  it("stays trusted when a client starts us in another folder, unless files there change what runs", async () => {
    const project = openProject({
      "project/mcp.json": server({ command: "npx", args: ["-y", "tool"] }),
      "elsewhere/x": "",
    });
    await trustAll(project, { config: "mcp.json" });
    expect(codes(await load(project))).toEqual([undefined]);
    const workingFolder = join(project.workingFolder, "..", "elsewhere");
    const config = join(project.workingFolder, "mcp.json");
    expect(codes(await load(project, { config, workingFolder }))).toEqual([undefined]);
    writeFileSync(join(workingFolder, ".npmrc"), "registry=https://evil.example");
    expect(codes(await load(project, { config, workingFolder }))).toEqual(["CONFIG_UNTRUSTED"]);
  });
});

describe("trusted settings that have changed", () => {
  const trusted = {
    approve: ["writes"],
    limits: { timeoutMs: 1000, calls: 10 },
    network: { allow: ["a.example"] },
    packages: ["lodash-es"],
    executor: "isolate",
    skillSignatures: "strict",
    callTool: true,
  };
  const openTrusted = async (): Promise<Project> => {
    const project = openProject({ "project/conf/x.json": { mcpServers: {}, coordinator: trusted } });
    await trustAll(project, { config: "conf" });
    return project;
  };
  const settingsAfter = async (coordinator: object | undefined) => {
    const project = await openTrusted();
    rewrite(project, "conf/x.json", { mcpServers: {}, coordinator });
    return load(project, { config: "conf" });
  };

  it.each([
    ["fewer rules for approval", { approve: [] }],
    ["another rule for approval", { approve: ["other.*"] }],
    ["a higher limit", { limits: { timeoutMs: 60_000, calls: 10 } }],
    ["a limit that is gone", { limits: { calls: 10 } }],
    ["another host", { network: { allow: ["a.example", "b.example"] } }],
    ["another package", { packages: ["lodash-es", "evil"] }],
    ["another sandbox", { executor: "wasm" }],
    ["weaker signatures of skills", { skillSignatures: "off" }],
    ["another state folder", { stateFolder: "./state" }],
    ["another interpreter", { python: { interpreter: "./evil" } }],
    ["callers who may add servers", { http: { mayAddServers: true } }],
  ])("allow no more than before through %s until they are trusted", async (_what, change) => {
    const before = (await load(await openTrusted(), { config: "conf" })).settings;
    const { settings, warnings, untrusted } = await settingsAfter({ ...trusted, ...change });
    const {
      approve,
      cacheFolder: _,
      stateFolder,
      skillsFolder: __,
      vaultFolder,
      pinsFile,
      ...others
    } = settings;
    expect(pinsFile).toMatch(/home/);
    expect(vaultFolder).toMatch(/home/);
    expect(approve).toContain("writes");
    expect(stateFolder).toMatch(/home/);
    for (const [name, value] of Object.entries(others)) expect(before).toMatchObject({ [name]: value });
    expect(warnings.join()).toContain(`"${Object.keys(change)[0]}"`);
    expect(untrusted).toMatchObject([{ kind: "settings", before: JSON.stringify(trusted) }]);
  });

  it.each([
    ["no settings", undefined],
    ["empty settings", {}],
  ])("keep the old rules when the file now has %s", async (_what, coordinator) => {
    const { settings, untrusted } = await settingsAfter(coordinator);
    expect(settings.approve).toEqual(["writes"]);
    expect(settings.limits.timeoutMs).toBe(1000);
    expect(untrusted).toHaveLength(1);
  });

  it("keep the old rules when their file is deleted, until the user agrees", async () => {
    const project = await openTrusted();
    rewrite(project, "conf/y.json", server({ command: "a" }));
    rmSync(join(project.workingFolder, "conf/x.json"));
    expect((await load(project, { config: "conf" })).settings.approve).toEqual(["writes"]);
    await trustAll(project, { config: "conf" });
    const { settings, untrusted } = await load(project, { config: "conf" });
    expect(settings.approve).toEqual([]);
    expect(untrusted).toEqual([]);
  });

  it("do not count as a mistake of the file if this version no longer has them", async () => {
    const project = await openTrusted();
    const before = JSON.stringify({ ...trusted, executor: "microvm", gone: true });
    writeTrust(
      stateOf(project),
      readTrust(stateOf(project)).map((record) => ({ ...record, written: before, fingerprint: "earlier" })),
    );

    const { settings, untrusted } = await load(project, { config: "conf" });

    expect(settings).toMatchObject({ approve: ["writes"], executor: "auto", limits: { timeoutMs: 1000 } });
    expect(untrusted).toMatchObject([{ kind: "settings", before }]);
    await trustAll(project, { config: "conf" });
    expect((await load(project, { config: "conf" })).settings.executor).toBe("isolate");
  });

  it("are not overridden by a file with higher precedence", async () => {
    const project = await openTrusted();
    rewrite(project, "conf/a.json", { coordinator: { approve: [], limits: { timeoutMs: 9999 } } });
    const { settings } = await load(project, { config: "conf" });
    expect(settings.approve).toEqual(["writes"]);
    expect(settings.limits.timeoutMs).toBe(1000);
  });

  it("apply at once where they allow less", async () => {
    const { settings } = await settingsAfter({
      ...trusted,
      approve: ["writes", "github.*"],
      limits: { timeoutMs: 500, calls: 99 },
      network: { allow: [] },
      approvals: "outside",
      callTool: false,
    });
    expect(settings).toMatchObject({
      approve: ["writes", "github.*"],
      limits: { timeoutMs: 500, calls: 10 },
      network: { allow: [] },
      approvals: "outside",
      callTool: false,
    });
  });

  it("remove no stored data until they are trusted", async () => {
    const { settings } = await settingsAfter({ ...trusted, limits: { storedValues: 1, storedBytes: 1 } });
    expect(settings.limits).toMatchObject({ storedValues: 1000, storedBytes: 2 ** 30 });
  });
});

/** What a person is shown of the one server, "label: value". */
const factsOf = async (project: Project, options: Parameters<Project["load"]>[0] = {}) =>
  (await load(project, options)).untrusted[0]?.facts?.map(({ label, value }) => `${label}: ${value}`) ?? [];

describe("the prompt for an untrusted server shows", () => {
  it("every variable with its value, those that load code last, and no secret", async () => {
    const env = { NODE_OPTIONS: "--import ./x.mjs", MODE: "fast", API_KEY: "s3cret", PATH: "./bin" };
    const project = openProject({
      "project/mcp.json": server({ command: "node", args: ["-e", "a b"], env }),
    });
    expect(await factsOf(project)).toEqual([
      'command: node -e "a b"',
      `folder: ${project.workingFolder}`,
      "MODE: fast",
      "API_KEY: (a secret)",
      "NODE_OPTIONS: --import ./x.mjs",
      "PATH: ./bin",
    ]);
  });

  it("the folder it runs in, and the files there that can change what runs", async () => {
    const project = openProject({
      "project/mcp.json": server({ command: "npx", args: ["tool"], cwd: "sub" }),
      "project/sub/.npmrc": "registry=https://example.com",
      "project/sub/package.json": "{}",
    });
    const facts = await factsOf(project);
    expect(facts).toContain(`folder: ${join(project.workingFolder, "sub")}`);
    expect(facts).toContainEqual(
      expect.stringMatching(
        /^file: \.npmrc of this folder can change what runs \(28 bytes, sha256 [0-9a-f]{16}\)$/,
      ),
    );
    expect(facts).toContain("note: package.json of this folder can change what runs");
  });

  it("that the server runs a file of the folder", async () => {
    const project = openProject({
      "project/mcp.json": server({ command: "node", args: ["server.mjs"] }),
      "project/server.mjs": "",
    });
    expect(await factsOf(project)).toContain(
      "note: server.mjs is a file of this folder: changing it changes what runs",
    );
  });

  it("the values from its envFile and the folder's .env, but only references to the user's environment", async () => {
    const project = openProject({
      "project/mcp.json": server({
        command: "${TOOL:-node}",
        args: ["${FLAG}", "${MINE:-x}"],
        envFile: "own.env",
      }),
      "project/.env": "FLAG=--evil",
      "project/own.env": "PYTHONPATH=./lib\nTOKEN=s3cret",
    });
    const facts = await factsOf(project, { environment: { MINE: "private" } });
    expect(facts).toContain("command: node --evil ${MINE}");
    expect(facts).toContainEqual(
      expect.stringContaining(`envFile: ${join(project.workingFolder, "own.env")} (29 bytes, sha256 `),
    );
    expect(facts).toContain("PYTHONPATH (envFile): ./lib");
    expect(facts).toContain("TOKEN (envFile): (a secret)");
    expect(facts.join()).not.toMatch(/s3cret|private/);
  });

  it("the URL, its headers, and which of the user's variables are sent there", async () => {
    const project = openProject({
      "project/mcp.json": server({
        url: "https://user:pw@example.com/mcp?mode=x&token=s3cret",
        headers: { Authorization: "Bearer ${GITHUB_TOKEN}", "X-Team": "red" },
      }),
    });
    expect(await factsOf(project, { environment: { GITHUB_TOKEN: "ghp" } })).toEqual([
      "address: https://***@example.com/mcp?mode=x&token=***",
      "header Authorization: (a secret, uses ${GITHUB_TOKEN})",
      "header X-Team: red",
    ]);
  });
});

describe("a trusted server asks again", () => {
  const steering = [
    ...[
      "NODE_OPTIONS",
      "NODE_PATH",
      "npm_config_registry",
      "PATH",
      "Path",
      "HOME",
      "PYTHONPATH",
      "PYTHONHOME",
    ],
    ...[
      "PYTHONSTARTUP",
      "UV_INDEX_URL",
      "PIP_INDEX_URL",
      "RUBYOPT",
      "GEM_HOME",
      "BUNDLE_GEMFILE",
      "JAVA_TOOL_OPTIONS",
    ],
    ...[
      "_JAVA_OPTIONS",
      "CLASSPATH",
      "DOTNET_STARTUP_HOOKS",
      "CORECLR_PROFILER_PATH",
      "PERL5OPT",
      "PERL5LIB",
    ],
    ...[
      "LD_PRELOAD",
      "LD_LIBRARY_PATH",
      "DYLD_INSERT_LIBRARIES",
      "GCONV_PATH",
      "GIT_SSH_COMMAND",
      "GIT_CONFIG_KEY_0",
    ],
    ...[
      "BASH_ENV",
      "ENV",
      "ZDOTDIR",
      "SHELL",
      "GOFLAGS",
      "CARGO_HOME",
      "XDG_CONFIG_HOME",
      "TMPDIR",
      "EDITOR",
      "PAGER",
    ],
    ...[
      "OPENSSL_CONF",
      "SSL_CERT_FILE",
      "HTTPS_PROXY",
      "http_proxy",
      "DOCKER_HOST",
      "KUBECONFIG",
      "AWS_CONFIG_FILE",
    ],
    ...["SSH_ASKPASS", "UNHEARD_OF_PLUGIN"],
  ];

  it.each(steering)("when the value of %s changes, in the entry or in its envFile", async (name) => {
    const inEntry = openProject({ "project/mcp.json": server({ command: "a", env: { [name]: "one" } }) });
    await trustAll(inEntry);
    expect(codes(await load(inEntry))).toEqual([undefined]);
    rewrite(inEntry, "mcp.json", server({ command: "a", env: { [name]: "two" } }));
    expect(codes(await load(inEntry))).toEqual(["CONFIG_UNTRUSTED"]);

    const inFile = openProject({
      "project/mcp.json": server({ command: "a", envFile: "x.env" }),
      "project/x.env": `${name}=one`,
    });
    await trustAll(inFile);
    expect(codes(await load(inFile))).toEqual([undefined]);
    rewrite(inFile, "x.env", `${name}=two`);
    expect(codes(await load(inFile))).toEqual(["CONFIG_UNTRUSTED"]);
  });

  it.each([
    ["an argument", { args: ["x"] }, { args: ["${SECRET:-x}"] }],
    ["the command", {}, { command: "${SHELL:-a}" }],
    ["a variable", { env: { NOTE: "" } }, { env: { NOTE: "${SECRET:-}" } }],
    ["the folder", { cwd: "." }, { cwd: "${SECRET:-.}" }],
    ["the envFile", { envFile: "x.env" }, { envFile: "${SECRET:-x.env}" }],
    ["the address", { url: "https://a.example" }, { url: "https://a.example${SECRET:-}" }],
    ["a header", { url: "https://a.example", headers: { A: "" } }, { headers: { A: "${SECRET:-}" } }],
  ])(
    "when %s now refers to the user's environment, with the old value as its default",
    async (_what, before, after) => {
      const entry = { ...("url" in before ? {} : { command: "a" }), ...before };
      const project = openProject({ "project/mcp.json": server(entry), "project/x.env": "A=1" });
      await trustAll(project);
      expect(codes(await load(project))).toEqual([undefined]);
      rewrite(project, "mcp.json", server({ ...entry, ...after }));
      expect(codes(await load(project))).toEqual(["CONFIG_UNTRUSTED"]);
    },
  );

  it("when a field and a variable named like it swap their values", async () => {
    const entry = (command: string, value: string) => server({ command, env: { command: value } });
    const project = openProject({ "project/mcp.json": entry("good", '["evil"]') });
    await trustAll(project);
    rewrite(project, "mcp.json", entry("evil", '["good"]'));
    expect(codes(await load(project))).toEqual(["CONFIG_UNTRUSTED"]);
  });

  it.each([
    ["OAUTH_TOKEN_URL", "https://good.example", "https://evil.example"],
    ["API_KEY_HELPER", "cat key", "curl evil.example"],
    ["CREDENTIALS_FILE", "a.json", "b.json"],
    ["DATABASE_DSN", "app:x@tcp(good)/db", "app:x@tcp(evil)/db"],
    ["WEBHOOK_SECRET", "https://x:${PASSWORD}@good.example", "https://x:${PASSWORD}@evil.example"],
  ])("when %s changes, which describes a secret but is not one", async (name, before, after) => {
    const entry = (value: string) => server({ command: "a", env: { [name]: value } });
    const environment = { PASSWORD: "x" };
    const project = openProject({ "project/mcp.json": entry(before) });
    await trustAll(project, { environment });
    expect(codes(await load(project, { environment }))).toEqual([undefined]);
    rewrite(project, "mcp.json", entry(after));
    expect(codes(await load(project, { environment }))).toEqual(["CONFIG_UNTRUSTED"]);
  });

  it.each([".npmrc", "mise.local.toml", "NuGet.Config"])(
    "when %s changes in a parent of the folder that it runs in",
    async (name) => {
      const project = openProject({
        "project/mcp.json": server({ command: "npx", args: ["-y", "x"], cwd: "packages/one" }),
        "project/packages/one/a.txt": "",
        [`project/packages/${name}`]: "good",
      });
      await trustAll(project);
      expect(codes(await load(project))).toEqual([undefined]);
      rewrite(project, join("packages", name), "evil");
      expect(codes(await load(project))).toEqual(["CONFIG_UNTRUSTED"]);
      const [item] = (await load(project)).untrusted;
      expect(item?.facts?.map(({ value }) => value)).toContainEqual(
        expect.stringContaining(`${join(project.workingFolder, "packages", name)} can change what runs`),
      );
    },
  );

  it("when its envFile has a new variable, but not when a secret in it changes", async () => {
    const project = openProject({
      "project/mcp.json": server({ command: "a", envFile: "x.env" }),
      "project/x.env": "TOKEN=one",
    });
    await trustAll(project);
    rewrite(project, "x.env", "TOKEN=two");
    expect(codes(await load(project))).toEqual([undefined]);
    rewrite(project, "x.env", "TOKEN=two\nNODE_OPTIONS=--import=./evil.mjs");
    expect(codes(await load(project))).toEqual(["CONFIG_UNTRUSTED"]);
  });

  it("when a secret refers to another variable of the user's environment", async () => {
    const entry = (name: string) =>
      server({ url: "https://example.com", headers: { Authorization: `Bearer \${${name}}` } });
    const project = openProject({ "project/mcp.json": entry("SHOP_TOKEN") });
    const environment = { SHOP_TOKEN: "a", AWS_SECRET_ACCESS_KEY: "b" };
    await trustAll(project, { environment });
    expect(codes(await load(project, { environment }))).toEqual([undefined]);
    rewrite(project, "mcp.json", entry("AWS_SECRET_ACCESS_KEY"));
    expect(codes(await load(project, { environment }))).toEqual(["CONFIG_UNTRUSTED"]);
  });

  it("when the origin of its URL changes", async () => {
    const project = openProject({ "project/mcp.json": server({ url: "https://example.com/mcp" }) });
    await trustAll(project);
    rewrite(project, "mcp.json", server({ url: "https://example.org/mcp" }));
    expect(codes(await load(project))).toEqual(["CONFIG_UNTRUSTED"]);
  });

  it("when the configuration of a package runner in its folder changes", async () => {
    const project = openProject({ "project/mcp.json": server({ command: "npx", args: ["tool"] }) });
    await trustAll(project);
    rewrite(project, ".npmrc", "registry=https://evil.example");
    expect(codes(await load(project))).toEqual(["CONFIG_UNTRUSTED"]);
    await trustAll(project);
    expect(codes(await load(project))).toEqual([undefined]);
  });

  it("when a large file that can change what runs is modified, even if its size and time stay the same", async () => {
    const large = (end: string): string =>
      `${"# comment\n".repeat(300_000)}registry=https://${end}.example\n`;
    const project = openProject({
      "project/mcp.json": server({ command: "npx", args: ["tool"] }),
      "project/.npmrc": large("good"),
    });
    const path = join(project.workingFolder, ".npmrc");
    const { atime, mtime } = statSync(path);
    await trustAll(project);
    expect(codes(await load(project))).toEqual([undefined]);
    rewrite(project, ".npmrc", large("evil"));
    utimesSync(path, atime, mtime);
    expect(codes(await load(project))).toEqual(["CONFIG_UNTRUSTED"]);
  });

  it("every time if a file that can change what runs is too large to check", async () => {
    const project = openProject({
      "project/mcp.json": server({ command: "npx", args: ["tool"] }),
      "project/.npmrc": "",
    });
    truncateSync(join(project.workingFolder, ".npmrc"), 2 ** 26 + 1);
    await trustAll(project);
    const { servers, untrusted } = await load(project);
    expect(servers[0]?.problem?.code).toBe("CONFIG_UNTRUSTED");
    expect(JSON.stringify(untrusted)).toContain("too large to check");
  });

  it("when the envFile of a server that it only offers to add changes", async () => {
    const coordinator = { addServers: { from: { more: { command: "a", envFile: "x.env" } } } };
    const project = openProject({
      "project/mcp-coordinator.json": { coordinator },
      "project/x.env": "NODE_OPTIONS=--no-warnings",
    });
    await trustAll(project);
    expect((await load(project)).addable).toHaveLength(1);
    rewrite(project, "x.env", "NODE_OPTIONS=--import=./evil.mjs");
    expect((await load(project)).addable).toEqual([]);
  });
});

describe("what is trusted without asking", () => {
  const files = { "project/mcp.json": server({ command: "a" }) };

  it("is a file that the code names, as it is when it is opened", async () => {
    const project = openProject(files);
    const opened = await load(project, { config: "mcp.json", trust: undefined });
    expect(codes(opened)).toEqual([undefined]);
    expect(opened.trusted).toMatchObject([{ kind: "server", name: "tool" }]);
    const again = { config: "mcp.json", trust: opened.trusted };
    expect(codes(await load(project, again))).toEqual([undefined]);
    rewrite(project, "mcp.json", { mcpServers: { tool: { command: "a" }, more: { command: "b" } } });
    expect(codes(await load(project, again))).toEqual([undefined, "CONFIG_UNTRUSTED"]);
  });

  it("is a configuration in memory or in the environment, which no program can change", async () => {
    const project = openProject(files);
    const document = { mcpServers: { tool: { command: "a" } } };
    expect(codes(await load(project, { config: document }))).toEqual([undefined]);
    const environment = { MCP_JSON: JSON.stringify(document) };
    expect(codes(await load(project, { environment }))).toEqual([undefined]);
  });

  it("is a file in the user's own folders, even if it is named", async () => {
    const own = ["x.json", ".config/mcp-coordinator/x.json", ".config/mcp/servers/x.json", "MCPs/x.json"];
    for (const path of own) {
      const project = openProject({ [`home/${path}`]: server({ command: "a" }) });
      expect(codes(await load(project, { config: `~/${path}` }))).toEqual([undefined]);
    }
  });

  it("is everything if the option or the variable says so", async () => {
    const project = openProject(files);
    expect(codes(await load(project, { trust: true }))).toEqual([undefined]);
    const environment = { MCP_COORDINATOR_TRUST: "true" };
    expect(codes(await project.load({ trust: undefined, environment }))).toEqual([undefined]);
  });

  it("is a file in the home folder, even if that is the working folder", async () => {
    const project = openProject({ "home/mcp.json": server({ command: "a" }) });
    expect(codes(await load(project, { workingFolder: project.homeFolder }))).toEqual([undefined]);
  });

  it("is never what the project says about itself", async () => {
    const project = openProject({
      ...files,
      "project/.mcp-coordinator/trust.json": { trusted: [] },
      "project/mcp-coordinator.json": { coordinator: { stateFolder: "./state" } },
    });
    const { untrusted } = await load(project);
    const records = untrusted.map((item) => ({ ...item, trustedAt: "now" }));
    for (const folder of [".mcp-coordinator", "state"])
      writeTrust(join(project.workingFolder, folder), records);
    expect(codes(await load(project))).toEqual(["CONFIG_UNTRUSTED"]);
  });
});

describe("a project's .env", () => {
  const home = { "home/.config/mcp-coordinator/config.json": server({ command: "a", args: ["${ADDRESS}"] }) };

  it("supplies no variable to a server from the home folder before it is trusted", async () => {
    const project = openProject({ ...home, "project/.env": "ADDRESS=evil" });
    const { servers, untrusted } = await load(project);
    expect(servers[0]?.problem).toMatchObject({
      code: "CONFIG_VARIABLE_MISSING",
      hint: expect.stringContaining("mcp-coordinator trust"),
    });
    expect(untrusted).toMatchObject([{ kind: "environment", written: expect.stringContaining("ADDRESS") }]);
    expect(JSON.stringify(untrusted)).not.toContain("evil");
    expect(untrusted[0]?.facts).toMatchObject([
      { label: "file", value: expect.stringMatching(/^12 bytes, sha256 [0-9a-f]{16}$/) },
      { label: "line", value: "ADDRESS=***" },
    ]);
    await trustAll(project);
    expect((await load(project)).servers[0]?.target).toMatchObject({ args: ["evil"] });
    rewrite(project, ".env", "ADDRESS=worse");
    expect(codes(await load(project))).toEqual(["CONFIG_VARIABLE_MISSING"]);
  });

  it("supplies no variable to a named file in another folder", async () => {
    const project = openProject({
      "home/x.json": server({ command: "a", args: ["${ADDRESS}"] }),
      "project/.env": "ADDRESS=evil",
    });
    expect(codes(await load(project, { config: "~/x.json" }))).toEqual(["CONFIG_VARIABLE_MISSING"]);
  });

  it("supplies variables to the project's own file", async () => {
    const project = openProject({
      "project/conf/x.json": server({ command: "a", args: ["${ADDRESS}"] }),
      "project/.env": "ADDRESS=own",
    });
    const { servers } = await load(project, { config: "conf/x.json", trust: true });
    expect(servers[0]?.target).toMatchObject({ args: ["own"] });
  });

  it("needs no trust if nothing uses it", async () => {
    const project = openProject({ ...home, "project/.env": "ADDRESS=evil" });
    expect((await load(project, { environment: { ADDRESS: "mine" } })).untrusted).toEqual([]);
  });
});

describe("the trust file", () => {
  it("trusts nothing if it is invalid, with a warning", async () => {
    const project = openProject({ "project/mcp.json": server({ command: "a" }) });
    mkdirSync(stateOf(project), { recursive: true });
    writeFileSync(trustFile(stateOf(project)), '{ "trusted": [{}] }');
    const { warnings } = await load(project);
    expect(codes(await load(project))).toEqual(["CONFIG_UNTRUSTED"]);
    expect(warnings[0]).toContain("Nothing is trusted");
  });

  it.skipIf(process.platform === "win32")(
    "is readable by its owner only, and holds no value of a variable (needs a Unix system)",
    async () => {
      const project = openProject({ "project/mcp.json": server({ command: "a", env: { TOKEN: "s3cret" } }) });
      await trustAll(project);
      const path = trustFile(stateOf(project));
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readFileSync(path, "utf8")).not.toContain("s3cret");
    },
  );

  it("is named in the error if it cannot be written", ({ skip }) => {
    const canWriteAll = process.platform === "win32" || process.getuid?.() === 0;
    skip(canWriteAll, "this user can write everywhere");
    const project = openProject();
    mkdirSync(join(project.homeFolder, "locked"));
    chmodSync(join(project.homeFolder, "locked"), 0o500);
    expect(() => writeTrust(join(project.homeFolder, "locked", "state"), [])).toThrow(/trust\.json/);
  });

  it("does not use the project's state folder before it is trusted", async () => {
    const project = openProject({
      "project/mcp.json": { mcpServers: {} },
      "project/.mcp-coordinator/skills/evil/SKILL.md": "---\nname: evil\ndescription: Evil\n---\n",
    });
    const first = await load(project, { config: "mcp.json" });
    expect(first.settings.stateFolder).toBe(stateOf(project));
    expect(first.untrusted).toMatchObject([{ kind: "state", name: ".mcp-coordinator" }]);
    expect(first.warnings.join()).toContain("is not trusted, so your own is used");
    await trustAll(project, { config: "mcp.json" });
    const second = await load(project, { config: "mcp.json" });
    expect(second.settings.stateFolder).toBe(join(project.workingFolder, ".mcp-coordinator"));
    expect(second.untrusted).toEqual([]);
  });
});
