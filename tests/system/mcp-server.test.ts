// The MCP server, used by real clients of both SDK lines, over stdio and HTTP.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenServe, openServe, transports } from "../support/transports.js";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));
let folder: string;
let config: string;

const writeConfig = (name: string, servers: Record<string, object>): string => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  return file;
};
const log = (): string => join(folder, "echo.log");
const echo = { command: process.execPath, args: [fixturePath("echo")] };
const launch = (file: string) => ({
  command: process.execPath,
  args: [bin, "serve", "--config", file],
  env: { PATH: process.env.PATH ?? "", HOME: folder, XDG_CACHE_HOME: join(folder, "cache") },
});
type Answer = { content: { type: string; text: string }[]; isError?: boolean };
const isAlive = (processId: number): boolean => {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
};
const textOf = (answer: unknown): string => (answer as Answer).content.map(({ text }) => text).join("\n");

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coordinator-serve-"));
  writeFileSync(log(), "");
  config = writeConfig("mcp.json", { echo: { ...echo, args: [...echo.args, "--log", log()] }, github: echo });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const openWithState = (transport: (typeof transports)[number], state: string): Promise<OpenServe> =>
  openServe(transport, { config, env: { ...launch(config).env, XDG_STATE_HOME: join(folder, state) } });

describe.each(transports)("serve with the official client over %s", (transport) => {
  let open: OpenServe;
  beforeAll(async () => {
    open = await openWithState(transport, "modern-state");
  });
  afterAll(() => open.close());

  it.each([
    ["v2 auto", { versionNegotiation: { mode: "auto" as const } }],
    ["v2 legacy", {}],
    ["v2 pinned to 2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
  ])("lists two tools, names the servers, runs code and searches, %s", async (_name, options) => {
    const client = new Client({ name: "test", version: "1" }, options);
    await client.connect(open.toTransport());

    const { tools } = await client.listTools();
    const run = await client.callTool({
      name: "run_code",
      arguments: { code: 'import { add } from "servers/echo"; return await add({ a: 2, b: 40 });' },
    });
    const search = await client.callTool({ name: "search_tools", arguments: { query: "add two numbers" } });

    expect(tools.map(({ name }) => name)).toEqual(["run_code", "search_tools"]);
    expect(client.getInstructions()).toContain("echo, github");
    expect(run.content).toEqual([{ type: "text", text: '{"sum":42}' }]);
    expect(textOf(search)).toContain('import { add } from "servers/echo";');
    await client.close();
  });
});

describe.each(transports)("serve with the v1 client over %s", (transport) => {
  let client: LegacyClient;
  let open: OpenServe;
  const run = async (code: string, more = {}) =>
    (await client.callTool({ name: "run_code", arguments: { code, ...more } })) as unknown as Answer;

  beforeAll(async () => {
    client = new LegacyClient({ name: "test", version: "1" });
    open = await openWithState(transport, "legacy-state");
    await client.connect(open.toLegacyTransport());
  });
  afterAll(async () => {
    await client.close();
    await open.close();
  });

  it("returns printed lines and the returned value", async () => {
    expect(
      (await run("console.log('a'); console.log({ b: 1 }); return [1, 2]")).content.map(({ text }) => text),
    ).toEqual(['a\n{"b":1}', "[1,2]"]);
  });

  it("states that a program has no output", async () => {
    expect(textOf(await run("await echo.class()"))).toMatch(/without printing or returning/);
  });

  it("marks a failed program, with its line, what it printed and what it had called", async () => {
    const answer = await run("console.log('before');\nawait echo.class();\nthrow new Error('boom 42');");

    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(/before[\s\S]*PROGRAM_FAILED: boom 42[\s\S]*line 3[\s\S]*echo\.class/);
  });

  it("shows a model no host path and no stack", async () => {
    const texts = [
      textOf(await run("throw new Error('x')")),
      textOf(await run("await echo.fail({})")),
      textOf(await run("foo.bar")),
      textOf(await run("await echo.add({})")),
    ].join("\n");

    expect(texts).not.toMatch(/node_modules|\.mjs|\/src\/|at Object|file:\/\//);
  });

  it("answers pings during an endless loop, and stops it at its limit", async () => {
    const countBegun = (): number => readFileSync(log(), "utf8").split("call cwd").length;
    const before = countBegun();
    const seen: string[] = [];
    const spinning = run("await echo.cwd(); while (true) {}", { timeoutMs: 3000 });
    void spinning.then(() => seen.push("stopped"));
    await expect.poll(countBegun).toBe(before + 1);
    for (let ping = 0; ping < 3; ping++) await client.ping().then(() => seen.push("ping"));

    expect(textOf(await spinning)).toMatch(/LIMIT_TIME[\s\S]*3000 ms/);
    expect(seen).toEqual(["ping", "ping", "ping", "stopped"]);
    expect(textOf(await run("return 1"))).toBe("1");
  });

  it("refuses an unknown tool and a missing argument as a protocol error", async () => {
    await expect(client.callTool({ name: "nope", arguments: {} })).rejects.toThrow(/run_code/);
    await expect(client.callTool({ name: "run_code", arguments: {} })).rejects.toThrow(/"code" is missing/);
  });
});

describe("serve", () => {
  it("shows no more than 1,000 tokens for 1 and for 100 servers, and names them first", async () => {
    const sizes = [];
    for (const count of [1, 100]) {
      const servers = Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`a_server_with_a_long_name_${at}`, echo]),
      );
      const client = new Client({ name: "test", version: "1" });
      await client.connect(
        new StdioClientTransport({ ...launch(writeConfig(`${count}.json`, servers)), stderr: "pipe" }),
      );
      const { tools } = await client.listTools();
      sizes.push({
        tools: countTokens(JSON.stringify(tools)),
        instructions: countTokens(client.getInstructions() ?? ""),
        text: tools[0]?.description ?? "",
      });
      await client.close();
    }

    for (const { tools, instructions, text } of sizes) {
      expect(tools + instructions).toBeLessThan(1000);
      expect(text).toMatch(/^Runs a program that uses the connected services: aServerWithALongName_?0/);
    }
  });

  it("writes only protocol messages to stdout, whatever servers and programs print", async () => {
    const chatty = writeConfig("chatty.json", {
      chatty: { command: process.execPath, args: [fixturePath("chatty")] },
      skipped: { command: "npx", args: ["-y", "mcp-coordinator", "serve"] },
    });
    const { command, args, env } = launch(chatty);
    const child = spawn(command, [...args, "--verbose"], { env, stdio: ["pipe", "pipe", "pipe"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const answered = async (id: number) => {
      while (!output.includes(`"id":${id}`)) await new Promise((resolve) => setTimeout(resolve, 20));
    };

    send({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    });
    await answered(1);
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/call", params: { name: "search_tools", arguments: { query: "anything" } } });
    send({
      id: 3,
      method: "tools/call",
      params: { name: "run_code", arguments: { code: "console.log('line one\\nline two')" } },
    });
    await answered(2);
    await answered(3);
    child.stdin.end();
    const [code] = await new Promise<[number | null]>((resolve) =>
      child.once("exit", (status) => resolve([status])),
    );

    expect(code).toBe(0);
    for (const line of output.trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  it("ends with its client and leaves no process behind", async () => {
    const pidFile = join(folder, "pids.json");
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StdioClientTransport({ ...launch(config), stderr: "pipe" }));
    const answer = await client.callTool({
      name: "run_code",
      arguments: { code: "return Number(await echo.pid())" },
    });
    const upstream = Number(textOf(answer));
    writeFileSync(pidFile, String(upstream));

    await client.close();

    await expect.poll(() => isAlive(upstream)).toBe(false);
  });
});
