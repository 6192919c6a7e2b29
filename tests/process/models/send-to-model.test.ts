// The model client against an endpoint on this machine: both styles, retries, bounds, the key.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ModelMessage, ModelRetry } from "../../../src/contracts/index.js";
import { type ModelAccess, sendToModel } from "../../../src/models/index.js";
import { openScriptedModel, type Script } from "../../support/scripted-model.js";

const key = "sk-secret-0123456789";
const tools = [
  {
    name: "add",
    description: "Adds.",
    inputSchema: { type: "object", properties: { a: { type: "number" } } },
  },
];
const conversation: readonly ModelMessage[] = [
  { role: "user", text: "Add one." },
  { role: "model", text: "I add.", calls: [{ id: "c1", name: "add", arguments: { a: 1 } }] },
  {
    role: "tools",
    results: [
      {
        callId: "c1",
        content: [
          { type: "text", text: "2" },
          { type: "image", data: "AAAA", mimeType: "image/png" },
        ],
        isError: true,
      },
    ],
  },
];

const open = async (provider: ModelAccess["provider"], ...script: Script) => {
  const endpoint = await openScriptedModel(script);
  const access: ModelAccess = {
    ...{ provider, baseUrl: endpoint.baseUrl, model: "m", maxAnswerTokens: 100 },
    key: provider === "ollama" ? undefined : key,
  };
  const waits: number[] = [];
  const retries: ModelRetry[] = [];
  const send = (messages: readonly ModelMessage[] = [{ role: "user", text: "Add one." }]) =>
    sendToModel(
      access,
      { messages, tools, instructions: "Be brief.", onRetry: (retry) => void retries.push(retry) },
      { wait: async (waitMs) => void waits.push(waitMs) },
    );
  return { endpoint, access, send, waits, retries };
};

/** An endpoint that answers every request with the same bytes; it does not end an answer for which there is no text. */
const openRaw = async (
  status: number,
  headers: Record<string, string>,
  write: string | ((response: ServerResponse) => unknown),
) => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    request.resume();
    response.writeHead(status, headers);
    const text = typeof write === "string" ? write : write(response);
    if (typeof text === "string") response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    access: { provider: "openai", baseUrl, model: "m", key, maxAnswerTokens: 100 } as const,
    asked: () => asked,
  };
};

const request = { messages: [{ role: "user", text: "hi" }] } as const;
const fail = (given: Promise<unknown>): Promise<{ code: string; message: string; cause?: unknown }> =>
  given.then(
    () => expect.unreachable("it answered"),
    (error) => error,
  );

describe("sendToModel()", () => {
  it.each(["openai", "anthropic", "ollama"] as const)(
    "gets a text, a call and the usage from an endpoint of %s",
    async (provider) => {
      const { send } = await open(provider, {
        text: "I add.",
        calls: [{ name: "add", arguments: { a: 1 } }],
      });
      const answer = await send();
      expect(answer).toMatchObject({
        text: "I add.",
        calls: [{ name: "add", arguments: { a: 1 } }],
        isCut: false,
        usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
      });
      expect(answer.usage?.inputTokens).toBeGreaterThan(20);
    },
  );

  it("sends OpenAI's style: a system message, functions, results as separate messages", async () => {
    const { endpoint, send } = await open("openai", {}, { text: "2" });
    expect((await send(conversation)).text).toBe("2");
    const { path, headers = {}, body } = endpoint.requests[0] ?? {};
    expect(path).toBe("/v1/chat/completions");
    expect(headers.authorization).toBe(`Bearer ${key}`);
    expect(body).toEqual({
      model: "m",
      max_tokens: 100,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Add one." },
        {
          role: "assistant",
          content: "I add.",
          tool_calls: [{ id: "c1", type: "function", function: { name: "add", arguments: '{"a":1}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "2\n(an image, image/png)" },
      ],
      tools: [
        {
          type: "function",
          function: { name: "add", description: "Adds.", parameters: tools[0]?.inputSchema },
        },
      ],
    });
  });

  it("sends Anthropic's style: blocks, images, errors of tools", async () => {
    const { endpoint, send } = await open("anthropic", {}, { text: "2" });
    expect((await send(conversation)).text).toBe("2");
    const { path, headers = {}, body } = endpoint.requests[0] ?? {};
    expect(path).toBe("/v1/messages");
    expect(headers).toMatchObject({ "x-api-key": key, "anthropic-version": "2023-06-01" });
    expect(headers.authorization).toBeUndefined();
    expect(body).toEqual({
      model: "m",
      max_tokens: 100,
      system: "Be brief.",
      messages: [
        { role: "user", content: "Add one." },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I add." },
            { type: "tool_use", id: "c1", name: "add", input: { a: 1 } },
          ],
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "c1",
              is_error: true,
              content: [
                { type: "text", text: "2" },
                { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
              ],
            },
          ],
        },
      ],
      tools: [{ name: "add", description: "Adds.", input_schema: tools[0]?.inputSchema }],
    });
  });

  it("sends no key if none is configured", async () => {
    const { endpoint, send } = await open("ollama", { text: "hi" });
    await send();
    expect(endpoint.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("repeats a request that was refused temporarily, and waits as long as the endpoint asks", async () => {
    const failures = [
      { status: 429, headers: { "retry-after": "7" } },
      { status: 529 },
      { status: 503, headers: { "retry-after": "0" } },
    ];
    const { endpoint, send, waits, retries } = await open("anthropic", { text: "done", failures });
    expect((await send()).text).toBe("done");
    expect(endpoint.requests).toHaveLength(4);
    expect(waits).toEqual([7000, 2000, 0]);
    expect(retries.map(({ reason }) => /status \d+/.exec(reason)?.[0])).toEqual([
      "status 429",
      "status 529",
      "status 503",
    ]);
  });

  it("gives up after five attempts, and at once if it would have to wait longer than two minutes", async () => {
    const busy = Array.from({ length: 9 }, () => ({ status: 500 }));
    const first = await open("openai", { failures: busy });
    expect(await fail(first.send())).toMatchObject({ code: "MODEL_UNREACHABLE" });
    expect(first.endpoint.requests).toHaveLength(5);
    const second = await open("openai", {
      failures: [{ status: 429, headers: { "retry-after": "86400" } }, ...busy],
    });
    expect(await fail(second.send())).toMatchObject({ code: "MODEL_UNREACHABLE" });
    expect(second.endpoint.requests).toHaveLength(1);
  });

  it("does not repeat a request that is wrong, and never shows the key that the endpoint sends back", async () => {
    const failures = [{ status: 401, body: { error: { message: `Incorrect API key provided: ${key}.` } } }];
    const { endpoint, send } = await open("openai", { failures });
    const error = await fail(send());
    expect(error).toMatchObject({
      code: "MODEL_REFUSED",
      message: expect.stringContaining("status 401, Incorrect API key provided: ***."),
    });
    expect(JSON.stringify(error) + String(error.cause)).not.toContain(key);
    expect(endpoint.requests).toHaveLength(1);
  });

  it("refuses a key that a header cannot hold, without showing it", async () => {
    const { access } = await open("openai", { text: "x" });
    const error = await fail(sendToModel({ ...access, key: "sk-line\nbreak" }, request));
    expect(error).toMatchObject({ code: "MODEL_NOT_CONFIGURED" });
    expect(error.message).not.toContain("sk-line");
  });

  it("follows no redirect, so that no other host gets the key", async () => {
    const target = await openRaw(200, {}, "{}");
    const { access, asked } = await openRaw(307, { location: target.access.baseUrl }, "");
    expect(await fail(sendToModel(access, request))).toMatchObject({
      code: "MODEL_REFUSED",
      message: expect.stringContaining("status 307"),
    });
    expect([asked(), target.asked()]).toEqual([1, 0]);
  });

  it("reads at most two megabytes of an answer", async () => {
    const { access } = await openRaw(200, {}, () => "x".repeat(3 * 2 ** 20));
    expect(await fail(sendToModel(access, request))).toMatchObject({
      code: "MODEL_ANSWER_INVALID",
      message: expect.stringContaining("larger than 2097152 bytes"),
    });
  });

  it.each(["", "<html>", "null", "[]", "{}", '{"choices":[]}', '{"choices":"x"}'])(
    "reports %j as an invalid answer",
    async (text) => {
      const { access } = await openRaw(200, {}, text);
      expect(await fail(sendToModel(access, request))).toMatchObject({ code: "MODEL_ANSWER_INVALID" });
    },
  );

  it("reports an endpoint that does not listen, without repeating the request", async () => {
    const { access } = await openRaw(200, {}, "");
    const baseUrl = "http://127.0.0.1:9/v1";
    expect(await fail(sendToModel({ ...access, baseUrl }, request))).toMatchObject({
      code: "MODEL_UNREACHABLE",
    });
  });

  it.each(["before its first byte", "in the middle of an answer"])(
    "repeats a request whose connection breaks %s",
    async (place) => {
      const { access, asked } = await openRaw(200, {}, (response) => {
        if (place !== "before its first byte") response.write('{"choices": [{"mess');
        setImmediate(() => response.destroy());
      });
      const sent = sendToModel(access, request, { wait: async () => {} });
      expect(await fail(sent)).toMatchObject({ code: "MODEL_UNREACHABLE" });
      expect(asked()).toBe(5);
    },
  );

  it.each(["nothing", "half an answer"])("gives up on an endpoint that sends %s", async (sent) => {
    const { access, asked } = await openRaw(200, {}, (response) => {
      if (sent !== "nothing") response.write('{"choices": [{"mess');
    });
    expect(await fail(sendToModel(access, request, { timeoutMs: 1000 }))).toMatchObject({
      code: "MODEL_UNREACHABLE",
      message: expect.stringContaining("no whole answer within 1000 ms"),
    });
    expect(asked()).toBe(1);
  });

  it("ends with the signal, even while it waits to repeat a request", async () => {
    const { access } = await open("openai", { failures: [{ status: 500 }], text: "x" });
    const controller = new AbortController();
    const sending = sendToModel(access, {
      ...request,
      signal: controller.signal,
      onRetry: () => controller.abort(new Error("enough")),
    });
    expect(await fail(sending)).toMatchObject({ message: "enough" });
  });
});
