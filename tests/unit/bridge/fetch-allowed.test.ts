// The network behind `fetch`: only listed hosts, every redirect checked, against real servers on loopback.
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchAllowed, toLocation } from "../../../src/bridge/fetch-allowed.js";
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
    else if (request.url === "/torn") response.write("hel", () => response.destroy());
    else if (request.url === "/stuck/silent") response.write("hel");
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

const get = (address: string, given: Json = {}, allow = [host]): Promise<GuestAnswer> => {
  const timeoutMs = address.endsWith("/silent") ? 300 : 20_000;
  return fetchAllowed({ allow, maxBytes: 5000, timeoutMs }, [address, given], new AbortController().signal);
};
const refusal = (address: string, allow?: string[]): Promise<string> =>
  get(address, {}, allow).then(
    () => "allowed",
    (error: CoordinatorError) => error.code,
  );

describe("fetchAllowed()", () => {
  it("makes the request with its method, headers and body, and returns status, headers and text", async () => {
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
    ["a name with the same ending", "http://evilexample.com/", ["*.example.com"]],
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

  it.each(["deny", "ask"] as const)(
    "follows no redirect to a URL that a rule says %s about",
    async (ruling) => {
      const asked: unknown[] = [];
      const fetching = fetchAllowed(
        {
          ...{ allow: [host], maxBytes: 5000, timeoutMs: 20_000 },
          rule: async ([url]) => {
            asked.push(url);
            return ruling;
          },
        },
        [`${base}/near`],
        new AbortController().signal,
      );
      await expect(fetching).rejects.toMatchObject({ code: "CALL_DENIED" });
      expect([asked, seen.at(-1)]).toEqual([[`${base}/hello`], "GET /near "]);
    },
  );

  it("stops an answer above the limit and a host that is silent", async () => {
    expect(await refusal(`${base}/big`)).toBe("LIMIT_ANSWER");
    expect(await refusal(`${base}/silent`)).toBe("NETWORK_FAILED");
  });

  it.each(["/torn", "/stuck/silent"])(
    "reports an answer that never ends as a failure of the network: %s",
    async (path) => {
      expect(await refusal(base + path)).toBe("NETWORK_FAILED");
    },
  );

  it("refuses anything but a URL", async () => {
    expect(await refusal("nonsense")).toBe("ARGUMENTS_INVALID");
  });
});

describe("a redirect", () => {
  interface Arrived {
    readonly method: string | undefined;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: string;
  }
  let first: Server;
  let second: Server;
  let origins: readonly [string, string];
  let arrived: Arrived[] = [];

  const listen = async (one: Server): Promise<string> => {
    await new Promise<void>((done) => one.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(one.address() as { port: number }).port}`;
  };
  beforeAll(async () => {
    const make = (): Server =>
      createServer(async (request, response) => {
        const url = new URL(request.url ?? "/", "http://localhost");
        const to = url.searchParams.get("to");
        if (url.pathname === "/hops") {
          const left = Number(url.searchParams.get("left"));
          response.writeHead(302, { location: left === 0 ? "/end" : `/hops?left=${left - 1}` }).end();
          return;
        }
        if (to !== null) {
          response.writeHead(Number(url.searchParams.get("status")), { location: to }).end();
          return;
        }
        let body = "";
        for await (const part of request) body += String(part);
        arrived.push({ method: request.method, headers: request.headers, body });
        response.end("end");
      });
    first = make();
    second = make();
    origins = [await listen(first), await listen(second)];
  });
  afterAll(() => {
    for (const one of [first, second]) {
      one.closeAllConnections();
      one.close();
    }
  });

  const secrets = {
    authorization: "Bearer s3cret",
    cookie: "id=s3cret",
    "proxy-authorization": "s3cret",
    "X-Api-Key": "s3cret",
    "x-auth-token": "s3cret",
    "x-amz-security-token": "s3cret",
  };
  const follow = async (status: number, method: string, isAway: boolean): Promise<Arrived | undefined> => {
    arrived = [];
    const target = `${origins[isAway ? 1 : 0]}/end`;
    const address = `${origins[0]}/go?status=${status}&to=${encodeURIComponent(target)}`;
    const hasBody = method !== "GET" && method !== "HEAD";
    const headers = {
      ...secrets,
      accept: "text/plain",
      ...(hasBody ? { "content-type": "text/x-own" } : {}),
    };
    const allow = origins.map((origin) => new URL(origin).host);
    await get(address, { method, headers, ...(hasBody ? { body: "data" } : {}) }, allow);
    return arrived[0];
  };

  it.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [307, "POST", "POST"],
    [308, "POST", "POST"],
    [301, "PUT", "PUT"],
    [302, "DELETE", "DELETE"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
    [307, "GET", "GET"],
    [308, "PATCH", "PATCH"],
  ])(
    "%i of %s continues with %s, and sends a body only if the method stays",
    async (status, method, wanted) => {
      for (const isAway of [false, true]) {
        const found = await follow(status, method, isAway);
        const isKept = method === wanted && method !== "GET" && method !== "HEAD";
        expect({ isAway, method: found?.method, body: found?.body }).toEqual({
          isAway,
          method: wanted,
          body: isKept ? "data" : "",
        });
        expect(found?.headers["content-type"]).toBe(isKept ? "text/x-own" : undefined);
        expect(found?.headers.accept).toBe("text/plain");
      }
    },
  );

  it("drops credentials for another origin, and keeps them within one", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      expect(JSON.stringify((await follow(status, "POST", true))?.headers)).not.toContain("s3cret");
      expect((await follow(status, "POST", false))?.headers).toMatchObject({
        authorization: "Bearer s3cret",
        "x-api-key": "s3cret",
      });
    }
  });

  it("from https to http is refused", () => {
    const from = new URL("https://a.example/x");
    expect(() => toLocation(from, "http://a.example/y")).toThrow("which is not encrypted");
    expect(toLocation(from, "//b.example/y").href).toBe("https://b.example/y");
  });

  it("is followed twenty times and no more", async () => {
    const allow = [new URL(origins[0]).host];
    expect((await get(`${origins[0]}/hops?left=19`, {}, allow)).status).toBe("answered");
    expect(await refusal(`${origins[0]}/hops?left=20`, allow)).toBe("NETWORK_DENIED");
  });

  it("to an invalid URL fails, and 300 and 304 are answers", async () => {
    const allow = [new URL(origins[0]).host];
    const go = (status: number, to: string): string =>
      `${origins[0]}/go?status=${status}&to=${encodeURIComponent(to)}`;
    expect(await refusal(go(302, "http://"), allow)).toBe("NETWORK_FAILED");
    for (const status of [300, 304]) {
      const answer = await get(go(status, `${origins[1]}/end`), {}, allow);
      expect(JSON.parse((answer as { body: string }).body)).toMatchObject({ status });
    }
  });
});
