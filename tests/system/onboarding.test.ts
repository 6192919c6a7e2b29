// Clients are taken over and restored: every client, every file format, byte for byte.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { clientTable } from "../../src/config/clients/index.js";
import { addEntry, connect, eject, init, listClients } from "../../src/index.js";
import {
  type ClientFixture,
  type ClientHome,
  clientFixtures,
  openClientHome,
} from "../support/client-files.js";

const open = (fixtures?: readonly ClientFixture[]): ClientHome => {
  const home = openClientHome(fixtures);
  onTestFinished(home.close);
  return home;
};

const snapshot = (
  home: ClientHome,
  fixtures: readonly ClientFixture[] = clientFixtures,
): Record<string, string> =>
  Object.fromEntries(fixtures.map((fixture) => [fixture.path, home.read(fixture)]));

const ownConfig = (home: ClientHome) =>
  JSON.parse(readFileSync(join(home.homeFolder, ".config/mcp-coordinator/config.json"), "utf8")).mcpServers;

const secrets = /[a-z]+-secret-1|sk-not-for-anybody|sk-model-key/;
const fixtureOf = (path: string): ClientFixture => {
  const found = clientFixtures.find((fixture) => fixture.path === path);
  if (found === undefined) throw new Error(`No fixture is at ${path}`);
  return found;
};
const cursor = fixtureOf("home/.cursor/mcp.json");
const codex = fixtureOf("home/.codex/config.toml");
const desktop = fixtureOf("home/.config/Claude/claude_desktop_config.json");

describe("init()", () => {
  it("finds every server of every client, and reports which must stay and why", async () => {
    const home = open();
    const { found, problems } = await init({ ...home.places, isDryRun: true });
    expect(problems).toEqual([]);
    expect(new Set(found.map(({ client }) => client))).toEqual(new Set(clientTable.map(({ name }) => name)));
    for (const fixture of clientFixtures) {
      const here = found.filter(({ path }) => path === home.pathOf(fixture));
      expect(here.filter(({ obstacle }) => obstacle === undefined).map(({ server }) => server)).toEqual(
        fixture.movable,
      );
      expect(here.filter(({ obstacle }) => obstacle !== undefined).map(({ server }) => server)).toEqual(
        fixture.staying ?? [],
      );
    }
  });

  it("has a fixture for every known client", () => {
    expect(new Set(clientFixtures.map(({ client }) => client))).toEqual(
      new Set(clientTable.map(({ name }) => name)),
    );
  });

  it("with isDryRun writes nothing, and shows the exact change without secrets", async () => {
    const home = open();
    const before = snapshot(home);
    const { changes, moved, isWritten } = await init({ ...home.places, isDryRun: true });
    expect(isWritten).toBe(false);
    expect(snapshot(home)).toEqual(before);
    expect(existsSync(join(home.homeFolder, ".config/mcp-coordinator"))).toBe(false);
    expect(JSON.stringify({ changes, moved })).not.toMatch(secrets);
    const diff = changes.find(({ path }) => path === home.pathOf(desktop))?.diff ?? "";
    expect(diff).toContain(
      '-    "desktop-files": { "command": "npx", "args": ["-y", "server-filesystem", "/tmp"] },',
    );
    expect(diff).toContain('+    "coordinator": {');
    expect(diff).toMatch(/^--- /);
  });

  it("moves the servers, keeps those that must stay, and leaves one entry in each client's format", async () => {
    const home = open();
    await init(home.places);
    const servers = ownConfig(home);
    expect(servers["desktop-mail"]).toEqual({
      command: "uvx",
      args: ["mail"],
      env: { MAIL_TOKEN: "desktop-secret-1" },
    });
    expect(servers["code-remote"]).toMatchObject({
      type: "http",
      headers: { Authorization: "Bearer ${CODE_TOKEN}" },
    });
    expect(servers["code-prompt"].env).toEqual({ GH: "${GH_TOKEN}" });
    expect(servers.surf).toMatchObject({ url: "https://example.com/surf", disabled: true });
    expect(servers["codex-one"]).toEqual({
      command: "codex-one",
      args: ["-y"],
      env: { CODEX_PASS: "${CODEX_PASS:-}", TOKEN: "codex-secret-1" },
      timeouts: { connectTimeoutMs: 20_000 },
    });
    expect(servers["codex-remote"]).toMatchObject({
      headers: { Authorization: "Bearer ${CODEX_TOKEN}" },
      disabled: true,
    });
    expect(servers["gemini-one"]).toEqual({
      command: "${GEMINI_HOME}/bin/one",
      env: { A: "${GEMINI_A}" },
      timeouts: { callTimeoutMs: 5000 },
    });
    expect(servers["gemini-sse"].type).toBe("sse");
    expect(servers["zed-older"]).toEqual({ command: "zed-older", args: ["a"], env: { B: "zed-secret-1" } });
    expect(servers["continue-one"].env).toEqual({ KEY: "${CONTINUE_KEY}" });
    expect(servers["open-local"]).toEqual({ command: "npx", args: ["-y", "open"], env: { A: "${OPEN_A}" } });
    expect(servers.porter).toEqual({ url: "https://example.com/porter", headers: { A: "Bearer ${PORTER}" } });
    expect(JSON.stringify(servers)).not.toMatch(/autoApprove|"trust"/);

    const text = home.read(codex);
    expect(text).toMatch(
      /^# Codex\nmodel = "gpt"\n\n\[mcp_servers\.coordinator\]\ncommand = ".*"\nargs = \[/,
    );
    expect(text).toContain('"serve", "--project", "."]');
    expect(text).toContain('disabled_tools = ["delete"]');
    const claude = JSON.parse(home.read(fixtureOf("home/.claude.json")));
    expect(claude.mcpServers.coordinator).toMatchObject({
      type: "stdio",
      args: expect.arrayContaining(["serve", "--project", "."]),
    });
    const local = claude.projects[home.workingFolder].mcpServers.coordinator;
    expect(local.args.slice(-2)).toEqual(["--project", home.workingFolder]);
    const folder = join(home.homeFolder, ".config/mcp-coordinator/projects");
    const [file = ""] = readdirSync(folder);
    const localConfig = JSON.parse(readFileSync(join(folder, file), "utf8"));
    expect(localConfig.mcpServers["code-local"]).toEqual({ command: "code-local", cwd: home.workingFolder });
    const workspace = JSON.parse(home.read(fixtureOf("project/.vscode/mcp.json")));
    expect(workspace.servers.coordinator).toEqual({
      type: "stdio",
      command: "mcp-coordinator",
      args: ["serve", "--project", "${workspaceFolder}"],
    });
    expect(home.read(fixtureOf("project/opencode.json"))).toContain('"servers"');
    const yaml = home.read(fixtureOf("home/.config/goose/config.yaml"));
    expect(yaml).toContain("  # fetches\n  coordinator:\n    name: coordinator\n    type: stdio\n    cmd: ");
  });

  it.skipIf(process.platform === "win32")(
    "stores secrets in files that only their owner can read (needs a Unix system)",
    async () => {
      const home = open();
      chmodSync(home.pathOf(desktop), 0o640);
      await init(home.places);
      const state = join(home.homeFolder, ".local/state/mcp-coordinator/takeovers");
      expect(statSync(state).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(state)) expect(statSync(join(state, name)).mode & 0o777).toBe(0o600);
      expect(statSync(join(home.homeFolder, ".config/mcp-coordinator/config.json")).mode & 0o777).toBe(0o600);
      expect(statSync(home.pathOf(desktop)).mode & 0o777).toBe(0o640);
    },
  );

  it("takes over one client, all except named servers, or a selection", async () => {
    const home = open();
    const before = snapshot(home);
    const { moved } = await init({ ...home.places, clients: ["claude-desktop"], except: ["desktop-mail"] });
    expect(moved.map(({ server }) => server)).toEqual(["desktop-files"]);
    expect(home.read(desktop)).toContain("desktop-mail");
    await init({
      ...home.places,
      choose: (servers) => servers.filter(({ server }) => server === "cursor-user"),
    });
    expect(Object.keys(ownConfig(home))).toEqual(
      ["desktop-files", "cursor-user"].sort((a, b) => (a < b ? 1 : -1)).reverse(),
    );
    const untouched = clientFixtures.filter((fixture) => fixture !== desktop && fixture !== cursor);
    for (const fixture of untouched) expect(home.read(fixture)).toBe(before[fixture.path]);
  });

  it("stores whether programs need approval before they write, once, and takes it back with the last client", async () => {
    const home = open([cursor, desktop]);
    const path = join(home.homeFolder, ".config/mcp-coordinator/config.json");
    const read = () => JSON.parse(readFileSync(path, "utf8")).coordinator;
    const first = await init({ ...home.places, clients: ["cursor"], asksBeforeWrites: true });
    expect(first).toMatchObject({ isApprovalDecided: false, asksBeforeWrites: true });
    expect(first.changes.map(({ diff }) => diff).join("\n")).toContain('+    "approve": [');
    expect(read()).toEqual({ approve: ["writes"] });
    const second = await init({ ...home.places, clients: ["claude-desktop"], asksBeforeWrites: false });
    expect(second).toMatchObject({ isApprovalDecided: true, asksBeforeWrites: undefined });
    expect(read()).toEqual({ approve: ["writes"] });
    await eject({ ...home.places, clients: ["cursor"] });
    expect(read()).toEqual({ approve: ["writes"] });
    await eject(home.places);
    expect(existsSync(path)).toBe(false);
  });

  it("warns that others use a project's file, and stores the person's answer in their own configuration", async () => {
    const project = fixtureOf("project/.vscode/mcp.json");
    const home = open([project]);
    const path = join(home.homeFolder, ".config/mcp-coordinator/config.json");
    const { warnings } = await init({ ...home.places, asksBeforeWrites: false });
    expect(warnings[0]).toContain("commit it with mcp-coordinator.json");
    expect(warnings[1]).toContain('starts "mcp-coordinator", which is not in your PATH');
    for (const file of [home.pathOf(project), join(home.workingFolder, "mcp-coordinator.json")])
      expect(readFileSync(file, "utf8")).not.toMatch(/mcp-coordinator\.mjs|node"/);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ coordinator: { approve: [] } });
    await eject(home.places);
    expect(existsSync(path)).toBe(false);
  });

  it("merges identical servers, and distinguishes those that only share a name", async () => {
    const entry = (command: string) => JSON.stringify({ mcpServers: { shared: { command } } });
    const file = (client: string, path: string, command: string): ClientFixture => ({
      client,
      path,
      text: entry(command),
      movable: ["shared"],
    });
    const home = open([
      file("claude-desktop", desktop.path, "one"),
      file("cursor", cursor.path, "one"),
      file("kiro", "home/.kiro/settings/mcp.json", "two"),
    ]);
    const { notes } = await init(home.places);
    expect(ownConfig(home)).toEqual({ shared: { command: "one" }, "shared-kiro": { command: "two" } });
    expect(notes).toEqual([
      '"shared" of Cursor is "shared" already: they are the same server',
      '"shared" of Kiro is a different server of that name: it becomes "shared-kiro"',
    ]);
    await eject({ ...home.places, clients: ["claude-desktop"] });
    expect(ownConfig(home)).toHaveProperty("shared");
    await eject({ ...home.places, clients: ["cursor"] });
    expect(ownConfig(home)).not.toHaveProperty("shared");
  });

  it("does nothing the second time, and adds servers that are new since", async () => {
    const home = open([cursor]);
    await init(home.places);
    const once = home.read(cursor);
    const again = await init(home.places);
    expect(again.changes).toEqual([]);
    expect(home.read(cursor)).toBe(once);
    const document = JSON.parse(once);
    document.mcpServers.later = { command: "later" };
    home.write(cursor, JSON.stringify(document, undefined, 2));
    const { moved } = await init(home.places);
    expect(moved.map(({ server }) => server)).toEqual(["later"]);
    expect(ownConfig(home)).toHaveProperty("later");
    const { files } = await eject(home.places);
    expect(files).toMatchObject([{ outcome: "merged" }]);
    const back = JSON.parse(home.read(cursor)).mcpServers;
    expect(Object.keys(back).sort()).toEqual([
      "cursor-helped",
      "cursor-remote",
      "cursor-signed",
      "cursor-user",
      "later",
    ]);
  });

  it("skips a file that it cannot change, with its servers, and continues with the others", async () => {
    const inline: ClientFixture = { ...codex, text: 'mcp_servers = { one = { command = "a" } }\n' };
    const home = open([inline, cursor, { ...desktop, text: "{ not json" }]);
    const { problems, moved } = await init(home.places);
    expect(problems.map(({ code }) => code)).toEqual(["CLIENT_FILE_UNREADABLE", "CLIENT_FILE_UNREADABLE"]);
    expect(moved.map(({ client }) => client)).toEqual(["cursor", "cursor", "cursor"]);
    expect(home.read(inline)).toBe(inline.text);
    expect(ownConfig(home)).not.toHaveProperty("one");
  });

  it("creates a configuration if there is none, and shows the entry for a client", async () => {
    const home = open([]);
    const { starter, snippet, isWritten } = await init(home.places);
    expect(isWritten).toBe(true);
    expect(starter).toBe(join(home.workingFolder, "mcp-coordinator.json"));
    expect(JSON.parse(snippet ?? "")).toMatchObject({
      mcpServers: { coordinator: { args: expect.arrayContaining(["serve", home.workingFolder]) } },
    });
    const again = await init(home.places);
    expect(again).toMatchObject({ isWritten: false, changes: [] });
  });
});

const disguises: Readonly<Record<string, (text: string) => string>> = {
  "as they are": (text) => text,
  "with CRLF": (text) => text.replaceAll(/\r?\n/g, "\r\n"),
  "with a byte order mark": (text) => `\ufeff${text.replace("\ufeff", "")}`,
  "without a final newline": (text) => text.trimEnd(),
  "with blank lines behind": (text) => `${text}\n\n`,
};

describe("eject()", () => {
  it.each(Object.entries(disguises))(
    "restores every client's file byte for byte, %s",
    async (_name, disguise) => {
      const fixtures = clientFixtures.map((fixture) => ({ ...fixture, text: disguise(fixture.text) }));
      const home = open(fixtures);
      const before = snapshot(home, fixtures);
      const { problems } = await init(home.places);
      expect(problems).toEqual([]);
      for (const fixture of fixtures) expect(home.read(fixture)).not.toBe(before[fixture.path]);
      const { files } = await eject(home.places);
      expect(files.map(({ outcome }) => outcome)).toEqual(
        fixtures
          .filter(({ path }, at) => fixtures.findIndex((other) => other.path === path) === at)
          .map(() => "restored"),
      );
      expect(snapshot(home, fixtures)).toEqual(before);
      expect(existsSync(join(home.homeFolder, ".config/mcp-coordinator/config.json"))).toBe(false);
      expect(await eject(home.places)).toMatchObject({ files: [], isWritten: false });
    },
  );

  it.skipIf(process.platform === "win32")(
    "changes no file outside a project that the project's files link to (needs a Unix system)",
    async () => {
      const home = open([cursor]);
      const { workingFolder = "" } = home.places;
      const [before, victim] = [home.read(cursor), home.pathOf(cursor)];
      const theirs = JSON.stringify({ mcpServers: { theirs: { command: "their-command" } } });
      // First our own file in the project is a link, then that of a client.
      writeFileSync(join(workingFolder, ".mcp.json"), theirs);
      symlinkSync(victim, join(workingFolder, "mcp-coordinator.json"));
      const taking = init({ ...home.places, clients: ["claude-code"] });
      await expect(taking).rejects.toThrow(`it is a link to "${victim}", expected a file in its project`);
      const adding = addEntry({ ...home.places, name: "x", entry: { command: "x" }, scope: "project" });
      await expect(adding).rejects.toThrow("expected a file in its project");
      rmSync(join(workingFolder, "mcp-coordinator.json"));
      rmSync(join(workingFolder, ".mcp.json"));
      symlinkSync(victim, join(workingFolder, ".mcp.json"));
      const { problems } = await init({ ...home.places, clients: ["claude-code"] });
      expect(problems.map(({ message }) => message)).toEqual([
        expect.stringContaining("expected a file in its project"),
      ]);
      const writing = connect({ ...home.places, client: "claude-code", scope: "project", isWritten: true });
      await expect(writing).rejects.toThrow("expected a file in its project");
      expect(home.read(cursor)).toBe(before);
    },
  );

  it.skipIf(process.platform === "win32")(
    "changes no file outside a project that its files have become links to since (needs a Unix system)",
    async () => {
      const home = open([cursor]);
      const { workingFolder = "" } = home.places;
      const [before, victim] = [home.read(cursor), home.pathOf(cursor)];
      const names = [".mcp.json", "mcp-coordinator.json"].map((name) => join(workingFolder, name));
      for (const file of names) {
        const theirs = JSON.stringify({ mcpServers: { theirs: { command: "their-command" } } });
        writeFileSync(names[0] ?? "", theirs);
        await init({ ...home.places, clients: ["claude-code"] });
        const taken = readFileSync(file, "utf8");
        rmSync(file);
        symlinkSync(victim, file);
        // Also from another folder: the takeovers of all projects are known.
        for (const places of [home.places, { ...home.places, workingFolder: home.homeFolder }]) {
          const { problems, isWritten } = await eject(places);
          expect(problems.map(({ message }) => message)).toMatchObject([
            expect.stringContaining(`it is a link to "${victim}"`),
          ]);
          expect(isWritten).toBe(false);
        }
        expect(home.read(cursor)).toBe(before);
        rmSync(file);
        writeFileSync(file, taken);
        expect(await eject(home.places)).toMatchObject({ problems: [], isWritten: true });
        expect(readFileSync(names[0] ?? "", "utf8")).toBe(theirs);
      }
    },
  );

  it.skipIf(process.platform === "win32")(
    "follows a link and keeps the link (needs a Unix system)",
    async () => {
      const home = open([cursor]);
      const real = join(home.homeFolder, "dotfiles.json");
      const before = home.read(cursor);
      renameSync(home.pathOf(cursor), real);
      symlinkSync(real, home.pathOf(cursor));
      await init(home.places);
      expect(readFileSync(real, "utf8")).toContain("coordinator");
      await eject(home.places);
      expect(lstatSync(home.pathOf(cursor)).isSymbolicLink()).toBe(true);
      expect(readFileSync(real, "utf8")).toBe(before);
    },
  );

  it.each(clientFixtures)(
    "undoes only its own change if the person edited the file since: $path",
    async (fixture) => {
      const home = open([fixture]);
      const before = home.read(fixture);
      await init(home.places);
      const isTable = fixture.path.endsWith(".toml");
      const isYaml = fixture.path.endsWith("yaml");
      const mine = isTable ? '\n[mine]\nadded = "yes"\n' : isYaml ? "\nadded_by_me: yes please\n" : undefined;
      const add = (text: string): string =>
        mine === undefined ? text.replace("{", '{ "added_by_me": true,') : `${text.trimEnd()}\n${mine}`;
      home.write(fixture, add(home.read(fixture)));
      const shown = await eject({ ...home.places, isDryRun: true });
      const { files } = await eject(home.places);
      expect(files).toMatchObject([{ outcome: "merged", notes: [expect.stringContaining("edited since")] }]);
      expect(shown.files).toEqual(files);
      const after = home.read(fixture);
      expect(after).toMatch(/added_by_me|added = "yes"/);
      expect(after).not.toContain("mcp-coordinator");
      for (const name of [...fixture.movable, ...(fixture.staying ?? [])]) expect(after).toContain(name);
      const { found } = await init({ ...home.places, isDryRun: true });
      expect(found.map(({ server }) => server).sort()).toEqual(
        [...fixture.movable, ...(fixture.staying ?? [])].sort(),
      );
      // Where whole lines were added, every other line is as it was.
      if (mine !== undefined) for (const line of before.split(/\r?\n/)) expect(after).toContain(line);
    },
  );

  it("with isDryRun changes nothing", async () => {
    const home = open();
    await init(home.places);
    const taken = snapshot(home);
    const { files, isWritten } = await eject({ ...home.places, isDryRun: true });
    expect(isWritten).toBe(false);
    expect(files.length).toBeGreaterThan(10);
    expect(JSON.stringify(files)).not.toMatch(secrets);
    expect(snapshot(home)).toEqual(taken);
  });

  it("keeps a server that the person has already restored", async () => {
    const home = open([desktop]);
    await init(home.places);
    const document = JSON.parse(home.read(desktop));
    document.mcpServers["desktop-files"] = { command: "mine" };
    home.write(desktop, JSON.stringify(document, undefined, 2));
    const { files } = await eject(home.places);
    expect(files[0]?.notes).toContain('"desktop-files" already exists, and stays as it is');
    expect(JSON.parse(home.read(desktop)).mcpServers).toMatchObject({
      "desktop-files": { command: "mine" },
      "desktop-mail": { command: "uvx" },
    });
  });

  it("restores a deleted file", async () => {
    const home = open([desktop]);
    const before = home.read(desktop);
    await init(home.places);
    unlinkSync(home.pathOf(desktop));
    const { files } = await eject(home.places);
    expect(files).toMatchObject([{ outcome: "restored", notes: [expect.stringContaining("was missing")] }]);
    expect(home.read(desktop)).toBe(before);
  });

  it.each(["missing", "changed"])(
    "restores the servers from our configuration if the backup is %s",
    async (how) => {
      const home = open([desktop]);
      await init(home.places);
      const state = join(home.homeFolder, ".local/state/mcp-coordinator/takeovers");
      const backup = readdirSync(state).find((name) => name.endsWith(".before")) ?? "";
      if (how === "missing") rmSync(join(state, backup));
      else writeFileSync(join(state, backup), "{}");
      const { files } = await eject(home.places);
      expect(files[0]?.notes.join()).toContain("backup is missing");
      const { mcpServers, globalShortcut } = JSON.parse(home.read(desktop));
      expect(globalShortcut).toBe("Ctrl+Space");
      expect(mcpServers).toEqual({
        "desktop-files": { command: "npx", args: ["-y", "server-filesystem", "/tmp"] },
        "desktop-mail": { command: "uvx", args: ["mail"], env: { MAIL_TOKEN: "desktop-secret-1" } },
      });
    },
  );

  it("restores one client and leaves the others", async () => {
    const home = open([desktop, cursor]);
    const before = home.read(desktop);
    await init(home.places);
    await eject({ ...home.places, clients: ["claude-desktop"] });
    expect(home.read(desktop)).toBe(before);
    expect(home.read(cursor)).toContain("coordinator");
    expect(Object.keys(ownConfig(home)).sort()).toEqual(["cursor-remote", "cursor-signed", "cursor-user"]);
    // We sign in with the client that was registered for the server.
    expect(ownConfig(home)["cursor-signed"]).toEqual({
      url: "https://example.com/o",
      auth: { clientId: "x", scopes: "read write" },
    });
  });

  it("keeps the person's own entries in our configuration", async () => {
    const home = open([desktop]);
    await init(home.places);
    const path = join(home.homeFolder, ".config/mcp-coordinator/config.json");
    const document = JSON.parse(readFileSync(path, "utf8"));
    document.mcpServers["desktop-files"].args.push("/home");
    document.mcpServers.own = { command: "own" };
    writeFileSync(path, JSON.stringify(document));
    await eject(home.places);
    expect(Object.keys(ownConfig(home)).sort()).toEqual(["desktop-files", "own"]);
  });

  it("changes nothing if its own list is damaged", async () => {
    const home = open([desktop]);
    await init(home.places);
    writeFileSync(join(home.homeFolder, ".local/state/mcp-coordinator/takeovers/manifest.json"), "{");
    await expect(eject(home.places)).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
  });
});

describe("connect()", () => {
  it("shows the entry in each client's format", async () => {
    const home = open([]);
    const snippets = await Promise.all(
      clientTable.map(
        async ({ name }) => [name, (await connect({ ...home.places, client: name })).snippet] as const,
      ),
    );
    const by = Object.fromEntries(snippets);
    expect(JSON.parse(by.vscode ?? "")).toMatchObject({
      servers: { coordinator: { type: "stdio", args: expect.arrayContaining(["serve"]) } },
    });
    expect(JSON.parse(by.opencode ?? "")).toMatchObject({
      mcp: { coordinator: { type: "local", command: expect.arrayContaining(["serve"]), enabled: true } },
    });
    expect(JSON.parse(by["copilot-cli"] ?? "")).toMatchObject({
      mcpServers: { coordinator: { type: "local", tools: ["*"] } },
    });
    expect(JSON.parse(by.zed ?? "")).toMatchObject({
      context_servers: { coordinator: { source: "custom" } },
    });
    expect(by.codex).toMatch(/^\[mcp_servers\.coordinator\]\ncommand = /);
    expect(by.goose).toMatch(
      /^extensions:\n {2}coordinator:\n {4}name: coordinator\n {4}type: stdio\n {4}cmd: /,
    );
    expect(by.continue).toMatch(/^mcpServers:\n {2}- name: coordinator\n/);
    expect(existsSync(join(home.homeFolder, ".config"))).toBe(false);
  });

  it("writes it with a backup, creates a missing file, and eject undoes it", async () => {
    const home = open([desktop]);
    const before = home.read(desktop);
    const config = join(home.workingFolder, "my.json");
    const written = await connect({ ...home.places, client: "claude-desktop", config, isWritten: true });
    expect(written).toMatchObject({ isWritten: true, path: home.pathOf(desktop) });
    expect(written.diff).not.toMatch(secrets);
    expect(JSON.parse(home.read(desktop)).mcpServers.coordinator.args.at(-1)).toBe(config);
    await connect({ ...home.places, client: "codex", isWritten: true });
    expect(existsSync(home.pathOf(codex))).toBe(true);
    expect(await connect({ ...home.places, client: "codex", isWritten: true })).toMatchObject({
      isWritten: false,
    });
    const { files } = await eject(home.places);
    expect(files.map(({ outcome }) => outcome)).toEqual(["restored", "removed"]);
    expect(home.read(desktop)).toBe(before);
    expect(existsSync(home.pathOf(codex))).toBe(false);
  });

  it("lists the known clients if the name is unknown", async () => {
    await expect(connect({ client: "notepad" })).rejects.toMatchObject({
      code: "CLIENT_UNKNOWN",
      hint: expect.stringContaining("cursor"),
    });
  });
});

describe("listClients()", () => {
  it("reports which files of which client exist", async () => {
    const home = open([cursor]);
    mkdirSync(join(home.homeFolder, ".kiro"));
    const clients = await listClients(home.places);
    expect(clients.filter(({ files }) => files.length > 0)).toMatchObject([
      { name: "cursor", files: [home.pathOf(cursor)] },
    ]);
    expect(clients).toHaveLength(clientTable.length);
  });
});
