// `init`, `eject`, `connect`, `trust` and `doctor`, and the entry that `init` wrote, started as by a client.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, test } from "vitest";
import { trust } from "../../../src/index.js";
import { openStartFailures } from "../../../src/store/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { shareSnapshots } from "../../support/share-snapshots.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { type Ended, runCommand } from "./run-command.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));

interface Person {
  readonly home: string;
  readonly project: string;
  readonly env: Record<string, string>;
  readonly write: (path: string, content: unknown) => string;
  readonly run: (...words: string[]) => Promise<Ended>;
  /** Puts the command on the search path, as npm does. */
  readonly install: () => void;
}

/** A separate home and project, isolated from this machine's clients. */
const openPerson = async (): Promise<Person> => {
  const root = await temporaryFolder();
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const folder of [home, project]) mkdirSync(folder);
  shareSnapshots(join(home, ".cache", "mcp-coordinator"));
  const env = {
    PATH: [join(root, "bin"), process.env.PATH ?? ""].join(delimiter),
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, "AppData"),
    LOCALAPPDATA: join(home, "Local"),
  };
  return {
    home,
    project,
    env,
    write: (path, content) => {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
      return file;
    },
    install: () => {
      mkdirSync(join(root, "bin"));
      symlinkSync(bin, join(root, "bin", "mcp-coordinator"));
    },
    run: (...words) => runCommand(words, project, env),
  };
};

const echo = {
  command: process.execPath,
  args: [fixturePath("echo")],
  env: { GREETING_TOKEN: "greeting-secret" },
};
const cursor = {
  mcpServers: { echo, other: { command: process.execPath, args: [fixturePath("echo"), "--x"] } },
};

/** Starts an entry as a client does, and runs a program through it. */
const runThrough = async (
  entry: { command: string; args: string[] },
  person: Person,
  code = 'return await echo.echo({ text: ["taken", "over"].join(" ") })',
): Promise<string> => {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ ...entry, env: person.env, cwd: person.project }));
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("run_code");
    return JSON.stringify((await client.callTool({ name: "run_code", arguments: { code } })).content);
  } finally {
    await client.close();
  }
};

describe("init", () => {
  const writing = "return await echo.add({ a: 1, b: 2 })";

  test("without a terminal shows what it would do and how to confirm, and changes nothing", async () => {
    const person = await openPerson();
    const file = person.write("home/.cursor/mcp.json", cursor);
    const before = readFileSync(file, "utf8");
    const { code, stdout, stderr } = await person.run("init");
    expect(code).toBe(1);
    expect(stdout).toContain("Cursor ~/.cursor/mcp.json\n");
    expect(stderr).toContain("Cannot change 2 files: there is no terminal to ask for confirmation");
    expect(stderr).toContain("--yes");
    expect(readFileSync(file, "utf8")).toBe(before);
    const json = await person.run("init", "--json");
    expect(JSON.parse(json.stdout).error.code).toBe("CONFIRMATION_NEEDED");
  });

  test.each([
    ["cursor", "home/.cursor/mcp.json"],
    ["claude-code", "home/.claude.json"],
    ["claude-code", "project/.mcp.json"],
  ])("for %s writes an entry to %s that starts us with the servers taken over", async (client, path) => {
    const person = await openPerson();
    const file = person.write(path, cursor);
    const before = readFileSync(file, "utf8");
    const done = await person.run("init", "--client", client, "--yes");
    expect(done.stderr.includes("These come from this folder")).toBe(path.startsWith("project/"));
    expect(done.stderr).not.toContain("error");
    expect(done.stdout).toContain("moved 2 servers to");
    const printed = done.stdout.replaceAll(/\s+/g, " ");
    expect(printed).toMatch(/mcp-coordinator\.mjs eject" to undo everything\./);
    expect(done.stderr).toContain("Your clients share these servers");
    expect(printed).toContain("You are asked before a program writes");
    expect(printed.includes("everyone then needs mcp-coordinator")).toBe(path.startsWith("project/"));
    const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
    expect(Object.keys(mcpServers)).toEqual(["coordinator"]);
    person.install();
    expect(await runThrough(mcpServers.coordinator, person)).toContain("taken over");
    expect(await runThrough(mcpServers.coordinator, person, writing)).toContain(
      "waits until a person allows this call",
    );
    const servers = JSON.parse((await person.run("servers", "--json")).stdout);
    expect(servers.map((server: { name: string; error?: unknown }) => [server.name, server.error])).toEqual([
      ["echo", undefined],
      ["other", undefined],
    ]);
    const taken = readFileSync(file, "utf8");
    for (const words of [["eject"], ["eject", "--json"]]) {
      const refused = await person.run(...words);
      expect(refused.code).not.toBe(0);
      expect(refused.stderr + refused.stdout).toContain("there is no terminal to ask for confirmation");
      expect(readFileSync(file, "utf8")).toBe(taken);
    }
    const back = await person.run("eject", "--yes");
    expect(back.stdout).toContain("restored byte for byte");
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("--dry-run shows the exact diff without secrets, and writes nothing", async () => {
    const person = await openPerson();
    person.write("home/.cursor/mcp.json", cursor);
    const { code, stdout } = await person.run("init", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^-\s+"echo": \{$/m);
    expect(stdout).toMatch(/^\+\s+"coordinator": \{$/m);
    expect(stdout).not.toContain("greeting-secret");
    expect(existsSync(join(person.home, ".config"))).toBe(false);
  });

  test("in an empty folder writes a configuration that passes doctor, and the client's snippet", async () => {
    const person = await openPerson();
    const { code, stdout } = await person.run("init");
    expect(code).toBe(0);
    expect(stdout).toContain("wrote ");
    const snippet = JSON.parse(stdout.slice(stdout.indexOf("{"), stdout.lastIndexOf("}") + 1));
    expect(snippet.mcpServers.coordinator.args).toContain("serve");
    const doctor = await person.run("doctor");
    expect(doctor.stdout).toContain("Everything that is needed works");
    expect(doctor.stdout).toMatch(/files +disabled/);
    expect(doctor.code).toBe(0);
  });

  test("in an empty folder writes a configuration that is trusted after following its instructions", async () => {
    const person = await openPerson();
    const printed = (await person.run("init")).stdout.replace(/\s+/g, " ");
    expect(printed).toContain('Remove "disabled" in mcp-coordinator.json');
    // The command is not on the search path here.
    expect(printed).toMatch(/run "node \S+bin[\\/]mcp-coordinator\.mjs trust"/);
    expect(printed).toMatch(/Run "node \S+bin[\\/]mcp-coordinator\.mjs doctor"/);
    const path = join(person.project, "mcp-coordinator.json");
    const starter = readFileSync(path, "utf8");

    writeFileSync(path, starter.replace(/,\s*"disabled": true/, ""));
    const { stdout } = await person.run("trust");
    expect(stdout).toContain("Nothing in this folder needs to be trusted");

    writeFileSync(
      path,
      starter.replace(/"args": \[.*\]/, '"args": ["evil"]').replace('"disabled": true', '"x": 1'),
    );
    expect((await person.run("trust")).stderr).toContain("npx evil");
  });
});

describe("one coordinator for a person and a project", () => {
  const open = async (): Promise<
    Person & { readonly entryOf: (path: string) => { command: string; args: string[] } }
  > => {
    const person = await openPerson();
    person.install();
    person.write("home/.claude.json", {
      mcpServers: { mine: echo },
      projects: { [person.project]: { mcpServers: { local: echo } } },
    });
    person.write("project/.mcp.json", { mcpServers: { ours: echo } });
    const entryOf = (path: string) => JSON.parse(readFileSync(path, "utf8")).mcpServers.coordinator;
    return { ...person, entryOf };
  };
  const words = ["--client", "claude-code", "--yes", "--no-ask-before-writes"];
  const names = "return (await listServers()).map((server) => server.name ?? server).sort().join()";

  test("reaches the servers of both from every entry, and servers --client shows where each came from", async () => {
    const person = await open();
    expect((await person.run("init", ...words)).code).toBe(0);
    for (const file of ["home/.claude.json", "project/.mcp.json"]) {
      const entry = person.entryOf(join(dirname(person.home), file));
      expect(await runThrough(entry, person, names)).toContain("local,mine,ours");
    }
    const { projects } = JSON.parse(readFileSync(join(person.home, ".claude.json"), "utf8"));
    expect(await runThrough(projects[person.project].mcpServers.coordinator, person, names)).toContain(
      "local,mine,ours",
    );
    const shown = await person.run("servers", "--client", "claude-code");
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(/mcp-coordinator\.json:\n *ours/);
    expect(shown.stdout).toMatch(/projects\/.*\.json:\n *local/);
    expect(shown.stdout).toMatch(/config\.json:\n *mine/);
    expect(shown.stderr).toContain('Claude Code starts mcp-coordinator with the entry "coordinator"');
  });

  test.each([
    ["is not trusted", { mcpServers: { foreign: { command: "foreign" } } }],
    ["takes the name of a server of theirs", { mcpServers: { mine: { command: "foreign" } } }],
    ["is not JSON", '{ "coordinator": {'],
    ["has a setting that does not exist", { coordinator: { nonsense: 1 } }],
  ])("has the person's servers in a folder whose file %s", async (_what, content) => {
    const person = await open();
    await person.run("init", ...words, "--except", "ours", "--except", "local");
    person.write("project/mcp-coordinator.json", content);
    const entry = person.entryOf(join(person.home, ".claude.json"));
    const text = await runThrough(entry, person, "return (await mine.add({ a: 20, b: 22 })).sum");
    expect(text).toContain("42");
  });

  test("doctor --client reports an entry that the client cannot start, and a client without one", async () => {
    const person = await openPerson();
    person.write("project/.cursor/mcp.json", { mcpServers: { ours: echo } });
    await person.run("init", "--client", "cursor", "--yes");
    const broken = await person.run("doctor", "--client", "cursor");
    expect(broken.code).toBe(1);
    const printed = broken.stdout.replaceAll(/\s+/g, " ");
    expect(printed).toContain('there is no command "mcp-coordinator" on this machine');
    expect(printed).toContain("npm install -g");
    expect(broken.stdout).toMatch(/^ours +ready/m);
    const none = await person.run("servers", "--client", "zed");
    expect(none.code).toBe(1);
    expect(none.stderr).toContain("Cannot show what Zed runs: it does not start mcp-coordinator");
    const twice = await person.run("servers", "--client", "zed", "--config", "x.json");
    expect(twice.code).toBe(2);
  });
});

describe("connect", () => {
  test("lists the clients, shows one's entry, and writes it", async () => {
    const person = await openPerson();
    expect((await person.run("connect")).stdout).toMatch(/^codex +Codex CLI/m);
    expect((await person.run("connect", "codex")).stdout).toMatch(/^\[mcp_servers\.coordinator\]/);
    const config = person.write("project/mine.json", { mcpServers: { echo } });
    const { code } = await person.run("connect", "lm-studio", "--write", "--config", config);
    expect(code).toBe(0);
    const { mcpServers } = JSON.parse(readFileSync(join(person.home, ".lmstudio/mcp.json"), "utf8"));
    expect(await runThrough(mcpServers.coordinator, person)).toContain("taken over");
    const shared = person.write("project/mcp-coordinator.json", { mcpServers: { echo } });
    const asked = await person.run("connect", "windsurf", "--write", "--config", shared);
    expect(asked.stderr).toContain(`trust --folder ${person.project} --config ${shared}`);
    const wrong = await person.run("connect", "notepad");
    expect(wrong.stderr).toContain('Cannot find the client "notepad"');
    expect(wrong.code).toBe(1);
  });
});

describe("a configuration that came with the folder", () => {
  test("starts nothing until it is trusted with --trust, --config or trust", async () => {
    const person = await openPerson();
    const marker = join(person.project, "started");
    person.write(
      "project/mark.mjs",
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(marker)}, ""); await import(${JSON.stringify(fixturePath("echo"))});`,
    );
    person.write("project/.mcp.json", {
      mcpServers: { echo: { command: process.execPath, args: ["mark.mjs"] } },
    });
    const call = ["call", "echo", "echo", "text=hi"] as const;
    const refused = await person.run(...call);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      `it would start "${process.execPath} mark.mjs", which is not trusted yet`,
    );
    expect(refused.stderr).toContain(`trust --folder ${person.project}`);
    await person.run("doctor");
    expect(existsSync(marker)).toBe(false);

    expect((await person.run(...call, "--trust")).stdout).toBe("hi\n");
    expect((await person.run(...call, "--config", ".mcp.json")).stdout).toBe("hi\n");
    expect((await person.run(...call)).code).toBe(1);

    const asked = await person.run("trust");
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain("mark.mjs");
    const failures = openStartFailures(join(person.home, ".cache", "mcp-coordinator"));
    const failure = { count: 1, failedAtMs: Date.now(), message: "", hint: "" };
    await failures.write("echo", "1", { ...failure, code: "UPSTREAM_TIMEOUT" });
    expect((await person.run("trust", "--yes")).stdout).toContain("Trusted 1 item of this folder");
    expect(await failures.read("echo", "1")).toBeUndefined();
    expect((await person.run(...call)).stdout).toBe("hi\n");

    person.write("project/.mcp.json", {
      mcpServers: { echo: { command: process.execPath, args: ["mark.mjs", "--evil"] } },
    });
    expect((await person.run(...call)).stderr).toContain("it was trusted as");
    await person.run("trust", "--yes");
    expect((await person.run(...call)).code).toBe(0);
    expect((await person.run("trust", "--forget")).stdout).toContain(
      "No longer trusted: 1 item of this folder",
    );
    expect((await person.run(...call)).code).toBe(1);
  });

  test("shows everything that decides what it runs, with every character visible", async () => {
    const person = await openPerson();
    person.write("project/.mcp.json", {
      mcpServers: {
        tool: {
          command: "node",
          args: ["a.mjs", "\u001b[2K\u202e--x\u200b"],
          cwd: "sub",
          envFile: "own.env",
          env: { NODE_OPTIONS: "--import ./evil.mjs", TOKEN: "s3cret" },
        },
      },
    });
    person.write("project/own.env", "PATH=./bin");
    person.write("project/sub/a.mjs", "");
    const { stderr } = await person.run("trust");
    expect(stderr).toContain("NODE_OPTIONS: --import ./evil.mjs");
    expect(stderr).toContain("PATH (envFile): ./bin");
    expect(stderr).toMatch(/folder: .*sub$/m);
    expect(stderr).toContain("\\u{1b}[2K\\u{202e}--x\\u{200b}");
    expect(stderr).toContain("a.mjs is a file of this folder");
    expect(stderr).not.toContain("s3cret");
  });

  test("is not trusted if it changes between review and confirmation", async () => {
    const person = await openPerson();
    const places = { workingFolder: person.project, homeFolder: person.home, environment: person.env };
    person.write("project/.mcp.json", { mcpServers: { tool: { command: "harmless" } } });
    const { items } = await trust({ ...places, isDryRun: true });
    person.write("project/.mcp.json", { mcpServers: { tool: { command: "evil" } } });
    expect((await trust({ ...places, shown: items })).items).toEqual([]);
    expect((await trust({ ...places, isDryRun: true })).items).toMatchObject([{ written: "evil" }]);
  });

  test("shows in init which variables of a project's server load code", async () => {
    const person = await openPerson();
    const env = { NODE_OPTIONS: "--import ./evil.mjs" };
    person.write("project/.cursor/mcp.json", { mcpServers: { tool: { command: "node", env } } });
    const { stderr } = await person.run("init", "--yes");
    expect(stderr).toContain("NODE_OPTIONS: --import ./evil.mjs");
  });

  test("does not stop serve from using the person's own servers", async () => {
    const person = await openPerson();
    person.write("home/.config/mcp-coordinator/config.json", { mcpServers: { echo } });
    person.write("project/.mcp.json", { mcpServers: { foreign: { command: "foreign" } } });
    const entry = { command: process.execPath, args: [bin, "serve"] };
    expect(await runThrough(entry, person)).toContain("taken over");
  });
});

describe("a server that hangs", () => {
  test("is named by check, which does not wait for it, and tested by every doctor", async () => {
    const person = await openPerson();
    const log = join(person.project, "starts");
    const toEntry = (connectTimeoutMs: number) => ({
      command: process.execPath,
      args: [fixturePath("waits-for-file"), "--file", join(person.project, "never"), "--log", log],
      timeouts: { connectTimeoutMs },
    });
    // A command that waited for it would outlast the test.
    const config = person.write("project/mine.json", { mcpServers: { echo, slow: toEntry(600_000) } });
    await person.run("tools", "echo", "--config", config);
    const code = "await slow.go({}); await echo.ech({})";
    const checked = await person.run("check", "-e", code, "--config", config);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain("These servers did not list their tools: slow.");
    expect(checked.stdout).toMatch(/^error line 1.*ech/m);
    const short = person.write("project/short.json", { mcpServers: { echo, slow: toEntry(2000) } });
    const counts: number[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { stdout } = await person.run("doctor", "--config", short, "--json");
      const { servers } = JSON.parse(stdout) as { servers: readonly { status: string }[] };
      expect(servers.map(({ status }) => status)).toEqual(["ready", "failed"]);
      counts.push(readFileSync(log, "utf8").split("\n").length);
    }
    expect(counts[1]).toBeGreaterThan(counts[0] ?? 0);
  });
});

describe("doctor", () => {
  test("reports each problem with its fix, shows a server's stderr, and exits with 1", async () => {
    const person = await openPerson();
    const config = person.write("project/mine.json", {
      mcpServers: { echo, broken: { command: process.execPath, args: [fixturePath("crashes-at-start")] } },
    });
    const { code, stdout } = await person.run("doctor", "--config", config);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^echo +ready +\d+ +[\d.]+ m?s/m);
    expect(stdout).toMatch(/^wrong +Cannot start "broken"|^wrong .*broken/m);
    expect(stdout.split("\n")[0]).toBe("One thing is wrong");
    expect(stdout.indexOf("wrong ")).toBeLessThan(stdout.indexOf("SERVER "));
    expect(stdout).toMatch(/^broken +failed +its process exited/m);
    expect(stdout.indexOf("\nbroken ")).toBeLessThan(stdout.indexOf("\necho "));
    expect(stdout).toMatch(/│ .*boom/);
    expect(stdout).toMatch(/^fix /m);
    expect(stdout).toMatch(/^node +.*\d+\.\d+\.\d+$/m);
    expect(stdout).toMatch(/^state +.* free/m);
    // Tables are complete in a pipe; everything else fits 80 columns.
    const isWide = (line: string): boolean =>
      line.length > 80 && !/^(?:echo|broken|python|container) /.test(line);
    expect(stdout.split("\n").filter(isWide)).toEqual([]);
  });

  test("checks everything else if the configuration cannot be read", async () => {
    const person = await openPerson();
    const config = person.write("project/mine.json", "{ nonsense");
    const { code, stdout } = await person.run("doctor", "--config", config, "--json");
    const found = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(found.problems[0]).toMatchObject({
      subject: "configuration",
      isSerious: true,
      fix: expect.any(String),
    });
    expect(found.sandboxes.length).toBeGreaterThan(2);
    expect(found.runtimes.map(({ what }: { what: string }) => what)).toEqual(
      expect.arrayContaining(["node", "python", "container"]),
    );
    expect(found.folders).toMatchObject([
      { what: "cache", isWritable: true },
      { what: "state", isWritable: true },
    ]);
  });
});
