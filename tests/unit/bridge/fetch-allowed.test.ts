// The network behind `fetch`: only listed hosts, every redirect checked, against real servers on loopback.
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchAllowed } from "../../../src/bridge/fetch-allowed.js";
import type { CoordinatorError, GuestAnswer, Json } from "../../../src/contracts/index.js";

let server: Server;
let base: string;
let host: string;
const seen: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers["x-test"] ?? ""}`);
    if (request.url === "/away") response.writeHead(302, { location: "http://localhost:1/secret" }).end();
    else if (request.url === "/round") response.writeHead(302, { location: "/round" }).end();
    else if (request.url === "/near") response.writeHead(302, { location: "/hello" }).end();
    else if (request.url === "/big") response.end("x".repeat(10_000));
    else if (request.url !== "/silent") response.end("hello");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  base = `http://${host}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (address: string, given: Json = {}, allow = [host]): Promise<GuestAnswer> =>
  fetchAllowed({ allow, maxBytes: 5000, timeoutMs: 300 }, [address, given], new AbortController().signal);
const refusal = (address: string, allow?: string[]): Promise<string> =>
  get(address, {}, allow).then(
    () => "allowed",
    (error: CoordinatorError) => error.code,
  );

describe("fetchAllowed()", () => {
  it("makes the request with its method, headers and body, and answers status, headers and text", async () => {
    const answer = await get(`${base}/hello`, { method: "POST", headers: { "x-test": "yes" }, body: "data" });

    expect(seen.at(-1)).toBe("POST /hello yes");
    expect(JSON.parse((answer as { body: string }).body)).toMatchObject({
      status: 200,
      body: "hello",
      url: `${base}/hello`,
    });
  });

  it.each([
    ["a host that is not listed", "http://localhost:80/", undefined],
    ["the same host on another port", "http://127.0.0.1:1/", undefined],
    ["a user in the address", "http://user@127.0.0.1/", ["127.0.0.1"]],
    ["a file", "file:///etc/passwd", ["", "*"]],
    ["a data address", "data:text/plain,x", ["*"]],
    ["a name that only ends alike", "http://evilexample.com/", ["*.example.com"]],
    ["a name below one that is listed without a star", "http://a.example.com/", ["example.com"]],
    ["the number of a listed address in another spelling", "http://0x7f000001:99/", ["127.0.0.1"]],
  ])("refuses %s", async (_what, address, allow) => {
    expect(await refusal(address, allow)).toBe("NETWORK_DENIED");
  });

  it("follows a redirect to the same host, and refuses one that leads away", async () => {
    expect((await get(`${base}/near`)).status).toBe("answered");
    expect(await refusal(`${base}/away`)).toBe("NETWORK_DENIED");
    expect(await refusal(`${base}/round`)).toBe("NETWORK_DENIED");
  });

  it("stops an answer above the limit and a host that is silent", async () => {
    expect(await refusal(`${base}/big`)).toBe("LIMIT_ANSWER");
    expect(await refusal(`${base}/silent`)).toBe("NETWORK_FAILED");
  });

  it("refuses what is not an address", async () => {
    expect(await refusal("nonsense")).toBe("ARGUMENTS_INVALID");
  });
});
