// Completion in real shells: what the Tab key would offer.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CommandLine, openCommandLine } from "./run-command.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));
const hasShell = (shell: string): boolean =>
  process.platform !== "win32" && spawnSync(shell, ["--version"]).status === 0;

let line: CommandLine;
beforeAll(async () => {
  line = openCommandLine();
  mkdirSync(join(line.folder, "bin"));
  const command = join(line.folder, "bin", "mcp-coordinator");
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(command, 0o755);
  await line.run(["tools", "echo", "--config", "mcp.json"]);
});
afterAll(() => line.close());

const runShell = (shell: string, words: readonly string[]): string => {
  const { stdout } = spawnSync(shell, words, {
    cwd: line.folder,
    encoding: "utf8",
    env: {
      PATH: [join(line.folder, "bin"), process.env.PATH].join(delimiter),
      HOME: line.folder,
      TERM: "dumb",
      MCP_COORDINATOR_CACHE_FOLDER: join(line.folder, "cache"),
      MCP_COORDINATOR_TRUST: "1",
    },
  });
  return stdout;
};

test("completion suggests tools and arguments from the cache, and starts no server that was never listed", async () => {
  const suggest = async (...words: string[]) =>
    (await line.run(["completion", "suggest", "--", "--config", "mcp.json", ...words])).stdout.split("\n");
  expect(await suggest("call", "")).toEqual(["broken", "echo", ""]);
  expect(await suggest("call", "echo", "ech")).toEqual(["echo", ""]);
  expect(await suggest("call", "echo", "echo", "")).toContain("text=");
  expect(await suggest("show", "echo.ech")).toEqual(["echo.echo", ""]);
  expect(await suggest("call", "broken", "")).toEqual([""]);
});

test("completion suggests nothing if the configuration cannot be read, and does not ask for trust", async () => {
  const ended = await line.run(["completion", "suggest", "--", "--config", "nosuch.json", "tools", ""]);
  expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await line.run(["completion", "suggest", "--", "tools", "e", "--json"])).toMatchObject({ code: 0 });
});

test("completion for an unknown shell lists the supported ones", async () => {
  const { code, stderr } = await line.run(["completion", "tcsh"]);
  expect(stderr).toContain("expected one of bash, zsh, fish, powershell");
  expect(code).toBe(2);
});

describe.skipIf(!hasShell("bash"))("bash (needs bash)", () => {
  const complete = (...words: string[]): string[] => {
    const list = ["mcp-coordinator", ...words].map((word) => `'${word}'`).join(" ");
    const script = `source <(mcp-coordinator completion bash)
COMP_WORDS=(${list}); COMP_CWORD=${words.length}
"$(complete -p mcp-coordinator | sed 's/.*-F \\([^ ]*\\).*/\\1/')" mcp-coordinator
printf '%s\\n' "\${COMPREPLY[@]}"`;
    return runShell("bash", ["--norc", "-c", script]).trim().split("\n");
  };

  test("completes commands, tools, values after an equals sign, and files", () => {
    expect(complete("ser")).toEqual(["servers", "serve"]);
    expect(complete("call", "echo", "ech")).toEqual(["echo"]);
    expect(complete("run", "--output", "=", "t")).toEqual(["text", "toon"]);
    expect(complete("run", "mcp")).toEqual(["mcp.json"]);
  });
});

describe.skipIf(!hasShell("fish"))("fish (needs fish)", () => {
  test("completes commands with their meaning, tools and files", () => {
    const complete = (words: string) =>
      runShell("fish", [
        "-c",
        `mcp-coordinator completion fish | source; complete -C 'mcp-coordinator ${words}'`,
      ]);
    expect(complete("serv")).toContain("servers\tList the configured servers\n");
    expect(complete("call echo ech")).toBe("echo\n");
    expect(complete("run mcp")).toBe("mcp.json\n");
  });
});

describe.skipIf(!hasShell("zsh"))("zsh (needs zsh)", () => {
  test("completes a tool on Tab", () => {
    const script = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'autoload -Uz compinit; compinit -u -D; source <(mcp-coordinator completion zsh); PS1=ready-; echo be""gin'
zpty -r shell before '*begin*'
zpty -w -n shell $'mcp-coordinator call echo ech\\t text=\\n'
zpty -r shell after '*call echo echo*'
print -r -- "$after"
zpty -d shell`;
    expect(runShell("zsh", ["-f", "-c", script])).toContain("call echo echo");
  });
});
