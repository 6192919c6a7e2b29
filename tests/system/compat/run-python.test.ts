// The tool `run_python`, used by a real client: cells that share their variables, and the result fields of a container bridge.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { referenceServers } from "../../support/reference-servers.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));
let folder: string;
let client: Client;

const connect = async (settings: object): Promise<Client> => {
  // Its own file, because `serve` applies edits of its file.
  const config = join(mkdtempSync(join(folder, "config-")), "mcp.json");
  const mcpServers = referenceServers(["github", "arxiv", "gdrive"]);
  writeFileSync(config, JSON.stringify({ mcpServers, coordinator: settings }));
  const made = new Client({ name: "test", version: "1.0.0" });
  await made.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, "serve", "--config", config],
      env: { PATH: process.env.PATH ?? "", HOME: folder, XDG_CACHE_HOME: join(folder, "cache") },
    }),
  );
  return made;
};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "run-python-"));
  client = await connect({ runPython: true, limits: { outputTokens: 400 } });
});
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (given: object) => client.callTool({ name: "run_python", arguments: { ...given } });

describe("run_python", () => {
  it("is offered only if the configuration enables it", async () => {
    const other = await connect({});
    try {
      const names = async (one: Client) => (await one.listTools()).tools.map(({ name }) => name);

      expect(await names(client)).toEqual(["run_code", "search_tools", "run_python"]);
      expect(await names(other)).toEqual(["run_code", "search_tools"]);
      await expect(other.callTool({ name: "run_python", arguments: { code: "1" } })).rejects.toThrow(
        /Unknown tool "run_python"/,
      );
    } finally {
      await other.close();
    }
  });

  it("keeps variables, functions and imports from cell to cell", async () => {
    await run({
      code: "import json\nfound = await mcp_arxiv.search(query='x')\ndef count(): return len(found)",
    });
    const { structuredContent, isError } = await run({ code: "print(json.dumps({'n': count()}))\ncount()" });

    expect(isError).not.toBe(true);
    expect(structuredContent).toEqual({
      status: "success",
      summary: expect.stringMatching(/^Success, 0 calls, \d+ ms$/),
      exitCode: 0,
      stdout: ['{"n": 3}'],
      result: 3,
    });
  });

  it("finds tools through runtime", async () => {
    const { structuredContent } = await run({
      code: "from mcp import runtime\n[runtime.discovered_servers(), [hit['tool'] for hit in await runtime.search_tool_docs('issue', limit=1)], runtime.query_tool_docs('github', 'create_issue', detail='full')['inputSchema']['required']]",
    });

    expect(structuredContent).toMatchObject({
      result: [["github", "arxiv", "gdrive"], ["create_issue"], ["owner", "repo", "title"]],
    });
  });

  it("limits a cell to the named servers", async () => {
    const refused = await run({ code: "mcp_arxiv.search(query='x')", servers: ["github"] });

    expect(refused.isError).toBe(true);
    expect(refused.structuredContent).toMatchObject({
      status: "error",
      exitCode: 1,
      servers: ["github"],
      error: expect.stringContaining("SERVER_NOT_ALLOWED"),
    });
  });

  it("reports an exception as an error, with the output so far", async () => {
    const failed = await run({ code: "import sys\nprint('a')\nprint('b', file=sys.stderr)\n1 / 0" });

    expect(failed.isError).toBe(true);
    expect(failed.structuredContent).toMatchObject({
      status: "error",
      stdout: ["a"],
      stderr: ["b"],
      error: expect.stringMatching(/ZeroDivisionError[\s\S]*line 4/),
    });
  });

  it("stops a cell at its timeout", async () => {
    const { isError, structuredContent } = await run({ code: "while True: pass", timeout: 1 });

    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ status: "timeout", timeoutSeconds: 1 });
    expect(structuredContent).not.toHaveProperty("exitCode");
  });

  it.each([
    [{}, /"code" is missing/],
    [{ code: "1", servers: [1] }, /"servers" is a number/],
    [{ code: "1", timeout: "soon" }, /"timeout" is a string/],
  ])("refuses %j with a clear message", async (given, message) => {
    const { isError, structuredContent } = await run(given);

    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      status: "validation_error",
      error: expect.stringMatching(message),
    });
  });

  it("reports what a cell waits for to a client without forms", async () => {
    const { isError, structuredContent, content } = await run({ code: 'ask("Which region?")' });

    expect(isError).not.toBe(true);
    expect(structuredContent).toMatchObject({ status: "paused" });
    expect(structuredContent).not.toHaveProperty("exitCode");
    expect(JSON.stringify(content)).toMatch(/waits for an answer: Which region\?/);
  });

  it("keeps every field within the model's budget", async () => {
    const answer = await run({ code: "for row in await mcp_gdrive.get_sheet(sheet_id='x'): print(row)" });
    const fields = answer.structuredContent as { stdout: string[] };

    expect(JSON.stringify(answer).length).toBeLessThan(8000);
    expect(fields.stdout.join("\n")).toMatch(/Stored in full as/);
  });
});
