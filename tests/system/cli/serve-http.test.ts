// `serve --http` and `callers`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { fixturePath } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { type RunningServer, startHttp } from "../../support/transports.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));

const openHome = async () => {
  const folder = await temporaryFolder();
  const config = join(folder, "mcp.json");
  const log = join(folder, "echo.log");
  const echo = { command: process.execPath, args: [fixturePath("echo"), "--log", log] };
  writeFileSync(config, JSON.stringify({ mcpServers: { echo } }));
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
  };
  const run = async (words: readonly string[], more: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [bin, ...words, "--config", config], { env: { ...env, ...more } });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    child.stdin.end();
    const [code] = (await once(child, "close")) as [number | null];
    return { code, ...output };
  };
  const start = async (
    words: readonly string[] = [],
    more: Record<string, string> = {},
  ): Promise<RunningServer> => {
    const server = await startHttp({ config, env: { ...env, ...more }, words });
    onTestFinished(async () => void (await server.stop()));
    return server;
  };
  return { folder, log: () => readFileSync(log, "utf8"), run, start };
};

const connect = async (url: string, token: string): Promise<Client> => {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
};

describe("serve --http", () => {
  it("generates a token on its first start, shows it once, and accepts it on the next start", async () => {
    const home = await openHome();
    const first = await home.start();
    expect(first.token).toMatch(/^mcpc_/);
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    await first.stop();

    const second = await home.start();
    expect(second.token).toBe("");
    await expect.poll(second.stderr).toContain("callers renew NAME");
    const client = await connect(second.url, first.token);
    const answer = await client.callTool({ name: "run_code", arguments: { code: "return 6 * 7" } });
    expect(JSON.stringify(answer.content)).toContain("42");
    await expect(connect(second.url, `${first.token}x`)).rejects.toThrow();
    expect(second.stderr()).not.toContain(first.token.slice(5));
  });

  it("accepts a token from an environment variable and does not show it", async () => {
    const home = await openHome();
    const token = "a-token-of-mine-that-is-long-enough-1";
    const server = await home.start(["--token-env", "MY_TOKEN"], { MY_TOKEN: token });
    expect(server.token).toBe("");
    expect((await (await connect(server.url, token)).listTools()).tools.length).toBe(2);
    const short = await home.run(["serve", "--http", "0", "--token-env", "MY_TOKEN"], {
      MY_TOKEN: "hunter2",
    });
    expect(short).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("it has 7 characters, expected at least 32"),
    });
    expect(short.stderr).not.toContain("hunter2");
    expect((await home.run(["serve", "--http", "0", "--token-env", "UNSET"])).stderr).toContain(
      "the variable is not set",
    );
  });

  it("reports an invalid port or invalid options", async () => {
    const home = await openHome();
    const { url } = await home.start();
    const taken = await home.run(["serve", "--http", new URL(url).port]);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toContain(
      `Cannot listen on 127.0.0.1 port ${new URL(url).port}: another program listens there`,
    );
    expect(taken.stderr).toContain("--http 0 picks a free one");
    for (const words of [
      ["--http", "70000"],
      ["--http", "port"],
      ["--http", "0", "--host", "0.0.0.0", "--no-token"],
      ["--http", "0", "--no-token", "--token-env", "A"],
      ["--host", "127.0.0.1"],
      ["--no-token"],
    ])
      expect((await home.run(["serve", ...words])).code).toBe(2);
  });

  it("warns if other machines can reach it, and accepts requests to the address that it listens on", async () => {
    const home = await openHome();
    const { url, token, stderr } = await home.start(["--host", "0.0.0.0"]);
    await expect.poll(stderr).toContain("Other machines can reach this port");
    const client = await connect(`http://127.0.0.1:${new URL(url).port}/mcp`, token);
    expect((await client.listTools()).tools.length).toBe(2);
  });

  it("logs who asked for what, how it ended and how long it took, without contents and tokens", async () => {
    const home = await openHome();
    const { url, token, stderr } = await home.start();
    const client = await connect(url, token);
    await client.callTool({ name: "run_code", arguments: { code: 'return "a private matter"' } });
    await expect.poll(stderr).toMatch(/^[\d:]{8} default tools\/call run_code 200 \d+ ms$/m);
    await expect(connect(url, "mcpc_wrong")).rejects.toThrow();
    await expect.poll(stderr).toMatch(/^[\d:]{8} - POST 401 \d+ ms$/m);
    await fetch(url.replace("/mcp", "/health"));
    expect(stderr()).not.toMatch(/a private matter|mcpc_|health/);
  });

  it("ends on SIGTERM while a program runs and a stream is open, and leaves no server behind", async () => {
    const home = await openHome();
    const { url, token, stop } = await home.start();
    const client = await connect(url, token);
    const pid = await client.callTool({
      name: "run_code",
      arguments: { code: "return Number(await echo.pid())" },
    });
    const upstream = Number((pid.content as { text: string }[])[0]?.text);
    const running = client.callTool({
      name: "run_code",
      arguments: { code: "await echo.slow({ ms: 60000 })" },
    });
    running.catch(() => {});
    await expect.poll(home.log).toContain("call slow");
    expect(await stop()).toBe(143);
    expect(() => process.kill(upstream, 0)).toThrow();
    await expect(fetch(url)).rejects.toThrow();
  });
});

describe("callers", () => {
  it("are added, listed, renewed and removed, even while a server runs", async () => {
    const home = await openHome();
    expect((await home.run(["callers"])).stderr).toContain("no callers yet");
    const { url } = await home.start();
    const added = await home.run(["callers", "add", "laptop"]);
    const token = /once: (\S+)/.exec(added.stdout)?.[1] ?? "";
    expect((await (await connect(url, token)).listTools()).tools.length).toBe(2);
    expect((await home.run(["callers"])).stdout).toMatch(
      /CALLER[\s\S]*default +from the settings[\s\S]*laptop +laptop/,
    );
    const listed = JSON.parse((await home.run(["callers", "--json"])).stdout) as { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual(["default", "laptop"]);
    expect(JSON.stringify(listed)).not.toContain(token.slice(5));

    const renewed = JSON.parse((await home.run(["callers", "renew", "laptop", "--json"])).stdout) as {
      token: string;
    };
    await expect(connect(url, token)).rejects.toThrow();
    await connect(url, renewed.token);
    expect((await home.run(["callers", "remove", "laptop"])).stdout).toBe("removed laptop\n");
    await expect(connect(url, renewed.token)).rejects.toThrow();
    expect((await home.run(["callers", "add", "default"])).stderr).toContain("callers renew default");
    expect((await home.run(["callers", "ad", "x"])).code).toBe(2);
  });
});
