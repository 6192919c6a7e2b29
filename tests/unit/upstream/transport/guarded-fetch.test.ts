// Bodies stay within the limit, and a stream that breaks off fails its request.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGuardedFetch } from "../../../../src/upstream/transport/guarded-fetch.js";
import { localFailureReason } from "../../../../src/upstream/transport/replaced-answers.js";

const serve = async (contentType: string, respond: (response: ServerResponse) => void): Promise<string> => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": contentType });
    respond(response);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

let tooLarge = 0;
const guarded = createGuardedFetch({
  maxAnswerBytes: 1000,
  onTooLarge: () => {
    tooLarge += 1;
  },
});
const post = { method: "POST", body: '{"method":"tools/call","params":{},"jsonrpc":"2.0","id":9}' };
const events = "text/event-stream";

/** The message of the last event. */
const lastMessage = (body: string) => JSON.parse(String(body.trim().split("data: ").at(-1)));

describe("createGuardedFetch()", () => {
  it("passes bodies within the limit", async () => {
    const url = await serve("application/json", (response) => response.end('{"a":1}'));
    expect(await (await guarded(url, post)).json()).toEqual({ a: 1 });
  });

  it("fails a JSON body above the limit", async () => {
    const url = await serve("application/json", (response) => response.end(JSON.stringify("x".repeat(2000))));
    const error = await (await guarded(url, post)).json().catch((thrown: unknown) => thrown);
    expect(localFailureReason(error)).toBe("answer-too-large");
  });

  it("ends an event stream above the limit with an error for the request", async () => {
    const url = await serve(events, (response) => response.write(`data: ${"x".repeat(2000)}`));
    const message = lastMessage(await (await guarded(url, post)).text());
    expect(message.id).toBe(9);
    expect(localFailureReason(message.error)).toBe("answer-too-large");
  });

  it.each([
    ["ends", (response: ServerResponse) => response.end("data: half an ans")],
    ["is cut off", (response: ServerResponse) => response.write("data: half", () => response.destroy())],
  ])("reports an event stream that %s before its answer", async (_case, respond) => {
    const url = await serve(events, respond);
    const message = lastMessage(await (await guarded(url, post)).text());
    expect(message.id).toBe(9);
    expect(localFailureReason(message.error)).toBe("answer-broken-off");
  });

  it("does not touch a resumable stream", async () => {
    const url = await serve(events, (response) => response.end("id: 1\ndata: {}\n\n"));
    expect(await (await guarded(url, post)).text()).toBe("id: 1\ndata: {}\n\n");
  });

  it("does not change the URL that an old server sends, even if it looks like a number", async () => {
    const endpoint = "event: endpoint\ndata: /messages?sessionId=a8fc53f5e359\n\n";
    const url = await serve(events, (response) => response.end(endpoint));
    expect(await (await guarded(url, { method: "GET" })).text()).toBe(endpoint);
  });

  it("limits an endless stream line by line", async () => {
    const url = await serve(events, (response) => {
      for (let count = 0; count < 20; count += 1) response.write(`data: ${"x".repeat(500)}\n\n`);
      response.end();
    });
    tooLarge = 0;
    expect((await (await guarded(url, { method: "GET" })).text()).length).toBe(20 * 508);
    expect(tooLarge).toBe(0);
    const long = await serve(events, (response) => response.end(`data: ${"x".repeat(2000)}\n\n`));
    await expect((await guarded(long, { method: "GET" })).text()).rejects.toThrow("answer-too-large");
    expect(tooLarge).toBe(1);
  });
});

describe("localFailureReason()", () => {
  it("does not recognize an error that a server could have written", () => {
    expect(
      localFailureReason({ code: -32000, data: { reason: "answer-too-large", token: "x" } }),
    ).toBeUndefined();
    expect(localFailureReason(undefined)).toBeUndefined();
  });
});
