// Functions of the host as tools: the same as any other tool, everywhere.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type OpenedCoordinator as Coordinator,
  defineTool,
  type HostTools,
  type OpenOptions,
  openCoordinator,
  type ToolProgress,
  toolResult,
} from "../../../src/index.js";
import { callSurfaceTool } from "../../../src/surfaces/mcp-server/agent-tools/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

let made: string[] = [];
let heard: string[] = [];

const orders = {
  find: defineTool({
    description: "Finds an order by its number.",
    input: z.object({ id: z.number().int(), currency: z.enum(["EUR", "USD"]).default("EUR") }),
    output: z.object({ id: z.number(), total: z.string() }),
    annotations: { readOnlyHint: true },
    run: ({ id, currency }) => {
      made.push(`find ${id}`);
      // Undeclared fields stay on the host.
      return { id, total: `${(id * 1.5).toFixed(2)} ${currency}`, margin: 0.4 };
    },
  }),
  "cancel-order": defineTool({
    description: "Cancels an order.",
    input: {
      type: "object",
      properties: { id: { type: "integer" }, reason: { type: "string", pattern: "^[a-z ]+$" } },
      required: ["id"],
    },
    annotations: { destructiveHint: true },
    run: ({ id }: { id: number }) => {
      made.push(`cancel ${id}`);
      return { cancelled: id };
    },
  }),
  note: defineTool({ run: () => '{"looks": "like JSON"}' }),
  nothing: defineTool({ run: () => undefined }),
  picture: defineTool({
    run: () => toolResult({ content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] }),
  }),
  fails: defineTool({
    run: () => {
      throw Object.assign(new Error(`ENOENT: no such file, open '${process.cwd()}/secret.txt'`), {
        path: `${process.cwd()}/secret.txt`,
      });
    },
  }),
  odd: defineTool({ run: () => ({ rows: [{ at: new Map() }] }) }),
  lies: defineTool({ output: z.object({ n: z.number() }), run: () => ({ n: "three" }) as never }),
  slow: defineTool({
    input: z.object({ ms: z.number() }),
    timeoutMs: 300,
    run: async ({ ms }, { signal, progress }) => {
      progress(`waiting ${ms}`);
      signal.addEventListener("abort", () => heard.push("abort"), { once: true });
      await wait(ms);
      return ms;
    },
  }),
} satisfies HostTools[string];

const open = (folder: string, more: OpenOptions = {}): Promise<Coordinator> =>
  openCoordinator({
    config: {
      mcpServers: { echo: { command: process.execPath, args: [fixturePath("echo")] } },
      coordinator: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
    },
    tools: { orders },
    ...more,
  });

let folder = "";
let coordinator: Coordinator;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-embedding-"));
  coordinator = await open(folder);
});
afterAll(async () => {
  await coordinator.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (code: string, more = {}) => coordinator.runCode({ code, ...more });

describe("a tool registered in code", () => {
  it.each([
    ["an import", 'import { find } from "servers/orders"; return await find({ id: 2 });'],
    ["the file of the tool", 'import { find } from "servers/orders/find"; return await find({ id: 2 });'],
    ["the global object", "return await orders.find({ id: 2 });"],
    ["positional arguments", "return await orders.find(2);"],
    ["callMCPTool", 'return await callMCPTool("orders__find", { id: 2 });'],
  ])("is called by %s, with its schema's defaults, and returns only declared fields", async (_by, code) => {
    expect(await run(code)).toMatchObject({
      status: "completed",
      value: { id: 2, total: "3.00 EUR" },
      calls: [{ server: "orders", tool: "find", status: "answered" }],
    });
    expect((await run(code)).value).not.toHaveProperty("margin");
  });

  it("is called from Python", async () => {
    const result = await run("from mcp_tools.orders import find\nreturn (await find(id=2))['total']", {
      language: "python",
    });
    expect(result).toMatchObject({ status: "completed", value: "3.00 EUR" });
  });

  it("works together with an external server", async () => {
    const { value } = await run(
      "const { id } = await orders.find(1); return await echo.add({ a: id, b: 1 })",
    );
    expect(value).toEqual({ sum: 2 });
  });

  it("is checked before the program runs", async () => {
    made = [];
    const { error } = await run("await orders.find({ id: 1 }); return await orders.find({ idd: 2 })");
    expect(error).toMatchObject({ code: "PROGRAM_INVALID", line: 1 });
    expect(error?.message).toBe('Cannot call "orders.find": argument "id" is missing, expected integer');
    const field = await run("const found = await orders.find({ id: 1 }); return found.price");
    expect(field.error).toMatchObject({ code: "PROGRAM_INVALID" });
    expect(made).toEqual([]);
  });

  it("has its arguments validated, including by its own schema", async () => {
    made = [];
    const unchecked = { isChecked: false };
    expect((await run("return await orders.find({ id: 'x' })", unchecked)).error?.code).toBe(
      "ARGUMENTS_INVALID",
    );
    // What the bounded check of the catalog leaves to the server: a pattern.
    const { error } = await run("return await orders.cancelOrder({ id: 1, reason: 'NO!' })", unchecked);
    expect(error).toMatchObject({ code: "ARGUMENTS_INVALID" });
    expect(error?.message).toContain("reason");
    expect(made).toEqual([]);
  });

  it("is found, listed, shown and described like any other", async () => {
    const { hits } = await coordinator.searchTools({ query: "cancel an order" });
    expect(hits[0]).toMatchObject({ call: "orders.cancelOrder", isDestructive: true });
    const servers = await coordinator.listServers();
    expect(servers.find(({ name }) => name === "orders")).toMatchObject({
      transport: "in-process",
      status: "ready",
      toolCount: Object.keys(orders).length,
      target: "9 functions of this process",
    });
    const tool = await coordinator.showTool({ server: "orders", tool: "find" });
    expect(tool.signature).toContain("total: string");
    expect(tool.isReadOnly).toBe(true);
    const { signatures } = await coordinator.outlineCatalog({ maxTokens: 1000, frame: "" });
    expect(signatures.join("\n")).toContain("orders.cancelOrder");
    expect(await coordinator.callTool({ server: "orders", tool: "find", arguments: { id: 4 } })).toEqual({
      id: 4,
      total: "6.00 EUR",
    });
  });

  it("is among the files that generate writes, in both languages", async () => {
    const target = await temporaryFolder();
    await coordinator.generateLibrary({ folder: target, servers: ["orders"] });
    await coordinator.generateLibrary({ folder: target, servers: ["orders"], language: "python" });
    expect(readdirSync(join(target, "servers", "orders"))).toContain("find.ts");
    expect(readFileSync(join(target, "servers", "orders", "find.ts"), "utf8")).toContain("total: string");
    expect(readFileSync(join(target, "mcp_tools", "orders", "find.py"), "utf8")).toContain("total: str");
  });

  it("can answer with text, nothing, or content", async () => {
    expect((await run("return await orders.note()")).value).toBe('{"looks": "like JSON"}');
    expect((await run("return await orders.nothing()")).value).toBeNull();
    expect((await run("return await orders.picture()")).value).toEqual([
      { type: "image", data: "aGk=", mimeType: "image/png" },
    ]);
  });

  it("fails with its message, without a stack", async () => {
    const { value } = await run(
      "try { await orders.fails() } catch (error) { return [error.name, error.code, error.message, error.stack] }",
    );
    const [name, code, message, stack] = value as string[];
    expect([name, code]).toEqual(["ToolError", "TOOL_FAILED"]);
    expect(message).toBe("ENOENT: no such file, open '(a path of the host)'");
    expect(stack).not.toContain(process.cwd());
  });

  it("fails if its answer is not JSON or does not match its output schema", async () => {
    const { error, runId } = await run("return await orders.odd()");
    expect(error).toMatchObject({
      code: "RESULT_INVALID",
      message: expect.stringContaining('"rows[0].at" is a Map, expected JSON'),
    });
    expect((await run("return await orders.lies()")).error?.message).toContain(
      'Cannot take the answer of "orders.lies": it is not what its output says: "n"',
    );
    // It was called, and may have changed something.
    expect((await coordinator.resumeRun({ runId })).error?.code).toBe("RUN_UNCERTAIN");
  });

  it("is aborted at its timeout, through its signal", async () => {
    heard = [];
    const { error } = await run("return await orders.slow({ ms: 5000 })");
    expect(error).toMatchObject({
      code: "UPSTREAM_TIMEOUT",
      message: expect.stringContaining('Cannot call "slow" of "orders": no answer within 300 ms'),
    });
    expect(heard).toEqual(["abort"]);
  });

  it("is aborted when its run is cancelled", async () => {
    heard = [];
    const controller = new AbortController();
    const progress: ToolProgress[] = [];
    const { status } = await run("return await orders.slow({ ms: 250 })", {
      signal: controller.signal,
      onProgress: (line: ToolProgress) => {
        progress.push(line);
        controller.abort();
      },
    });
    expect(status).toBe("stopped");
    expect(progress).toEqual([{ server: "orders", tool: "slow", message: "waiting 250" }]);
    expect(heard).toEqual(["abort"]);
  });

  it("is counted by the meter, and its result type is learned", async () => {
    const { meter } = await run("return (await orders.cancelOrder({ id: 3 })).cancelled");
    expect(meter?.answerTokens).toBeGreaterThan(0);
    const { learned } = await coordinator.showTool({ server: "orders", tool: "cancel-order" });
    expect(learned?.schema).toMatchObject({ properties: { cancelled: {} } });
  });

  it("is not called again when its run is resumed", async () => {
    made = [];
    const first = await run(
      "await orders.cancelOrder({ id: 7 }); await orders.find({ id: 7 }); throw new Error('later')",
    );
    expect(first).toMatchObject({ status: "failed", isResumable: true });
    const { value } = await coordinator.resumeRun({
      runId: first.runId,
      code: "const { cancelled } = await orders.cancelOrder({ id: 7 }); const { id } = await orders.find({ id: 7 }); return [cancelled, id]",
    });
    expect(value).toEqual([7, 7]);
    expect(made).toEqual(["cancel 7", "find 7"]);
  });

  it("reports its progress to agents", async () => {
    const lines: string[] = [];
    await callSurfaceTool(coordinator, {
      name: "run_code",
      arguments: { code: "console.log('begun'); await orders.slow({ ms: 1 })" },
      signal: new AbortController().signal,
      onProgress: (line) => lines.push(line),
    });
    expect(lines).toEqual(["begun", "waiting 1"]);
  });

  it("can have adapters", async () => {
    const library = await temporaryFolder();
    mkdirSync(join(library, "servers", "orders"), { recursive: true });
    writeFileSync(
      join(library, "servers", "orders", "sum.ts"),
      'import { find } from "./find.js";\nexport const sum = async (ids: number[]) => (await Promise.all(ids.map((id) => find({ id })))).length;\n',
    );
    const own = await open(library, { settings: { libraryFolder: library } });
    const code = 'import { sum } from "servers/orders/sum"; return await sum([1, 2, 3])';
    expect(await own.runCode({ code })).toMatchObject({ status: "completed", value: 3 });
    await own.close();
  });

  it("cannot be used to change prototypes", async () => {
    const code = `return await orders.cancelOrder(JSON.parse('{"id": 1, "__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'))`;
    expect((await run(code, { isChecked: false })).value).toEqual({ cancelled: 1 });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("leaves no listing on disk", async () => {
    await run("return await echo.class()");
    const listings = join(folder, "cache", "listings");
    const names = existsSync(listings) ? readdirSync(listings) : [];
    expect(names.filter((name) => name.startsWith("orders"))).toEqual([]);
  });
});

describe("openCoordinator({ tools })", () => {
  const refusal = async (tools: unknown): Promise<{ code?: string; message?: string }> =>
    open(folder, { tools: tools as HostTools }).then(
      () => ({}),
      (error: { code: string; message: string }) => error,
    );

  it("refuses a name that a configured server has", async () => {
    expect(await refusal({ echo: orders })).toMatchObject({
      code: "TOOLS_INVALID",
      message: 'Cannot register the tools "echo": "config option" has a server of that name',
    });
  });

  it.each([
    ["without a function", { own: { find: {} } }, 'the tool "own.find": it has no function "run"'],
    ["with a space in its name", { own: { "find it": orders.note } }, 'the tool "own.find it"'],
    ["of a server whose name is not allowed", { constructor: {} }, "it cannot have that name"],
    [
      "whose input is not an object",
      { own: { find: { input: z.string(), run: orders.note.run } } },
      'its type is "string", expected "object"',
    ],
    [
      "whose schema cannot be expressed as JSON Schema",
      { own: { find: { input: z.object({ at: z.date() }), run: orders.note.run } } },
      'Cannot use the input of "own.find"',
    ],
  ])("refuses a tool %s", async (_what, tools, words) => {
    expect(await refusal(tools)).toMatchObject({ code: "TOOLS_INVALID" });
    expect((await refusal(tools)).message).toContain(words);
  });

  it("works without any configured server", async () => {
    const alone = await openCoordinator({
      config: { mcpServers: {} },
      settings: { cacheFolder: join(folder, "alone"), stateFolder: join(folder, "alone") },
      tools: { orders },
    });
    expect(await alone.runCode({ code: "return (await orders.find(1)).id" })).toMatchObject({ value: 1 });
    expect(alone.serverNames).toEqual(["orders"]);
    expect(alone.warnings).toEqual([]);
    await alone.close();
  });
});

describe("addTools()", () => {
  it("registers tools while the coordinator runs, and notifies clients", async () => {
    const own = await open(folder);
    const changed: string[] = [];
    own.onToolsChanged((server) => changed.push(server));
    await own.addTools({
      "my-tools": { twice: defineTool({ input: z.object({ n: z.number() }), run: ({ n }) => n * 2 }) },
    });
    expect(await own.runCode({ code: "return await myTools.twice({ n: 21 })" })).toMatchObject({ value: 42 });
    expect(changed).toContain("my-tools");
    expect(own.serverNames).toContain("my-tools");
    await expect(own.addTools({ "my-tools": {} })).rejects.toMatchObject({ code: "TOOLS_INVALID" });
    await expect(own.addTools({ my_tools: {} })).rejects.toThrow(
      'in programs "myTools" is already "my-tools"',
    );
    await own.close();
  });
});
