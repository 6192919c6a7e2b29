// `mcp-coordinator serve` as a client starts it.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandLine, openCommandLine } from "./run-command.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));
let line: CommandLine;
beforeAll(() => {
  line = openCommandLine();
});
afterAll(() => line.close());

test("serve answers a client and runs a program for it", async () => {
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "serve", "--config", join(line.folder, "mcp.json")],
    env: { PATH: process.env.PATH ?? "", HOME: line.folder },
  });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(["run_code", "search_tools"]);
    const code = 'return await echo.echo({ text: "through serve" })';
    const answer = await client.callTool({ name: "run_code", arguments: { code } });
    expect(JSON.stringify(answer.content)).toContain("through serve");
  } finally {
    await client.close();
  }
});

test("serve ends with 0 when the client closes stdin", async () => {
  const { code, stdout } = await line.run(["serve"]);
  expect(stdout).toBe("");
  expect(code).toBe(0);
});
