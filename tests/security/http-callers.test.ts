// Callers over HTTP are isolated from each other, and none can use up all resources.
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fixturePath, startFixture } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { callTool, initialize, jsonHeaders, type OpenPort, openPort } from "./support/open-port.js";

let opened: OpenPort | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
const open = async (...given: Parameters<typeof openPort>): Promise<OpenPort> => {
  opened = await openPort(...given);
  return opened;
};

const headersOf = (token: string): Record<string, string> => ({
  ...jsonHeaders,
  authorization: `Bearer ${token}`,
});
const begin = async ({ ask }: OpenPort, token: string): Promise<string> => {
  const { status, headers } = await ask({ headers: headersOf(token), body: initialize });
  expect(status).toBe(200);
  return String(headers["mcp-session-id"]);
};
const ping = JSON.stringify({ jsonrpc: "2.0", id: 9, method: "ping" });
const statusOf = async (
  { ask }: OpenPort,
  token: string,
  session: string,
  method = "POST",
): Promise<number> =>
  (
    await ask({
      method,
      headers: { ...headersOf(token), "mcp-session-id": session },
      body: method === "POST" ? ping : "",
    })
  ).status;

const textOf = (answer: unknown): string =>
  (answer as { content: { text: string }[] }).content.map(({ text }) => text).join("\n");

describe("a role of a caller", () => {
  it("applies to resources, prompts and completion of servers", async () => {
    const policy = { roles: { guest: { callers: ["default"], deny: ["library.*"] } }, default: "allow" };
    const library = { command: process.execPath, args: [fixturePath("library")] };
    const port = await open({ policy } as object, {}, { library });
    const client = await port.connect(port.owner.token);
    const denied = expect.objectContaining({ message: expect.stringContaining("CALL_DENIED") });
    const ref = { type: "ref/prompt", name: "library__review-book" } as const;
    await expect(client.readResource({ uri: "server://library/library://rules" })).rejects.toEqual(denied);
    await expect(client.getPrompt({ name: ref.name, arguments: { title: "dune" } })).rejects.toEqual(denied);
    await expect(client.complete({ ref, argument: { name: "title", value: "d" } })).rejects.toEqual(denied);
    await client.close();
  });
});

describe("two callers", () => {
  it("cannot reach each other's sessions with any request", async () => {
    const port = await open();
    const other = await port.coordinator.addCaller({ name: "other" });
    const session = await begin(port, port.owner.token);
    for (const method of ["POST", "GET", "DELETE"])
      expect(await statusOf(port, other.token, session, method)).toBe(404);
    expect(await statusOf(port, port.owner.token, session)).toBe(200);
    expect(await statusOf(port, port.owner.token, session, "DELETE")).toBe(200);
    expect(await statusOf(port, port.owner.token, session)).toBe(404);
  });

  it("share no variables, memory, files, stored values, runs or session logs under any name", async () => {
    // The run ends by being cancelled, however slow the machine is.
    const port = await open({ limits: { timeoutMs: 600_000 } });
    const other = await port.coordinator.addCaller({ name: "other" });
    const [mine, theirs] = [await port.connect(port.owner.token), await port.connect(other.token)];
    const run = async (client: typeof mine, given: Record<string, unknown>): Promise<string> =>
      textOf(await client.callTool({ name: "run_code", arguments: given }));
    const write =
      'const secret = "s3cret"; await memory.save("key", secret); const fs = await import("fs/promises"); await fs.writeFile("./workspace/a.txt", secret); return "x".repeat(90_000)';
    const shown = await run(mine, { code: write, session: "work" });
    const kept = /Stored in full as "([^"]+)"/.exec(shown)?.[1] ?? "";
    expect(kept).not.toBe("");
    const begun = await run(mine, {
      code: "await new Promise((done) => setTimeout(done, 600_000))",
      background: true,
    });
    const runId = /"([0-9a-f]{12})"/.exec(begun)?.[1] ?? "";
    expect(runId).not.toBe("");

    expect(await run(mine, { code: "return typeof secret", session: "work" })).toBe("string");
    expect(await run(mine, { code: 'return await memory.load("key")' })).toBe("s3cret");
    expect(await run(theirs, { code: "return typeof secret", session: "work" })).not.toContain("string");
    expect(await run(theirs, { code: 'return (await memory.load("key")) ?? "nothing"' })).not.toContain(
      "s3cret",
    );
    expect(
      await run(theirs, {
        code: 'const fs = await import("fs/promises"); return await fs.readdir("./workspace")',
      }),
    ).toBe("[]");
    const read = { code: `return (await (await stored(${JSON.stringify(kept)})).load()).slice(0, 3)` };
    expect(await run(mine, read)).toBe("xxx");
    expect(await run(theirs, read)).not.toContain("xxx");
    for (const choose of [undefined, "cancel", "fork"])
      expect(
        await run(theirs, { code: "", resume: runId, ...(choose === undefined ? {} : { choose }) }),
      ).toContain("RUN_UNKNOWN");
    expect(await run(mine, { code: "", resume: runId, choose: "cancel" })).toContain("RUN_CANCELLED");
    await Promise.all([mine.close(), theirs.close()]);
  });
});

describe("a caller", () => {
  it("has a token that no upstream server receives", async () => {
    const { port: upstream, stop } = await startFixture("http");
    try {
      const port = await open({}, {}, { remote: { url: `http://127.0.0.1:${upstream}/mcp` } });
      const client = await port.connect(port.owner.token);
      const code = `return [await remote.header({ name: "authorization" }), (await remote.header({ name: "host" })).length > 0]`;
      expect(textOf(await client.callTool({ name: "run_code", arguments: { code } }))).toBe('["",true]');
      await client.close();
    } finally {
      await stop();
    }
  });

  it("who is removed or renewed loses access at once, and their open stream ends", async () => {
    const port = await open({ http: { sessionIdleMs: 100 } });
    const guest = await port.coordinator.addCaller({ name: "guest" });
    const session = await begin(port, guest.token);
    const stream = port.ask({
      method: "GET",
      headers: { ...headersOf(guest.token), "mcp-session-id": session },
    });
    const renewed = await port.coordinator.renewCaller({ name: "guest" });
    expect((await port.ask({ headers: headersOf(guest.token), body: initialize })).status).toBe(401);
    expect((await stream).status).toBe(200);
    // Another token is another caller: the old session is not theirs.
    expect(await statusOf(port, renewed.token, session)).toBe(404);
    await begin(port, renewed.token);
    await port.coordinator.removeCaller({ name: "guest" });
    expect((await port.ask({ headers: headersOf(renewed.token), body: initialize })).status).toBe(401);
  });

  it("can have a limited number of sessions: the least recently used idle one is closed", async () => {
    const port = await open({ http: { sessions: 3 } });
    const { token } = port.owner;
    const first = await begin(port, token);
    const others = [await begin(port, token), await begin(port, token)];
    const fourth = await begin(port, token);
    expect(await statusOf(port, token, first)).toBe(404);
    const held = [...others, fourth];
    for (const session of held) expect(await statusOf(port, token, session)).toBe(200);
    const streams = held.map((session) => openStream(port, token, session));
    await Promise.all(streams.map(({ isOpen }) => isOpen));
    expect((await port.ask({ headers: headersOf(token), body: initialize })).status).toBe(503);
    for (const { end } of streams) end();
    await expect
      .poll(async () => (await port.ask({ headers: headersOf(token), body: initialize })).status)
      .toBe(200);
  });

  it("loses an unused session", async () => {
    const port = await open({ http: { sessionIdleMs: 50 } });
    const session = await begin(port, port.owner.token);
    // Each check counts as a use: between two of them it must be unused for long enough.
    await expect.poll(() => statusOf(port, port.owner.token, session), { interval: 400 }).toBe(404);
  });

  it("waits for a slot at the limit of concurrent requests", async () => {
    const file = join(await temporaryFolder(), "release");
    const meets = { command: process.execPath, args: [fixturePath("meets"), "--file", file] };
    const port = await open({ http: { requests: 1 } }, {}, { meets });
    const session = await begin(port, port.owner.token);
    const headers = { ...headersOf(port.owner.token), "mcp-session-id": session };
    const running = port.ask({
      headers,
      body: callTool("run_code", {
        code: "await echo.pid(); await meets.hold(); return 'done'",
      }),
    });
    await expect.poll(() => port.fixture.log().length).toBeGreaterThan(0);
    const refused = await port.ask({ headers, body: ping });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
    await writeFile(file, "");
    expect((await running).text).toContain("done");
    expect((await port.ask({ headers, body: ping })).status).toBe(200);
  });

  it("who disconnects, with the protocol of 2026, stops their running program", async () => {
    const port = await open();
    const client = await port.connect(port.owner.token, {
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    });
    const controller = new AbortController();
    const call = client.callTool(
      { name: "run_code", arguments: { code: "await echo.slow({ ms: 20000 })" } },
      { signal: controller.signal },
    );
    await expect.poll(() => port.fixture.log()).toContain("call slow");
    controller.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => port.fixture.log()).toContain("cancelled slow");
    await client.close();
  });
});

describe("a client without a token", () => {
  it("that sends slowly is disconnected, and others are served meanwhile", async () => {
    const port = await open({ http: { arrivalMs: 200 } });
    const slow = port.send("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: ");
    const body = port.send(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${port.owner.token}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{`,
    );
    await begin(port, port.owner.token);
    expect(await slow).toMatch(/^HTTP\/1\.1 408 /);
    expect(await body).toMatch(/^(?:HTTP\/1\.1 4(?:08|13) |$)/);
  });
});

describe("serving without a token", () => {
  it("is refused if other machines can reach it", async () => {
    for (const host of ["0.0.0.0", "::", "example.com"])
      await expect(open({}, { isOpen: true, host })).rejects.toMatchObject({ code: "USAGE" });
  });

  it("accepts requests of this machine, but not of web pages", async () => {
    const port = await open({}, { isOpen: true });
    expect((await port.ask({ headers: jsonHeaders, body: initialize })).status).toBe(200);
    for (const headers of [{ origin: "https://evil.example.com" }, { host: "evil.example.com" }])
      expect((await port.ask({ headers: { ...jsonHeaders, ...headers }, body: initialize })).status).toBe(
        403,
      );
  });
});

describe("a token from the settings", () => {
  const given = { value: "0123456789abcdef0123456789abcdef", variable: "MY_TOKEN" };

  it("replaces the stored one", async () => {
    const port = await open({}, { token: given });
    expect((await port.ask({ headers: headersOf(given.value), body: initialize })).status).toBe(200);
    expect((await port.ask({ headers: headersOf(port.owner.token), body: initialize })).status).toBe(401);
    const other = await port.coordinator.addCaller({ name: "other" });
    expect((await port.ask({ headers: headersOf(other.token), body: initialize })).status).toBe(200);
  });

  it.each(["short", "", "with spaces in it, and long enough for all", "x".repeat(600)])(
    "%j is refused",
    async (value) => {
      const refused = open({}, { token: { value, variable: "MY_TOKEN" } });
      await expect(refused).rejects.toMatchObject({
        code: "TOKEN_UNFIT",
        message: expect.stringContaining('"MY_TOKEN"'),
      });
      if (value !== "")
        await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining(value) });
    },
  );
});

/** A stream that stays open until it is ended. */
const openStream = ({ port }: OpenPort, token: string, session: string) => {
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\nMcp-Session-Id: ${session}\r\n\r\n`,
  );
  return {
    isOpen: new Promise<void>((resolve, reject) => {
      socket.once("data", (text) =>
        String(text).startsWith("HTTP/1.1 200 ") ? resolve() : reject(new Error(String(text))),
      );
    }),
    end: () => socket.destroy(),
  };
};
