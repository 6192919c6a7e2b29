// Requests and responses between Node and the web standard, over a real socket.
import { createServer, type RequestListener, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import {
  readBody,
  toWebRequest,
  writeWebResponse,
} from "../../../../../src/surfaces/mcp-server/http/web-exchange.js";

const serve = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};

it("toWebRequest() copies everything except the token", async () => {
  const { promise, resolve } = Promise.withResolvers<Request>();
  const port = await serve(async (incoming, outgoing) => {
    const body = await readBody(incoming, 1000);
    resolve(toWebRequest(incoming, body, new AbortController().signal));
    outgoing.end();
  });
  const headers = { authorization: "Bearer secret", "mcp-method": "ping", "x-many": ["a", "b"] };
  request({ port, host: "127.0.0.1", method: "POST", path: "/mcp", headers }).end("ümläut");
  const made = await promise;
  expect([made.method, new URL(made.url).pathname, await made.text()]).toEqual(["POST", "/mcp", "ümläut"]);
  expect(made.headers.get("mcp-method")).toBe("ping");
  expect(made.headers.get("x-many")).toBe("a, b");
  expect(made.headers.get("authorization")).toBeNull();
});

it("writeWebResponse() sends the head before the first part, and parts as they arrive", async () => {
  let write: (text: string) => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      write = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const port = await serve((_incoming, outgoing) => void writeWebResponse(new Response(body), outgoing));
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (const text of ["one", "two"]) {
    write(text);
    expect((await reader?.read())?.value).toBe(text);
  }
  await reader?.cancel();
});

it("writeWebResponse() cancels the source when its reader disconnects", async () => {
  const { promise: cancelled, resolve } = Promise.withResolvers<string>();
  const body = new ReadableStream<Uint8Array>({ cancel: () => resolve("cancelled") });
  const port = await serve((_incoming, outgoing) => void writeWebResponse(new Response(body), outgoing));
  const controller = new AbortController();
  await fetch(`http://127.0.0.1:${port}/`, { signal: controller.signal });
  controller.abort();
  expect(await cancelled).toBe("cancelled");
});

it("writeWebResponse() does not read ahead of a slow reader without bound", async () => {
  let made = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (++made === 1000) controller.close();
      else controller.enqueue(new Uint8Array(1_000_000));
    },
  });
  let response: ServerResponse | undefined;
  const port = await serve((_incoming, outgoing) => {
    response = outgoing;
    void writeWebResponse(new Response(body), outgoing);
  });
  const controller = new AbortController();
  await fetch(`http://127.0.0.1:${port}/`, { signal: controller.signal });
  await expect.poll(() => response?.writableNeedDrain).toBe(true);
  expect(made).toBeLessThan(100);
  controller.abort();
});
