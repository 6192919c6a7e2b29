// The guest world as programs see it: the same in every TypeScript engine.
import { afterAll, describe, expect, it } from "vitest";
import { defaultLimits, type Executor, type GuestOutcome } from "../../../../src/contracts/index.js";
import { openIsolateExecutor, openWasmExecutor } from "../../../../src/executors/engines/typescript.js";
import { toJob, toProgram } from "../../../support/guest-job.js";
import { urls } from "./urls.js";

const fields = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;

const parseAll = `
  const fields = ${JSON.stringify(fields)};
  return ${JSON.stringify(urls)}.map(([address, base]) => {
    try {
      const url = base === undefined ? new URL(address) : new URL(address, base);
      return fields.map((field) => url[field]);
    } catch (error) {
      return error.name;
    }
  });`;

const editUrl = `
  const url = new URL("https://user@example.com:8080/a?x=1#h");
  const seen = [];
  const set = (field, value) => { url[field] = value; seen.push(url.href); };
  set("protocol", "http"); set("port", "80"); set("hostname", "Bücher.example"); set("host", "a.example:99");
  set("pathname", "/ü b"); set("search", "q=1 2"); set("hash", ""); set("username", "ü:"); set("password", "p@");
  url.searchParams.append("list", "a&b"); url.searchParams.append("list", "c=d");
  url.searchParams.set("q", "+"); url.searchParams.sort();
  const { searchParams } = url;
  seen.push(url.href, [...searchParams], searchParams.getAll("list"), searchParams.has("q"), searchParams.size, String(searchParams));
  searchParams.delete("list");
  seen.push(url.search, URL.canParse("x"), new URLSearchParams({ a: "1", b: "ü" }).toString(), JSON.stringify({ url }));
  return seen;`;

/** What Node itself returns for a program's body. */
const runHere = (body: string): unknown => JSON.parse(JSON.stringify(new Function(body)()));

describe.each<[string, () => Executor]>([
  ["isolate", () => openIsolateExecutor({ limits: defaultLimits })],
  ["wasm", () => openWasmExecutor({ limits: defaultLimits })],
])("the environment of a program in %s", (_name, open) => {
  const executor = open();
  afterAll(() => executor.close());

  const runWhole = (body: string): Promise<GuestOutcome> => executor.run(toJob({ code: toProgram(body) }));
  const run = async (body: string): Promise<unknown> => {
    const outcome = await runWhole(body);
    if (outcome.status !== "completed") throw new Error(JSON.stringify(outcome));
    return JSON.parse(outcome.valueJson ?? "null");
  };

  it("has common web functions", async () => {
    const names =
      "console setTimeout clearTimeout setInterval clearInterval sleep queueMicrotask crypto performance structuredClone atob btoa TextEncoder TextDecoder URL URLSearchParams AbortController AbortSignal Event EventTarget DOMException ToolError servers callTool".split(
        " ",
      );

    expect(
      await run(`return ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] === "undefined")`),
    ).toEqual([]);
  });

  it("has no access to network, process, modules or shared memory", async () => {
    const names =
      "fetch XMLHttpRequest WebSocket process require module Deno Bun Buffer navigator WebAssembly SharedArrayBuffer Atomics gc importScripts installGuest".split(
        " ",
      );

    expect(
      await run(`return ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] !== "undefined")`),
    ).toEqual([]);
    expect(await runWhole("return await fetch('https://example.com')")).toMatchObject({
      status: "failed",
      failure: { name: "ReferenceError", message: expect.stringMatching(/fetch.*not defined/) },
    });
  });

  it(`parses ${urls.length} URLs as Node does`, async () => {
    const found = (await run(parseAll)) as readonly unknown[];
    const wanted = runHere(parseAll) as readonly unknown[];

    expect(found.map((one, at) => [urls[at], one])).toEqual(wanted.map((one, at) => [urls[at], one]));
  });

  it("edits a URL as Node does", async () => {
    expect(await run(editUrl)).toEqual(runHere(editUrl));
  });

  it("draws different random numbers in every run", async () => {
    const draw =
      "return [crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(8))].join(), Math.random(), Math.random()]";
    const drawn = [await run(draw), await run(draw), await run(draw)].flat();

    expect(new Set(drawn).size).toBe(12);
  });

  it("prints values that JSON cannot represent", async () => {
    const { logs } = await runWhole(
      'console.log("%s:", "a", new Map([["k", new Set([1])]]), new TypeError("no"), undefined); console.table([{ a: 1 }]); console.warn(new URL("https://a.example"))',
    );

    expect(logs).toEqual([
      { level: "log", text: 'a: Map(1) {"k" => Set(1) {1}} TypeError: no undefined' },
      { level: "log", text: "|  | a |\n| --- | --- |\n| 0 | 1 |" },
      { level: "warn", text: "https://a.example/" },
    ]);
  });

  it("keeps time in whole milliseconds", async () => {
    expect(
      await run(
        "const from = performance.now(); await sleep(20); const took = performance.now() - from; return [Number.isInteger(took), took >= 19]",
      ),
    ).toEqual([true, true]);
  });

  it("repeats, stops and cancels timers", async () => {
    expect(
      await run(`const seen = [];
        const every = setInterval((word) => { seen.push(word); if (seen.length === 3) clearInterval(every); }, 1, "tick");
        clearTimeout(setTimeout(() => seen.push("never"), 1));
        while (seen.length < 3) await sleep(1);
        await new Promise((resolve) => AbortSignal.timeout(20).addEventListener("abort", resolve));
        queueMicrotask(() => seen.push("micro")); await null;
        return seen;`),
    ).toEqual(["tick", "tick", "tick", "micro"]);
  });

  it("rejects a timer that is not a function", async () => {
    expect(await runWhole('setTimeout("alert(1)", 1)')).toMatchObject({
      status: "failed",
      failure: {
        name: "TypeError",
        message: "Cannot set a timer: expected a function, found string",
        line: 2,
      },
    });
  });

  it("fails a program whose timer throws and reports the line", async () => {
    expect(
      await runWhole('await null;\nsetTimeout(() => { throw new Error("late") }, 1);\nawait sleep(500)'),
    ).toMatchObject({
      status: "failed",
      failure: { message: "late", line: 3 },
    });
  });

  it("keeps working when a program breaks its own globals", async () => {
    const breaks = `
      const broken = () => { throw new Error("broken"); };
      JSON.stringify = JSON.parse = String = Map.prototype.get = Map.prototype.set = Promise.prototype.then = broken;
      globalThis.Error = globalThis.Promise = globalThis.Map = Object.defineProperty = undefined;`;

    expect(await run(`${breaks}\nreturn [await callTool("server", "tool", { a: 1 }), "still here"]`)).toEqual(
      [null, "still here"],
    );
  });
});
