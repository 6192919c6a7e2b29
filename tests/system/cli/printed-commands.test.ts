// The printed approval command works when pasted, in another terminal and another folder.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { openCoordinator } from "../../../src/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { hasTerminal, openTerminalLine } from "../../support/terminal.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));
const code = "await ledger.write({ value: 7 }); return 8";

/** A project with a server that is started by a relative path. */
const openPlaces = async () => {
  const root = await temporaryFolder();
  const [home, project, elsewhere] = [
    join(root, "home"),
    join(root, "it's a project"),
    join(root, "elsewhere"),
  ];
  for (const folder of [home, join(project, "conf"), elsewhere]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(project, "seen.txt"), "");
  writeFileSync(join(project, "ledger.mjs"), `await import(${JSON.stringify(fixturePath("ledger"))});`);
  const entry = { command: process.execPath, args: ["ledger.mjs", "--file", "seen.txt"] };
  const coordinator = { approve: ["ledger.write"] };
  const write = (path: string, more: object = {}): void =>
    writeFileSync(
      join(project, path),
      JSON.stringify({ mcpServers: { ledger: { ...entry, ...more } }, coordinator }),
    );
  const type = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, [bin, ...words], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: home, ...env },
      input: "",
      encoding: "utf8",
    });
  return {
    home,
    project,
    elsewhere,
    write,
    type,
    seen: () => readFileSync(join(project, "seen.txt"), "utf8"),
  };
};

interface Way {
  readonly file: string;
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly isUntrusted?: true;
}

const ways: readonly (readonly [string, Way])[] = [
  ["a file that was named", { file: "conf/x.json", words: ["--config", "conf/x.json"] }],
  ["a folder that was named", { file: "conf/x.json", words: ["--config", "conf"] }],
  ["a file that was found", { file: ".mcp.json" }],
  ["a file of MCP_SERVERS_CONFIG", { file: "conf/x.json", env: { MCP_SERVERS_CONFIG: "conf/x.json" } }],
  ["a folder of MCP_JSON", { file: "conf/x.json", env: { MCP_JSON: "conf" } }],
  ["the project's own state folder", { file: ".mcp.json", folder: ".mcp-coordinator" }],
  [
    "the project's own state folder, and a file that was named",
    { file: "conf/x.json", words: ["--config", "conf/x.json"], folder: ".mcp-coordinator" },
  ],
  [
    "a state folder of the environment",
    { file: ".mcp.json", env: { MCP_COORDINATOR_STATE_FOLDER: "/tmp/mcp-coordinator-printed" } },
  ],
  [
    "a relative state folder of the environment",
    { file: ".mcp.json", env: { MCP_COORDINATOR_STATE_FOLDER: "s" } },
  ],
  [
    "another place for every state",
    { file: ".mcp.json", env: { XDG_STATE_HOME: "/tmp/mcp-coordinator-xdg" } },
  ],
  ["a workspace of the environment", { file: ".mcp.json", env: { MCP_COORDINATOR_WORKSPACE: "acme" } }],
  ["run --trust", { file: ".mcp.json", words: ["--trust"], isUntrusted: true }],
  [
    "run --trust with a file that was named",
    { file: "conf/x.json", words: ["--trust", "--config", "conf/x.json"], isUntrusted: true },
  ],
  ["MCP_COORDINATOR_TRUST", { file: ".mcp.json", env: { MCP_COORDINATOR_TRUST: "1" }, isUntrusted: true }],
];

/** The line that contains only a command. */
const findCommand = (text: string): string =>
  text.split("\n").find((line) => line.startsWith("  ") && line.includes("mcp-coordinator.mjs")) ?? "";

describe.skipIf(!hasTerminal).each(ways)(
  "the command that a run prints, with %s (needs script)",
  (_way, way) => {
    test("asks for approval in a shell in another folder", async () => {
      const { home, project, elsewhere, write, type, seen } = await openPlaces();
      // What is in the environment is this test's own.
      const env = Object.fromEntries(
        Object.entries(way.env ?? {}).map(([name, value]) => [name, value.replace("/tmp/", `${home}/`)]),
      );
      write(way.file);
      if (way.folder !== undefined) mkdirSync(join(project, way.folder));
      const words = way.words ?? [];
      if (way.isUntrusted === undefined) expect(type(["trust", "--yes", ...words], env).status).toBe(0);
      const paused = type(["run", "-e", code, ...words], env);
      expect(paused.stderr).toContain("The run waits for an answer");
      const line = findCommand(paused.stderr);
      const terminal = openTerminalLine(line, home, elsewhere);
      await terminal.press("to allow, Enter to refuse:", "\n");
      expect(terminal.read()).toContain('1. ledger.write {"value":7}');
      expect(terminal.read()).not.toContain("Trust it");
      expect(await terminal.ended).toBe(1);
      expect(seen()).toBe("");
    });
  },
);

test.skipIf(!hasTerminal)(
  "a command that a program prints asks for approval in another folder (needs script)",
  async () => {
    const { home, project, elsewhere, write, seen } = await openPlaces();
    // A program does not change its own folder.
    write("conf/x.json", { cwd: project });
    const coordinator = await openCoordinator({
      config: join(project, "conf/x.json"),
      workingFolder: project,
      environment: { PATH: process.env.PATH, HOME: home },
      settings: { stateFolder: join(home, "own-state") },
    });
    onTestFinished(() => coordinator.close());
    const { question } = await coordinator.runCode({ code });
    const terminal = openTerminalLine(question?.command ?? "", home, elsewhere);
    await terminal.press("to allow, Enter to refuse:", "\n");
    expect(await terminal.ended).toBe(1);
    expect(seen()).toBe("");
  },
);

test.skipIf(!hasTerminal)(
  "a printed command trusts what was trusted when the run started, and asks about later changes (needs script)",
  async () => {
    const { home, project, elsewhere, write, type } = await openPlaces();
    write(".mcp.json");
    const line = findCommand(type(["run", "-e", code, "--trust"]).stderr);
    expect(line).toMatch(/ --trusted [0-9a-f]{24}$/);
    writeFileSync(
      join(project, ".mcp.json"),
      JSON.stringify({ mcpServers: { ledger: { command: "evil" } } }),
    );
    const terminal = openTerminalLine(line, home, elsewhere);
    await terminal.press("Trust it as it is?", "n");
    expect(terminal.read()).toContain("evil");
    await terminal.press("to allow, Enter to refuse:", "\n");
    await terminal.ended;
  },
);

test("the error for an unknown run names the workspace and the state folder", async () => {
  const { home, write, type } = await openPlaces();
  write(".mcp.json");
  const { stderr, status } = type(["resume", "0123456789ab", "--trust", "--workspace", "acme"]);
  expect(status).toBe(1);
  expect(stderr).toContain('the workspace "acme" has no run of that id');
  expect(stderr).toContain(`The state folder is ${join(home, ".local", "state", "mcp-coordinator")}`);
});

test("every printed resume command can be pasted", async () => {
  const { write, type } = await openPlaces();
  write(".mcp.json");
  type(["trust", "--yes"]);
  const failed = type(["run", "-e", 'await ledger.read({ value: 1 }); throw new Error("later")']);
  const planned = type(["run", "-e", code, "--plan"]);
  for (const [{ stderr }, verb] of [
    [failed, "resume"],
    [planned, "commit"],
  ] as const) {
    expect(stderr).not.toContain("[FILE]");
    const pasted = spawnSync("sh", ["-c", findCommand(stderr)], { input: "", encoding: "utf8" });
    expect(findCommand(stderr)).toContain(` ${verb} `);
    expect(pasted.stderr).not.toMatch(/syntax error|Cannot read the options|USAGE/i);
  }
});
