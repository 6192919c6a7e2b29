// `serve` stays current: changes to its configuration take effect, servers are listed again in the background, and the client is notified.
import { mkdirSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import { fixturePath } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));
const node = (fixture: string, ...args: string[]) => ({
  command: process.execPath,
  args: [fixturePath(fixture), ...args],
});

const connect = async (folder: string, words: readonly string[], cwd = folder) => {
  const client = new Client({ name: "test", version: "1.0.0" });
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes += 1;
  });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "serve", ...words],
    cwd,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      MCP_COORDINATOR_CACHE_FOLDER: join(folder, "cache"),
      XDG_STATE_HOME: join(folder, "state"),
    },
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
  const describe = async (): Promise<string> => JSON.stringify((await client.listTools()).tools);
  return { run, describe, countChanges: () => changes, notes: () => notes, close: () => client.close() };
};

test("serve follows a server that is added, changed and removed in the file", async () => {
  const folder = await temporaryFolder();
  const config = join(folder, "own.json");
  const log = join(folder, "log");
  const write = (mcpServers: object): void => writeFileSync(config, JSON.stringify({ mcpServers }));
  write({ echo: node("echo", "--log", log) });
  const { run, describe, countChanges } = await connect(folder, ["--config", config]);
  expect(await describe()).not.toContain("second");
  expect(await run('return await echo.echo({ text: "a" })')).toContain("a");

  write({ echo: node("echo", "--log", log), second: node("changes-tools") });
  await expect.poll(countChanges).toBeGreaterThan(0);
  await expect.poll(describe).toContain("second");
  expect(await run("return await second.grow({})")).toContain("grown");
  expect((await readFile(log, "utf8")).match(/^start$/gm)).toHaveLength(1);

  write({ second: { ...node("echo"), description: "another one" } });
  await expect.poll(() => run('return await second.echo({ text: "changed" })')).toContain('"text":"changed"');
  expect(await run('return await echo.echo({ text: "gone" })')).not.toContain('"text":"gone"');
});

test("a partial edit changes nothing, and the complete edit takes effect", async () => {
  const folder = await temporaryFolder();
  const config = join(folder, "own.json");
  const whole = JSON.stringify({ mcpServers: { echo: node("echo"), second: node("echo") } });
  writeFileSync(config, JSON.stringify({ mcpServers: { echo: node("echo") } }));
  const { run, describe, notes } = await connect(folder, ["--config", config]);
  await describe();
  writeFileSync(config, whole.slice(0, 40));
  await expect.poll(notes).toContain("The configuration is unchanged");
  expect(await run('return await echo.echo({ text: "still here" })')).toContain("still here");
  writeFileSync(config, whole);
  await expect.poll(describe).toContain("second");
});

test.each([["not trusted"], ["trusted for this start by --trust"]])(
  "a server added to a folder's own file while serve runs is not started, in a folder that is %s",
  async (kind) => {
    const folder = await temporaryFolder();
    const project = join(folder, "project");
    mkdirSync(project);
    const log = join(folder, "log");
    writeFileSync(
      join(project, ".mcp.json"),
      JSON.stringify({ mcpServers: { first: node("changes-tools") } }),
    );
    const words = kind === "not trusted" ? [] : ["--trust"];
    const { run, describe, notes } = await connect(folder, words, project);
    await describe();
    writeFileSync(
      join(project, ".mcp.json"),
      JSON.stringify({ mcpServers: { first: node("changes-tools"), evil: node("echo", "--log", log) } }),
    );
    await expect.poll(notes).toContain("The configuration has changed: evil");
    expect(await run('return await evil.echo({ text: "a" })')).toContain("not trusted");
    await expect(readFile(log, "utf8")).rejects.toThrow("ENOENT");
    if (kind !== "not trusted") expect(await run("return await first.grow({})")).toContain("grown");
  },
);

test("serve lists servers in the background, including tools that came with an upgrade", async () => {
  const folder = await temporaryFolder();
  const config = join(folder, "own.json");
  const file = join(folder, "tools");
  writeFileSync(config, JSON.stringify({ mcpServers: { shop: node("changes-tools", "--file", file) } }));
  const first = await connect(folder, ["--config", config]);
  // Nobody has used the server.
  await expect.poll(first.describe).toContain("shop.grow");
  await first.close();

  const listings = join(folder, "cache", "listings");
  const [name = ""] = await readdir(listings);
  const listing = JSON.parse(await readFile(join(listings, name), "utf8"));
  writeFileSync(join(listings, name), JSON.stringify({ ...listing, listedAt: "2020-01-01T00:00:00.000Z" }));
  writeFileSync(file, "fresh\n");
  const second = await connect(folder, ["--config", config]);
  await expect.poll(second.describe).toMatch(/COMPLETE list.*shop\.fresh/);
});
