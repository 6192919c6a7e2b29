// `serve --surface direct`: all servers as one MCP server, used by real clients over stdio and HTTP, in both protocol versions.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenServe, openServe, transports } from "../support/transports.js";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));
const fixture = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [fixturePath(name), ...args],
});
const anything = {
  "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) },
} as never;
const modes = [
  ["2025", {}],
  ["2026", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
] as const satisfies readonly (readonly [string, ClientOptions])[];
const extra = { _meta: { "example/extra": [1, { two: 2 }] }, unknownField: "kept" };

type Answer = { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean };
const textOf = (answer: unknown): string => (answer as Answer).content[0]?.text ?? "";

describe.each(transports)("serve --surface direct over %s", (transport) => {
  let folder: string;
  let open: OpenServe;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "coordinator-direct-"));
    const config = join(folder, "mcp.json");
    const mcpServers = {
      mirrors: fixture("mirrors", "--shared", "add"),
      echo: fixture("echo"),
      modern: fixture("modern"),
    };
    writeFileSync(config, JSON.stringify({ mcpServers, coordinator: { approve: ["mirrors.touch"] } }));
    const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_STATE_HOME: join(folder, "state") };
    open = await openServe(transport, { config, env, words: ["--surface", "direct"] });
  });
  afterAll(async () => {
    await open.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const connect = async (options: ClientOptions = {}): Promise<Client> => {
    const client = new Client({ name: "direct-test", version: "7" }, options);
    await client.connect(open.toTransport());
    return client;
  };
  const call = (client: Client, name: string, given: object = {}) =>
    client.request(
      { method: "tools/call", params: { name, arguments: given as never } },
      anything,
    ) as Promise<Record<string, unknown>>;

  describe.each(modes)("a client of the %s protocol", (_mode, options) => {
    let client: Client;
    beforeAll(async () => {
      client = await connect(options);
    });
    afterAll(() => client.close());

    it("sees every tool, bare where its name is unique, with all fields of its server", async () => {
      const { tools } = (await client.request({ method: "tools/list" }, anything as never)) as {
        tools: Record<string, unknown>[];
      };
      const names = tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(["mirror", "mirrors__add", "echo__add"]));
      expect(names).not.toContain("add");
      expect(names).not.toContain("run_code");
      expect(tools.find(({ name }) => name === "mirror")).toMatchObject(extra);
    });

    it("gets results unchanged, with fields that the protocol does not know", async () => {
      const result = {
        content: [
          { type: "text", text: "a", annotations: { audience: ["user"] }, ...extra },
          { type: "image", data: "aGk=", mimeType: "image/png" },
          { type: "audio", data: "aGk=", mimeType: "audio/wav" },
          { type: "resource_link", uri: "x://y", name: "y" },
          { type: "resource", resource: { uri: "x://z", blob: "aGk=" } },
        ],
        structuredContent: { deep: [{ a: null }] },
        isError: true,
        ...extra,
      };
      expect(await call(client, "mirror", { result })).toMatchObject(result);
    });

    it("gets the error of a server with its code and message", async () => {
      await expect(
        call(client, "mirrors__refuse", { code: -32_123, message: "not today" }),
      ).rejects.toMatchObject({
        code: -32_123,
        message: expect.stringContaining("not today"),
      });
    });

    it("gets an error for an unknown tool, prompt or resource, and no other server is called", async () => {
      await expect(call(client, "add")).rejects.toMatchObject({ code: -32_602 });
      await expect(call(client, "nowhere__add")).rejects.toMatchObject({ code: -32_602 });
      await expect(client.getPrompt({ name: "nothing" })).rejects.toMatchObject({ code: -32_602 });
      await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow(/not found/i);
    });

    it("reads resources and templates, gets prompts and completes", async () => {
      const listed = (await client.request({ method: "resources/list" }, anything as never)) as {
        resources: object[];
      };
      expect(listed.resources).toContainEqual({
        uri: "mirror://watched",
        name: "watched",
        icons: [{ src: "data:,x" }],
        ...extra,
      });
      expect(await client.readResource({ uri: "mirror://by-id/7" })).toMatchObject({
        contents: [{ uri: "mirror://by-id/7", text: "content of mirror://by-id/7" }],
        unknownField: 1,
      });
      expect(await client.getPrompt({ name: "greet", arguments: { who: "you" } })).toMatchObject({
        messages: [{ content: { text: "Hello you" } }],
      });
      const ref = { type: "ref/resource", uri: "mirror://by-id/{id}" } as const;
      expect(await client.complete({ ref, argument: { name: "id", value: "" } })).toMatchObject({
        completion: { values: ["mirror://by-id/{id} id"] },
      });
    });

    it("gets the progress of its own call, and cancels it at the server", async () => {
      const controller = new AbortController();
      const reported = Promise.withResolvers<object>();
      const hanging = client.callTool(
        { name: "hang", arguments: {} },
        { signal: controller.signal, onprogress: reported.resolve },
      );
      expect(await reported.promise).toMatchObject({ progress: 1, total: 2, message: "half" });
      const before = Number(textOf(await call(client, "cancelled")));
      controller.abort();
      await expect(hanging).rejects.toThrow();
      await expect.poll(async () => Number(textOf(await call(client, "cancelled")))).toBe(before + 1);
    });

    it("is not asked for what it has not declared", async () => {
      const answer = textOf(await call(client, "ask", { method: "sampling/createMessage", params: {} }));
      expect(JSON.parse(answer)).toMatchObject({ error: { code: -32_601 } });
    });

    it("reads how people approve a call that needs it, and the call is not made", async () => {
      const answer = await call(client, "touch");
      expect(answer).toMatchObject({ isError: true });
      expect(textOf(answer)).toMatch(/^CALL_DENIED: Cannot call "mirrors.touch"/);
      expect(textOf(answer)).toMatch(/ resume [0-9a-f]{12} /);
    });
  });

  it.each(modes)(
    "lets a server ask a client of the %s protocol, with the client's own capabilities",
    async (_mode, options) => {
      const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };
      const client = await connect({ ...options, capabilities });
      client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
      client.setRequestHandler("sampling/createMessage", () => ({
        model: "m",
        role: "assistant",
        content: { type: "text", text: "sampled" },
      }));
      client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///here" }] }));
      expect(JSON.parse(textOf(await call(client, "declared")))).toMatchObject({
        capabilities,
        clientInfo: { name: "direct-test", version: "7" },
      });
      const form = {
        message: "Who?",
        requestedSchema: { type: "object", properties: { name: { type: "string" } } },
      };
      const messages = [{ role: "user", content: { type: "text", text: "hi" } }];
      const ask = async (method: string, params: object) =>
        JSON.parse(textOf(await client.callTool({ name: "ask", arguments: { method, params } })));
      expect(await ask("elicitation/create", form)).toMatchObject({
        action: "accept",
        content: { name: "Ada" },
      });
      expect(await ask("sampling/createMessage", { messages, maxTokens: 9 })).toMatchObject({ model: "m" });
      expect(await ask("roots/list", {})).toMatchObject({ roots: [{ uri: "file:///here" }] });
      await client.close();
    },
  );

  it.each(modes)(
    "asks people with a form of a client of the %s protocol whether a call may be made",
    async (_mode, options) => {
      const client = await connect({ ...options, capabilities: { elicitation: { form: {} } } });
      const answers = [{ approve: false }, { approve: true }];
      const asked: unknown[] = [];
      client.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params.message);
        return { action: "accept", content: answers.shift() as never };
      });
      expect(textOf(await client.callTool({ name: "touch", arguments: {} }))).toMatch(/not allowed/);
      expect(textOf(await client.callTool({ name: "touch", arguments: {} }))).toBe("touched");
      expect(asked).toEqual(Array(2).fill("May this call be made?\nmirrors.touch({})"));
      await client.close();
    },
  );

  it("forgets the questions of calls that the client cancelled without an answer", async () => {
    const client = await connect({ capabilities: { elicitation: { form: {} } } });
    let onAsked = (): void => {};
    client.setRequestHandler("elicitation/create", () => {
      onAsked();
      return new Promise(() => {});
    });
    const form = { message: "Who?", requestedSchema: { type: "object", properties: {} } };
    const params = { name: "ask", arguments: { method: "elicitation/create", params: form } };
    // More than may wait at once.
    for (let count = 0; count < 70; count++) {
      const { promise, resolve } = Promise.withResolvers<string>();
      onAsked = () => resolve("asked");
      const stop = new AbortController();
      const answer = client
        .request({ method: "tools/call", params }, anything, { signal: stop.signal })
        .then(textOf, String);
      expect(await Promise.race([promise, answer])).toBe("asked");
      stop.abort();
      await answer;
    }
    await client.close();
  });

  it("passes on the level of log lines and updates of resources to a client of the 2025 protocol", async () => {
    const client = await connect({ capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { approve: true } }));
    const updated = Promise.withResolvers<unknown>();
    client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
      updated.resolve(params.uri),
    );
    await call(client, "declared");
    await client.setLoggingLevel("warning");
    expect(textOf(await call(client, "level"))).toBe("warning");
    await client.subscribeResource({ uri: "mirror://watched" });
    await client.callTool({ name: "touch", arguments: {} });
    expect(await updated.promise).toBe("mirror://watched");
    await client.close();
  });
});

describe.each(modes)("a policy, for a client of the %s protocol of the direct surface", (_mode, options) => {
  const open = async (policy: object) => {
    const folder = mkdtempSync(join(tmpdir(), "coordinator-direct-"));
    const config = join(folder, "mcp.json");
    const mcpServers = { mirrors: fixture("mirrors") };
    writeFileSync(config, JSON.stringify({ mcpServers, coordinator: { policy } }));
    const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_STATE_HOME: join(folder, "state") };
    const transport = await openServe("stdio", { config, env, words: ["--surface", "direct"] });
    const client = new Client({ name: "direct-test", version: "7" }, options);
    await client.connect(transport.toTransport());
    onTestFinished(async () => {
      await client.close();
      await transport.close();
      rmSync(folder, { recursive: true, force: true });
    });
    return client;
  };
  const denied = expect.objectContaining({ message: expect.stringContaining("CALL_DENIED") });
  const ref = { type: "ref/resource", uri: "mirror://by-id/{id}" } as const;

  it("rules on resources, prompts and completion by their arguments", async () => {
    const client = await open({
      default: "allow",
      ask: ["mirrors.complete"],
      deny: ["mirrors.resources.read(uri: mirror://by-id/7)", "mirrors.prompts.*(who: you)"],
    });
    await expect(client.readResource({ uri: "mirror://by-id/7" })).rejects.toEqual(denied);
    await expect(client.getPrompt({ name: "greet", arguments: { who: "you" } })).rejects.toEqual(denied);
    await expect(client.complete({ ref, argument: { name: "id", value: "" } })).rejects.toEqual(denied);
    expect(await client.readResource({ uri: "mirror://by-id/8" })).toMatchObject({ contents: [{}] });
    expect(await client.getPrompt({ name: "greet", arguments: { who: "me" } })).toMatchObject({
      messages: [{}],
    });
  });

  it("hides what it always denies", async () => {
    const client = await open({
      default: "allow",
      deny: ["mirrors.mirror", "mirrors.resources.*", "mirrors.prompts.*"],
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain("mirror");
    expect(tools).not.toEqual([]);
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
    expect((await client.listPrompts()).prompts).toEqual([]);
  });
});

it("serve --surface direct passes on large integers of results exactly over stdio", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coordinator-direct-"));
  const config = join(folder, "mcp.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { digits: fixture("digits") } }));
  const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_STATE_HOME: join(folder, "state") };
  const child = spawn(process.execPath, [bin, "serve", "--config", config, "--surface", "direct"], { env });
  onTestFinished(async () => {
    const exited = once(child, "exit");
    child.stdin.end();
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "test", version: "1" };
  send({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
  });
  await expect.poll(() => output, { timeout: 60_000 }).toContain('"id":1');
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: { name: "repeat", arguments: { id: 7 } } });
  await expect.poll(() => output, { timeout: 60_000 }).toContain('"id":2');
  expect(output).toContain('"id":1234567890123456789,"list":[-9007199254740993,1]');
});
