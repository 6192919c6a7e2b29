// `stats` after runs of several processes, of agents and of people.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandLine, openCommandLine } from "./run-command.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));
let line: CommandLine;
beforeAll(() => {
  line = openCommandLine();
});
afterAll(() => line.close());

const program = "return (await echo.big({ megabytes: 0.1 })).length";

/** An agent that searches once and runs the program. */
const actAsAgent = async (): Promise<Record<string, number>> => {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, "serve", "--config", join(line.folder, "mcp.json")],
      env: {
        PATH: process.env.PATH ?? "",
        HOME: line.folder,
        MCP_COORDINATOR_CACHE_FOLDER: join(line.folder, "cache"),
      },
      stderr: "ignore",
    }),
  );
  await client.callTool({ name: "search_tools", arguments: { query: "say it again" } });
  const { _meta } = await client.callTool({ name: "run_code", arguments: { code: program } });
  await client.close();
  return (_meta as Record<string, Record<string, number>>)["mcp-coordinator/meter"] ?? {};
};

test("stats reports that nothing was counted yet, and which servers were never listed", async () => {
  const { code, stdout } = await line.run(["stats"]);
  expect(stdout).toContain("No run of an agent was counted yet");
  expect(stdout).toContain("2 servers never listed");
  expect(code).toBe(0);
});

test("stats adds up the runs of agents in several processes, none lost, apart from what people run", async () => {
  const [meters] = await Promise.all([
    Promise.all(Array.from({ length: 3 }, actAsAgent)),
    line.run(["run", "-e", program]),
  ]);
  const sum = (name: string): number => meters.reduce((total, meter) => total + (meter[name] ?? 0), 0);
  const { stdout } = await line.run(["stats", "--json"]);
  const { total, terminal, days, byServer, definitionTokens, shownTokens } = JSON.parse(stdout);
  expect(total).toMatchObject({
    runs: 3,
    calls: 3,
    searches: 3,
    programTokens: sum("programTokens"),
    returnedTokens: sum("returnedTokens"),
    keptTokens: sum("keptTokens"),
  });
  expect(terminal).toMatchObject({ runs: 1, calls: 1, searches: 0 });
  expect(sum("keptTokens")).toBeGreaterThan(30_000);
  expect(days.length).toBeGreaterThanOrEqual(1);
  expect(byServer[0]).toMatchObject({ server: "echo", calls: 4, definitionTokens });
  expect(shownTokens).toBeGreaterThan(100);
});

test("stats shows what was returned and left out, the searches, and what people ran", async () => {
  const { stdout } = await line.run(["stats"]);
  expect(stdout).toMatch(/^Agents: 3 runs with 3 calls, 3 searches since \d{4}-\d\d-\d\d, in tokens:$/m);
  expect(stdout).toMatch(/^ {2}returned +\d+ {2}read by the model$/m);
  expect(stdout).toMatch(/^ {2}left out +\d\d,\d{3} {2}/m);
  expect(stdout).toMatch(/^Terminal: 1 run with 1 call, not included above/m);
  expect(stdout).toMatch(/^echo +\d+ +\d+ +4 +\d\d,\d{3}$/m);
});

test("stats compares with direct calls only if the definitions of all servers are known", async () => {
  expect((await line.run(["stats"])).stdout).not.toContain("Together");
  const only = ["--config", join(line.folder, "echo.json")];
  const { mcpServers } = JSON.parse(readFileSync(join(line.folder, "mcp.json"), "utf8"));
  writeFileSync(join(line.folder, "echo.json"), JSON.stringify({ mcpServers: { echo: mcpServers.echo } }));
  expect((await line.run(["stats", ...only])).stdout).toMatch(
    /^Together: about \d\d,\d{3} tokens saved over 6 turns, with the definitions of now$/m,
  );
});

test("run --verbose reports what a model would read, and never compares one run with direct calls", async () => {
  const large = await line.run(["run", "--verbose", "-e", program]);
  expect(large.stderr).toMatch(/^a model would read 1 token instead of \d\d,\d{3} tokens$/m);
  const small = await line.run(["run", "--verbose", "-e", 'return await echo.echo({ text: "hi" })']);
  expect(small.stderr).not.toContain("calling directly");
});
