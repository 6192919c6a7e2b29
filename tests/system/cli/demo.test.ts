// `mcp-coordinator demo` on the three public servers.
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandLine, openCommandLine } from "./run-command.js";

const { readTerminal, toShownOutput } = (await import(
  new URL("../../../scripts/pictures/terminal-picture.mjs", import.meta.url).href
)) as {
  readonly readTerminal: (picture: string) => readonly string[];
  readonly toShownOutput: (output: string) => string;
};

let line: CommandLine;
beforeAll(() => {
  line = openCommandLine();
});
afterAll(() => line.close());

const demoFolders = (): readonly string[] =>
  readdirSync(line.folder).filter((name) => name.startsWith("mcp-coordinator-demo-"));

/** Times and sizes differ from run to run. */
const withoutFigures = (text: string): string =>
  text
    .replace(/[\d.,]*\d ?(?:ms|s|kB|B)\b/g, "#")
    .replace(/[\d.,]*\d/g, "#")
    .replace(/\s+/g, " ")
    .trim();

test("demo shows program, calls, output, tokens and snippet within 80 columns, as in its picture, and cleans up", async () => {
  const { code, stdout, stderr } = await line.run(["demo"]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  for (const text of [
    'import { readTextFile } from "servers/filesystem";',
    "✓ filesystem.read_text_file",
    "✓ everything.get-structured-content",
    "✓ memory.create_entities",
    "2000 orders, best city first:",
    "times fewer with mcp-coordinator",
    '"mcpServers"',
  ]) {
    expect(stdout).toContain(text);
  }
  // Only the snippet's path may be longer: it has to stay whole.
  const long = stdout.split("\n").filter((text) => text.length > 80 && !text.includes("mcp-coordinator.mjs"));
  expect(long).toEqual([]);
  expect(demoFolders()).toEqual([]);
  expect(JSON.parse((await line.run(["runs", "--json"])).stdout)).toEqual([]);

  const [command, ...drawn] = readTerminal(
    readFileSync(new URL("../../../docs/pictures/run.svg", import.meta.url), "utf8"),
  );
  expect(command).toBe("$ mcp-coordinator demo");
  expect(drawn.map(withoutFigures), 'run "npm run pictures" and commit what it writes').toEqual(
    toShownOutput(stdout)
      .split("\n")
      .filter((text) => text.trim() !== "")
      .map(withoutFigures),
  );
});

test("demo --json prints the same facts, and far fewer tokens with us than without", async () => {
  const { code, stdout } = await line.run(["demo", "--json"]);
  const { result, tokens, output } = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(result.status).toBe("completed");
  expect(result.calls).toHaveLength(5);
  expect(output).toContain("2000 orders");
  expect(tokens.without.total).toBeGreaterThan(20 * tokens.with.total);
});

test.skipIf(process.platform === "win32")(
  "demo leaves no folder behind if it is stopped early (needs a Unix system)",
  async () => {
    const child = line.start(["demo"]);
    const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
    while (demoFolders().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill("SIGTERM");
    expect(await closed).toBe(143);
    expect(demoFolders()).toEqual([]);
  },
);
