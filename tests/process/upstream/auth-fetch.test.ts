// The fetch of sign-ins: which hosts it connects to, how much it reads, and how long it waits.
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type AuthFetchOptions, createAuthFetch } from "../../../src/upstream/sign-in/auth-fetch.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const publicServer = "https://mcp.example.com/mcp";
const refused = { code: "SIGN_IN_FAILED", message: expect.stringMatching(/private network|https address/) };

/** Names resolve as the test says; no packet leaves this machine. */
const openWith = (
  serverUrl: string,
  names: Readonly<Record<string, string>> = {},
  more: Partial<AuthFetchOptions> = {},
) =>
  createAuthFetch({
    serverUrl,
    resolve: async (name) => {
      const address = names[name];
      if (address === undefined) throw Object.assign(new Error(name), { code: "ENOTFOUND" });
      return [{ address, family: address.includes(":") ? 6 : 4 }];
    },
    ...more,
  });

describe("createAuthFetch()", () => {
  it.each([
    ["loopback", "https://127.0.0.1/token"],
    ["loopback written as one number", "https://2130706433/token"],
    ["loopback in octal", "https://0177.0.0.1/token"],
    ["loopback in hexadecimal", "https://0x7f.1/token"],
    ["IPv6 loopback", "https://[::1]/token"],
    ["an IPv4-mapped IPv6 address", "https://[::ffff:10.0.0.1]/token"],
    ["a private network", "https://10.0.0.1/token"],
    ["the metadata service of a cloud", "https://169.254.169.254/latest/meta-data"],
    ["an IPv6 link-local address", "https://[fe80::1]/token"],
    ["a unique local address", "https://[fd00::1]/token"],
    ["a NAT64 address", "https://[64:ff9b::a00:1]/token"],
    ["the unspecified address", "https://0.0.0.0/token"],
    ["a multicast address", "https://224.0.0.1/token"],
    ["a carrier-grade NAT address", "https://100.64.0.1/token"],
    ["localhost", "https://localhost/token"],
    ["a plain http address", "http://login.example.com/token"],
    ["a file URL", "file:///etc/passwd"],
    ["a script URL", "javascript:alert(1)"],
  ])("refuses %s for a server on the internet", async (_what, url) => {
    const names = { localhost: "127.0.0.1", "login.example.com": "93.184.216.34" };
    await expect(openWith(publicServer, names)(url)).rejects.toMatchObject(refused);
  });

  it.each(["127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fd12::1"])(
    "refuses a name that resolves to %s, when it connects",
    async (address) => {
      const fetch = openWith(publicServer, { "login.example.com": address });
      await expect(fetch("https://login.example.com/token")).rejects.toMatchObject(refused);
    },
  );

  it("sends nothing over http to a name of this machine that leads elsewhere", async () => {
    const fetch = openWith("http://127.0.0.1:1/mcp", { "login.localhost": "93.184.216.34" });
    await expect(fetch("http://login.localhost/token")).rejects.toMatchObject({ code: "SIGN_IN_FAILED" });
  });

  it("refuses a name if one of its addresses is private", async () => {
    const fetch = createAuthFetch({
      serverUrl: publicServer,
      resolve: async () => [
        { address: "93.184.216.34", family: 4 },
        { address: "10.0.0.1", family: 4 },
      ],
    });
    await expect(fetch("https://login.example.com/token")).rejects.toMatchObject(refused);
  });

  it("does not let a public server whose name resolves to this machine reach it", async () => {
    const fetch = openWith("https://rebound.example.com/mcp", {
      "rebound.example.com": "127.0.0.1",
      "login.example.com": "127.0.0.1",
    });
    await expect(fetch("https://login.example.com/token")).rejects.toMatchObject(refused);
    await expect(fetch("https://127.0.0.1:9/token")).rejects.toMatchObject(refused);
  });

  it("reaches a private network, and not this machine, for a server that is in one", async () => {
    const names = {
      "mcp.corp.example": "10.0.0.5",
      "login.corp.example": "10.0.0.6",
      "evil.example": "127.0.0.1",
    };
    const fetch = openWith("https://mcp.corp.example/mcp", names, { timeoutMs: 50 });
    // Nothing listens there: what matters is that it was tried.
    await expect(fetch("https://login.corp.example/token")).rejects.toMatchObject({
      message: expect.stringMatching(/no answer|connection failed/),
    });
    await expect(fetch("https://evil.example/token")).rejects.toMatchObject(refused);
    await expect(fetch("https://169.254.169.254/token")).rejects.toMatchObject(refused);
  });

  it("sends and receives on this machine for a server on this machine", async () => {
    const url = await serve((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () =>
        response
          .writeHead(201, { "content-type": "application/json", "x-seen": String(request.headers["x-own"]) })
          .end(JSON.stringify({ method: request.method, body: Buffer.concat(parts).toString() })),
      );
    });
    const answer = await createAuthFetch({ serverUrl: `${url}/mcp` })(`${url}/token`, {
      method: "POST",
      headers: { "x-own": "yes" },
      body: new URLSearchParams({ grant_type: "x" }),
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("x-seen")).toBe("yes");
    expect(await answer.json()).toEqual({ method: "POST", body: "grant_type=x" });
  });

  it("returns a redirect instead of following it", async () => {
    const url = await serve((_request, response) =>
      response.writeHead(302, { location: "https://evil.example/" }).end(),
    );
    const answer = await createAuthFetch({ serverUrl: url })(`${url}/metadata`);
    expect(answer.status).toBe(302);
  });

  it("stops reading an answer that is too large", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200);
      const write = (): void => {
        if (response.write("x".repeat(64 * 1024))) setImmediate(write);
        else response.once("drain", write);
      };
      write();
    });
    await expect(createAuthFetch({ serverUrl: url })(`${url}/metadata`)).rejects.toMatchObject({
      code: "SIGN_IN_FAILED",
      message: expect.stringContaining("larger than 1048576 bytes"),
    });
  });

  it("gives up on an answer that takes too long, even in the middle of its body", async () => {
    const silent = await serve(() => {});
    const slow = await serve((_request, response) => void response.writeHead(200).write("{"));
    for (const url of [silent, slow])
      await expect(createAuthFetch({ serverUrl: url, timeoutMs: 100 })(`${url}/x`)).rejects.toMatchObject({
        message: expect.stringContaining("no answer within 100 ms"),
      });
  });
});
