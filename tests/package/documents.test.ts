// Programs, commands and configurations of the README and two other pages work as shown.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { Coordinator } from "../../src/index.js";
import { commandGroups } from "../../src/surfaces/cli/command-table.js";
import { fixturePath } from "../support/fixture-servers.js";
import { openFixture } from "../support/open-fixture.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, block]) => block ?? "",
  );

describe("README", () => {
  const readme = read("README.md");

  it("shows the program that its example runs", () => {
    expect(blocks(readme, "ts")[0]).toBe(read("examples/first-program/program.ts"));
  });

  it("shows a library program that runs", async () => {
    const [, library = ""] = blocks(readme, "ts");
    const { coordinator, close } = await openFixture({}, {});
    const code = library
      .replace(/^import .*$/m, "")
      .replace(/await openCoordinator\(.*?\)/, "coordinator_")
      .replace("github.getMe({})", "echo.class({})")
      .replace('["github"]', '["echo"]')
      .replace("await coordinator.close();", "")
      .replace("console.log(result.status, result.value, result.calls)", "return result");
    const run = new Function("coordinator_", `return (async () => {${code}})()`);

    expect(await run(coordinator)).toMatchObject({ status: "completed", value: "class" });
    await close();
  });

  it("installs the command with one line (needs a Unix system)", ({ skip }) => {
    if (process.platform === "win32") skip("needs a Unix system");
    const [shown = ""] = blocks(readme, "sh");
    const words = /^npm (install -g \.)/m.exec(shown)?.[1]?.split(" ") ?? [];
    const folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-installed-"));
    const run = (command: string, args: readonly string[]): string =>
      execFileSync(command, args, { cwd: root, encoding: "utf8", env: { ...process.env, HOME: folder } });
    try {
      run("npm", [...words, "--prefix", folder, "--offline", "--no-audit", "--no-fund", "--loglevel=error"]);
      const { version } = JSON.parse(read("package.json")) as { readonly version: string };

      expect(run(join(folder, "bin", "mcp-coordinator"), ["version"])).toContain(version);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("docs/getting-started.md", () => {
  it("shows a client's configuration that is valid JSON and starts serve", () => {
    const [snippet = ""] = blocks(read("docs/getting-started.md"), "json");

    expect(JSON.parse(snippet)).toMatchObject({
      mcpServers: { coordinator: { args: expect.arrayContaining(["serve", "--config"]) } },
    });
  });
});

test.each(["README.md", "docs/getting-started.md"])("%s names only commands that exist", (path) => {
  const commands = commandGroups.flatMap((group) => group.commands.map(({ name }) => name));
  const named = [...read(path).matchAll(/^mcp-coordinator (\w+)/gm)].map(([, name]) => name);

  expect(named.length).toBeGreaterThan(2);
  expect(commands).toEqual(expect.arrayContaining(named));
});

describe("docs/compatibility.md", () => {
  it("shows a class that runs", async () => {
    const [shown = ""] = blocks(read("docs/compatibility.md"), "ts");
    const { coordinator, folder, close } = await openFixture();
    const code = shown
      .replace(/^import .*$/m, "")
      .replace('"~/.config/mcp.json"', "options")
      .replace(/github/g, "echo")
      .replace(/get_me\b/g, "class_")
      .replace("console.log(", "const printed = [")
      .replace(/\);\s*$/, "]; await coordinator.close(); return printed;");
    const servers = await coordinator.listServers();
    const options = {
      config: { mcpServers: { echo: { command: process.execPath, args: [fixturePath("echo")] } } },
      settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
    };
    const run = new Function("Coordinator", "options", `return (async () => {${code}})()`);

    expect(await run(Coordinator, options)).toEqual([true, "class", servers.map(({ name }) => name)]);
    await close();
  });
});
