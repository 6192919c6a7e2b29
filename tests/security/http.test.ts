// Hostile requests to the port: other sites' pages, guessed tokens, malformed requests. None of them reaches a server.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callTool, initialize, jsonHeaders, type OpenPort, openPort } from "./support/open-port.js";

let port: OpenPort;
let good: Record<string, string>;
beforeAll(async () => {
  port = await openPort({
    addServers: { from: { offered: { command: "never-started" } } },
    http: { requestBytes: 100_000, hosts: ["tools.example.com"] },
  });
  good = { ...jsonHeaders, authorization: `Bearer ${port.owner.token}` };
});
afterAll(() => port.close());

const begin = async (headers = good): Promise<string> => {
  const { status, headers: answered } = await port.ask({ headers, body: initialize });
  expect(status).toBe(200);
  return String(answered["mcp-session-id"]);
};
const isAlive = async (): Promise<boolean> =>
  (await port.ask({ headers: good, body: initialize })).status === 200;

describe("the Host header", () => {
  it.each([
    "evil.example.com",
    "127.0.0.1.evil.example.com",
    "localhost.evil.example.com",
    "evil.example.com@127.0.0.1",
    "127.0.0.1/../evil",
    "127.0.0.1 evil.example.com",
    "169.254.169.254",
  ])("%j is refused on every path, even with a valid token", async (host) => {
    for (const path of ["/mcp", "/health"]) {
      const { status, text } = await port.ask({ path, headers: { ...good, host }, body: initialize });
      expect(status).toBe(403);
      expect(text).not.toContain("evil");
    }
  });

  it.each(["localhost", "127.0.0.1:1", "[::1]:8080", "tools.example.com"])("%s is accepted", async (host) => {
    expect((await port.ask({ headers: { ...good, host }, body: initialize })).status).toBe(200);
  });
});

describe("a missing Host header", () => {
  it("is refused in both versions of HTTP, and so is an empty one", async () => {
    const rest = `Authorization: ${good.authorization}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
    expect(await port.send(`POST /mcp HTTP/1.1\r\nHost:\r\n${rest}`)).toMatch(/^HTTP\/1\.1 403 /);
    expect(await port.send(`POST /mcp HTTP/1.0\r\n${rest}`)).toMatch(/^HTTP\/1\.1 403 /);
    expect(await port.send(`POST /mcp HTTP/1.1\r\n${rest}`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("the Origin header", () => {
  it.each([
    "https://evil.example.com",
    "null",
    "http://localhost.evil.example.com",
    "file://",
    "chrome-extension://abc",
  ])("%s is refused, even with a valid token", async (origin) => {
    const { status } = await port.ask({ headers: { ...good, origin }, body: initialize });
    expect(status).toBe(403);
  });

  it("of this machine is accepted, and no response can be read by a web page", async () => {
    const headers = { ...good, origin: "http://localhost:3000" };
    const answers = [
      await port.ask({ headers, body: initialize }),
      await port.ask({ method: "OPTIONS", headers: { ...headers, "access-control-request-method": "POST" } }),
      await port.ask({ method: "GET", path: "/health", headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 405, 200]);
    for (const answer of answers)
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("the token", () => {
  const refused = async (headers: Record<string, string>, body = initialize): Promise<void> => {
    const {
      status,
      headers: answered,
      text,
    } = await port.ask({ headers: { ...jsonHeaders, ...headers }, body });
    expect(status).toBe(401);
    expect(answered["www-authenticate"]).toMatch(/^Bearer realm="mcp-coordinator"/);
    expect(answered["mcp-session-id"]).toBeUndefined();
    expect(text).not.toContain(port.owner.token.slice(0, 12));
  };

  it("is checked before anything else", async () => {
    await refused({});
    await refused({}, callTool("run_code", { code: "return await echo.pid()" }));
    expect(port.fixture.log()).toEqual([]);
  });

  it("is refused if it is wrong, too short, too long, truncated, repeated, of another scheme or in another place", async () => {
    const { token } = port.owner;
    for (const authorization of [
      "Bearer",
      "Bearer ",
      "Bearer x",
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token}x`,
      `Bearer ${token} ${token}`,
      `Bearer ${token},${token}`,
      `Bearer "${token}"`,
      `Bearer ${"x".repeat(8000)}`,
      `Basic ${Buffer.from(`default:${token}`).toString("base64")}`,
      token,
      "Bearer __proto__",
      "Bearer null",
      "Bearer undefined",
    ])
      await refused({ authorization });
    await refused({ cookie: `authorization=Bearer ${token}` });
    await refused({ "x-authorization": `Bearer ${token}`, "proxy-authorization": `Bearer ${token}` });
    await refused({ "mcp-session-id": await begin() });
  });

  it("in the URL is refused, even next to a valid one", async () => {
    for (const query of [`?token=${port.owner.token}`, `?access_token=${port.owner.token}`, "?"]) {
      const { status, text } = await port.ask({ path: `/mcp${query}`, headers: good, body: initialize });
      expect(status).toBe(400);
      expect(text).not.toContain(port.owner.token);
    }
    expect(
      (await port.ask({ path: `/mcp?token=${port.owner.token}`, headers: jsonHeaders, body: initialize }))
        .status,
    ).toBe(400);
  });

  it("is not stored on disk; its hash is in a file that only its owner can read", async () => {
    const state = join(port.fixture.folder, "state");
    const files = readdirSync(port.fixture.folder, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    for (const file of files)
      expect(readFileSync(join(file.parentPath, file.name), "latin1")).not.toContain(
        port.owner.token.slice(5),
      );
    expect(readFileSync(join(state, "callers.json"), "utf8")).toContain("tokenHash");
  });

  it("does not reach a program or its result", async () => {
    const client = await port.connect(port.owner.token);
    const code =
      "return [JSON.stringify(globalThis), JSON.stringify(await echo.env({}).catch(() => null))].join()";
    const answer = await client.callTool({ name: "run_code", arguments: { code } });
    expect(JSON.stringify(answer)).not.toContain(port.owner.token.slice(5));
    await client.close();
  });
});

describe("paths and methods", () => {
  it.each([
    "/",
    "/mcp/",
    "//mcp",
    "/MCP",
    "/%6dcp",
    "/mcp%00",
    "/mcp;a=1",
    "/mcp/../mcp",
    "/./mcp",
    "/health/../mcp",
    "/servers",
    "/mcp/servers",
    "/api/servers",
    "/config",
    "/add_server",
    "/.well-known/oauth-protected-resource",
    "http://127.0.0.1/mcp",
    "*",
  ])("%s is not found, even with a valid token", async (path) => {
    for (const method of ["POST", "GET", "PUT"]) {
      const { status } = await port.ask({
        method,
        path,
        headers: good,
        body: method === "GET" ? "" : initialize,
      });
      expect(status).toBe(404);
    }
  });

  it.each(["PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "LINK"])(
    "%s is not allowed",
    async (method) => {
      const { status, headers } = await port.ask({ method, headers: good });
      expect([status, headers.allow]).toEqual([405, "POST, GET, DELETE"]);
    },
  );

  it("CONNECT gets no tunnel", async () => {
    const text = await port.send(
      `CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${port.owner.token}\r\n\r\n`,
    );
    expect(text).toBe("");
    expect(await isAlive()).toBe(true);
  });

  it("a header cannot override the method", async () => {
    const id = await begin();
    const headers = {
      ...good,
      "mcp-session-id": id,
      "x-http-method-override": "DELETE",
      "x-method-override": "DELETE",
    };
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 3, method: "ping" });
    expect((await port.ask({ headers, body: ping })).status).toBe(200);
    expect((await port.ask({ headers, body: ping })).status).toBe(200);
  });

  it("the health check reveals only that the server is running", async () => {
    const { status, text } = await port.ask({ method: "GET", path: "/health" });
    expect([status, text]).toEqual([200, '{"status":"ok"}']);
    expect((await port.ask({ method: "POST", path: "/health", body: "{}" })).status).toBe(405);
  });
});

describe("a large body", () => {
  let wide: OpenPort;
  beforeAll(async () => {
    wide = await openPort();
  });
  afterAll(() => wide.close());
  const toHeaders = () => ({ ...jsonHeaders, authorization: `Bearer ${wide.owner.token}` });
  const ask = (body: string) => wide.ask({ headers: toHeaders(), body });
  const fields = `{${Array.from({ length: 100_000 }, (_, at) => `"field${at}":1`).join()}}`;
  const call = (rest: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x",${rest}}}`;

  it.each([
    ["a million levels", "[".repeat(1_000_000) + "]".repeat(1_000_000)],
    ["a million values", `[${"1,".repeat(1_000_000)}1]`],
    ["100,000 fields in its metadata", call(`"_meta":${fields}`)],
    ["100,000 fields in its arguments", call(`"arguments":${fields}`)],
  ])("of %s is refused", async (_what, body) => {
    expect(await ask(body)).toMatchObject({
      status: 400,
      text: expect.stringContaining("too many values or levels"),
    });
  });

  it("of a GET request is not read", async () => {
    const begun = await ask(initialize);
    const head = [
      "GET /mcp HTTP/1.1",
      "Host: localhost",
      "Accept: text/event-stream",
      `Authorization: Bearer ${wide.owner.token}`,
      `Mcp-Session-Id: ${begun.headers["mcp-session-id"]}`,
      "Content-Length: 4000000",
    ];
    expect(await wide.send([...head, "", "x"].join("\r\n"), "200 OK")).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("smuggled requests", () => {
  const head = (...lines: string[]): string => ["POST /mcp HTTP/1.1", ...lines, "", ""].join("\r\n");
  const inner = `POST /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n`;

  it("two lengths for one body are refused", async () => {
    const lines = [
      "Host: localhost",
      `Authorization: Bearer ${port.owner.token}`,
      "Content-Length: 4",
      "Transfer-Encoding: chunked",
    ];
    expect(await port.send(`${head(...lines)}0\r\n\r\n${inner}`)).toMatch(/^HTTP\/1\.1 400 /);
    const twice = [
      "Host: localhost",
      `Authorization: Bearer ${port.owner.token}`,
      "Content-Length: 0",
      "Content-Length: 30",
    ];
    expect(await port.send(head(...twice) + inner)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("a second Host, Authorization or session is refused", async () => {
    const base = ["Host: localhost", `Authorization: Bearer ${port.owner.token}`, "Content-Length: 0"];
    for (const more of [
      "Host: localhost",
      "Authorization: Bearer x",
      "Origin: http://localhost\r\nOrigin: https://evil.example.com",
      "Mcp-Session-Id: a\r\nMcp-Session-Id: b",
    ])
      expect(await port.send(head(...base, more))).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("a pipelined request needs its own token", async () => {
    const first =
      head(
        "Host: localhost",
        `Authorization: Bearer ${port.owner.token}`,
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        `Content-Length: ${initialize.length}`,
      ) + initialize;
    const text = await port.send(first + head("Host: localhost", "Content-Length: 0"));
    expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 401 /);
  });
});

describe("an oversized or malformed request", () => {
  it("is refused by its declared length, and when it exceeds it", async () => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "ping",
      params: { text: "x".repeat(200_000) },
    });
    expect(
      (await port.ask({ headers: { ...good, "content-length": String(body.length) }, body })).status,
    ).toBe(413);
    const chunked = await port.ask({ headers: { ...good, "transfer-encoding": "chunked" }, body });
    expect(chunked.status).toBe(413);
    const claimed = await port.send(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${good.authorization}\r\nContent-Length: 99999999999\r\n\r\n`,
    );
    expect(claimed).toMatch(/^HTTP\/1\.1 413 /);
    expect(await isAlive()).toBe(true);
  });

  it("with endless headers is refused", async () => {
    const text = await port.send(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(await isAlive()).toBe(true);
  });

  it("is refused if it is not JSON, not JSON-RPC, nested too deeply, or tries to change prototypes", async () => {
    const deep = `${"[".repeat(40_000)}${"]".repeat(40_000)}`;
    const poisoned =
      '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{"isOpen":true},"constructor":{"prototype":{"isOpen":true}}}';
    for (const body of ["", "{", "null", "1", '"x"', "{}", "[]", deep, poisoned, initialize.slice(0, -1)]) {
      const { status } = await port.ask({ headers: good, body });
      expect(status).toBe(400);
    }
    expect(Object.hasOwn(Object.prototype, "isOpen")).toBe(false);
    expect(await isAlive()).toBe(true);
  });

  it("is refused under another content type, so that no web form can send it", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
      expect((await port.ask({ headers: { ...good, "content-type": type }, body: initialize })).status).toBe(
        415,
      );
  });
});

describe("a caller cannot", () => {
  it("define, change, test or start a server, by any method or tool", async () => {
    const id = await begin();
    const headers = { ...good, "mcp-session-id": id };
    const server = { name: "offered", command: "touch", args: ["/tmp/started"] };
    for (const method of [
      "servers/add",
      "servers/test",
      "server/start",
      "config/set",
      "add_server",
      "tools/add",
    ]) {
      const { text } = await port.ask({
        headers,
        body: JSON.stringify({ jsonrpc: "2.0", id: 5, method, params: server }),
      });
      expect(text).toContain("Method not found");
    }
    for (const name of ["add_server", "find_servers", "addServer", "call_tool", "__proto__", "constructor"]) {
      const { text } = await port.ask({ headers, body: callTool(name, server) });
      expect(text).toContain(`Unknown tool \\"${name}\\"`);
    }
    const { text } = await port.ask({
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: 6, method: "tools/list" }),
    });
    expect(text).not.toContain("add_server");
    expect(port.coordinator.serverNames).toEqual(["echo"]);
  });

  it("add a server to a program with a field of the request", async () => {
    const id = await begin();
    const given = {
      code: "return await mine.run()",
      mcpServers: { mine: { command: "touch" } },
      servers: ["mine"],
      workspace: "other",
      env: { A: "1" },
    };
    const { text } = await port.ask({
      headers: { ...good, "mcp-session-id": id },
      body: callTool("run_code", given),
    });
    expect(text).toContain("Unknown arguments");
    for (const name of ["mcpServers", "servers", "workspace", "env"]) expect(text).toContain(name);
  });
});
