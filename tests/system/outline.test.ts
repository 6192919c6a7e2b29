// What agents see before they search, over real servers: no start, a stable text, and a notification when the tools change.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openCoordinator } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { openFixture } from "../support/open-fixture.js";
import { type OpenServe, openServe, transports } from "../support/transports.js";

const request = { maxTokens: 800, frame: "" };

describe("outlineCatalog()", () => {
  it("names servers that were never listed, and starts none", async () => {
    const fixture = await openFixture({ github: { command: "not-there" } });
    expect(await fixture.coordinator.outlineCatalog(request)).toEqual({
      names: "echo, github",
      signatures: [],
      knownTools: 0,
      unknownServers: 2,
      unknownNames: "echo, github",
      isComplete: false,
    });
    expect(fixture.log()).toEqual([]);
    await fixture.close();
  });

  it("stops waiting for servers that were never listed as soon as they are listed", async () => {
    const fixture = await openFixture();
    // The limit would outlast the test.
    const outline = await fixture.coordinator.outlineCatalog({ ...request, waitMs: 3_600_000 });
    expect(outline).toMatchObject({ isComplete: true, knownTools: 15 });
    await fixture.close();
  });

  it("answers in time even if a server never does, and at once when asked again", async () => {
    const hang = { command: process.execPath, args: [fixturePath("hangs-at-start")] };
    const fixture = await openFixture({ hang });
    // It would otherwise wait for the server's own limit, which outlasts the test.
    for (const waitMs of [1, 3_600_000]) {
      const outline = await fixture.coordinator.outlineCatalog({ ...request, waitMs });
      expect(outline.unknownNames).toContain("hang");
    }
    await fixture.close();
  });

  it("shows what another process has listed, the same text each time, without a start", async () => {
    const fixture = await openFixture();
    await fixture.coordinator.listTools();
    const first = await fixture.coordinator.outlineCatalog(request);
    await fixture.coordinator.close();
    const again = await fixture.reopen();

    expect(first).toMatchObject({ isComplete: true, knownTools: 15 });
    expect(first.signatures).toContain("echo.add({ a: number; b: number }): { sum: number }");
    expect(await again.outlineCatalog(request)).toEqual(first);
    expect(fixture.log()).toEqual(["start"]);
    await again.close();
    await fixture.close();
  });

  it("keeps its text while a process calls tools, and reflects their use at a later start", async () => {
    const small = { maxTokens: 40, frame: "" };
    const open = (folder: string) =>
      openCoordinator({
        config: { mcpServers: { echo: { command: process.execPath, args: [fixturePath("echo")] } } },
        settings: { cacheFolder: folder },
      });
    const folder = mkdtempSync(join(tmpdir(), "coordinator-outline-"));
    const one = await open(folder);
    await one.listTools();
    const before = await one.outlineCatalog(small);
    await one.runCode({ code: "for (let at = 0; at < 5; at++) await echo.pid()" });
    const during = await one.outlineCatalog(small);
    await one.close();
    rmSync(join(folder, "outlines"), { recursive: true });
    const other = await open(folder);
    const after = await other.outlineCatalog(small);
    await other.close();
    rmSync(folder, { recursive: true, force: true });

    expect(before.signatures).not.toContain("echo.pid()");
    expect(during).toEqual(before);
    // The most called one, whose result is known by now.
    expect(after.signatures).toContain("echo.pid(): string");
  });

  it("caches both listings of one server with two sets of variables, so that neither starts again", async () => {
    const fixture = await openFixture();
    const open = (key: string) =>
      openCoordinator({
        config: {
          mcpServers: {
            echo: {
              command: process.execPath,
              args: [fixturePath("echo"), "--log", join(fixture.folder, "echo.log")],
              env: { API_KEY: "${API_KEY}" },
            },
          },
        },
        environment: { ...process.env, API_KEY: key },
        settings: { cacheFolder: join(fixture.folder, "cache") },
      });
    for (const key of ["work", "home", "work", "home"]) {
      const coordinator = await open(key);
      await coordinator.listTools();
      expect(await coordinator.outlineCatalog(request)).toMatchObject({ knownTools: 15 });
      await coordinator.close();
    }
    expect(fixture.log()).toEqual(["start", "start"]);
    await fixture.close();
  });
});

describe.each(transports)("serve over %s", (transport) => {
  let opened: OpenServe | undefined;
  afterEach(() => opened?.close());
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "coordinator-surface-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const echo = { command: process.execPath, args: [fixturePath("echo")] };

  const connect = async (document: object, options: ConstructorParameters<typeof Client>[1] = {}) => {
    const config = join(folder, `${Math.random()}.json`);
    writeFileSync(config, JSON.stringify(document));
    const client = new Client({ name: "test", version: "1" }, options);
    const env = { XDG_CACHE_HOME: `${config}.cache`, XDG_STATE_HOME: `${config}.state` };
    opened = await openServe(transport, {
      config,
      env: { PATH: process.env.PATH ?? "", HOME: folder, ...env },
    });
    await client.connect(opened.toTransport());
    const call = async (name: string, input: object) => {
      const { content, isError } = (await client.callTool({ name, arguments: { ...input } })) as {
        content: { text: string }[];
        isError?: boolean;
      };
      return { text: content.map(({ text }) => text).join("\n"), isError: isError === true };
    };
    const list = async () => (await client.listTools()).tools;
    return { client, call, list };
  };

  const late = (file: string, ...words: string[]) => ({
    command: process.execPath,
    args: [fixturePath("waits-for-file"), "--file", file, ...words],
  });

  it.each([
    ["an old client", {}],
    ["a client of 2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
  ])(
    "answers with what is known while servers hang, and notifies %s when they were read",
    async (_name, options) => {
      const file = join(folder, `${Math.random()}.txt`);
      const hanging = Array.from({ length: 20 }, (_, at) => [`s${at}`, late(file)] as const);
      const notified = Promise.withResolvers<void>();
      let latest = "";
      const onChanged = (_error: unknown, tools: { description?: string | undefined }[] | null) => {
        latest = tools?.[0]?.description ?? "";
        if (latest.includes("COMPLETE")) notified.resolve();
      };
      const { client, list } = await connect(
        { mcpServers: { listing: late(file, "--listing"), ...Object.fromEntries(hanging) } },
        { ...options, listChanged: { tools: { onChanged } } },
      );
      // They are released only after the answer: it cannot have waited for them.
      const first = (await list())[0]?.description;
      expect(first).toContain("Functions: ask search_tools; still being installed or read: listing, s0, s1");
      writeFileSync(file, "");
      await notified.promise;
      for (const name of ["listing", ...hanging.map(([name]) => name)])
        expect(latest).toContain(`\n${name}.ready(`);
      expect((await list())[0]?.description).toBe(latest);
      await client.close();
    },
  );

  it("lists the servers at its first start, before a client asks for tools or searches", async () => {
    const [file, log] = [join(folder, `${Math.random()}.txt`), join(folder, `${Math.random()}.log`)];
    const { client } = await connect({ mcpServers: { late: late(file, "--log", log) } });
    await expect.poll(() => existsSync(log)).toBe(true);
    await client.close();
  });

  it("calls one tool without a program if the configuration allows it", async () => {
    const { client, call, list } = await connect({
      mcpServers: { echo },
      coordinator: { callTool: true, limits: { outputTokens: 500 } },
    });
    expect((await list()).map(({ name }) => name)).toEqual(["run_code", "search_tools", "call_tool"]);
    expect(await call("call_tool", { server: "echo", tool: "add", arguments: { a: 1, b: 2 } })).toEqual({
      text: '{"sum":3}',
      isError: false,
    });
    expect(await call("call_tool", { server: "echo", tool: "add", arguments: { a: "1" } })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^ARGUMENTS_INVALID: Cannot call "echo\.add"/),
    });
    const big = await call("call_tool", { server: "echo", tool: "big", arguments: { megabytes: 1 } });
    expect(countTokens(big.text)).toBeLessThan(700);
    expect(big.text).toMatch(/Stored in full as "[^"]+"\. Read on: /);
    await client.close();
  });

  it("has no tool that the configuration does not enable", async () => {
    const { client, call } = await connect({ mcpServers: { echo } });
    for (const name of ["call_tool", "find_servers", "add_server"])
      await expect(call(name, { name: "x" })).rejects.toThrow(`Unknown tool "${name}"`);
    await client.close();
  });

  it("lets an agent find and add a server of the list, and refuses every other", async () => {
    const offered = { ...echo, description: "Repeats what it hears" };
    const { client, call, list } = await connect({
      mcpServers: { echo },
      coordinator: {
        http: { mayAddServers: true },
        addServers: { from: { "parrot-1": offered, "weather-map": { command: "not-there" } } },
      },
    });
    expect((await list()).map(({ name }) => name)).toEqual([
      "run_code",
      "search_tools",
      "find_servers",
      "add_server",
    ]);
    expect((await call("find_servers", { query: "repeat" })).text).toBe("parrot-1: Repeats what it hears");
    expect((await call("run_code", { code: "return await parrot1.pid()" })).isError).toBe(true);

    const added = await call("add_server", { name: "parrot-1" });
    expect(added.text).toMatch(/^Connected "parrot-1" with 15 tools: echo, add, /);
    const run =
      'import { add } from "servers/parrot1"; return [await add({ a: 1, b: 2 }), await parrot1.class()]';
    expect((await call("run_code", { code: run })).text).toBe('[{"sum":3},"class"]');
    expect((await call("search_tools", { query: "add", server: "parrot-1" })).text).toContain(
      "servers/parrot1",
    );
    expect((await call("find_servers", {})).text).toContain(
      "parrot-1: Repeats what it hears (connected already)",
    );
    expect((await list())[0]?.description).toContain("connected services: echo, parrot1.");

    expect(await call("add_server", { name: "parrot" })).toEqual({
      isError: true,
      text: 'SERVER_NOT_OFFERED: Cannot add the server "parrot": it is not on the list of servers that may be added\nDid you mean "parrot-1"?',
    });
    const broken = await call("add_server", { name: "weather-map" });
    expect(broken.text).toMatch(/^UPSTREAM_UNREACHABLE/);
    expect((await call("run_code", { code: "return await weatherMap.x()" })).isError).toBe(true);
    expect((await list())[0]?.description).not.toContain("weatherMap");
    await client.close();
  });

  it("is minimal on request: the same two tools for any catalog", async () => {
    const { client, call, list } = await connect({
      mcpServers: { echo },
      coordinator: { surface: "minimal" },
    });
    const before = await list();
    await call("search_tools", { query: "add" });
    expect(await list()).toEqual(before);
    expect(JSON.stringify(before)).not.toContain("echo");
    expect(client.getInstructions()).toBe("Connected services: echo. Call them from run_code.");
    await client.close();
  });
});

describe("findServers() and addServer()", () => {
  it("are refused if no servers are offered", async () => {
    const fixture = await openFixture();
    await expect(fixture.coordinator.findServers()).rejects.toMatchObject({ code: "SERVER_NOT_OFFERED" });
    await expect(fixture.coordinator.addServer({ name: "echo" })).rejects.toMatchObject({
      code: "SERVER_NOT_OFFERED",
      message: 'Cannot add the server "echo": the configuration offers none',
    });
    await fixture.close();
  });

  it("do not replace a configured server with an offered one of the same name", async () => {
    const fixture = await openFixture({}, { addServers: { from: { echo: { command: "not-there" } } } });
    await expect(fixture.coordinator.addServer({ name: "echo" })).rejects.toMatchObject({
      code: "SERVER_NOT_OFFERED",
    });
    expect(await fixture.coordinator.callTool({ server: "echo", tool: "class" })).toBe("class");
    await fixture.close();
  });

  it("start no server before it is added", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coordinator-offered-"));
    const log = join(folder, "log");
    const fixture = await openFixture(
      {},
      {
        addServers: {
          from: { other: { command: process.execPath, args: [fixturePath("echo"), "--log", log] } },
        },
      },
    );
    await fixture.coordinator.findServers({ query: "other" });
    await fixture.coordinator.searchTools({ query: "add" });
    expect(() => rmSync(log)).toThrow();
    expect(fixture.coordinator.serverNames).toEqual(["echo"]);
    const added = await fixture.coordinator.addServer({ name: "other" });
    expect(added).toMatchObject({ server: "other", identifier: "other" });
    expect(fixture.coordinator.serverNames).toEqual(["echo", "other"]);
    await fixture.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
