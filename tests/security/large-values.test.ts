// Large values, honest or hostile, never block the host: servers and programs produce them, in separate processes, while the
// longest block of this one is measured (tests/support/watch-host.ts).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunResult } from "../../src/index.js";
import { fixturePath, type RunningFixture, startFixture } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

let fixture: OpenFixture;
let running: readonly RunningFixture[] = [];

beforeAll(async () => {
  running = await Promise.all([
    startFixture("heavy", ["--http"]),
    startFixture("heavy", ["--http", "--events"]),
  ]);
  const [plain, events] = running.map(({ port }) => ({ url: `http://127.0.0.1:${port}/mcp` }));
  fixture = await openFixture({
    stdio: { command: process.execPath, args: [fixturePath("heavy")] },
    plain: plain ?? {},
    events: events ?? {},
  });
  // Loading modules once is not part of the measurement.
  for (const wire of ["stdio", "plain", "events"])
    await fixture.run(
      `await ${wire}.rows({ count: 20_000 }); const h = await keep([1]); await h.query({ select: ["a"] })`,
    );
  await fixture.run("stdio.numbers(count=1)", { language: "python" });
});
afterAll(async () => {
  await fixture.close();
  await Promise.all(running.map(({ stop }) => stop()));
});

const run = (code: string, more: Parameters<OpenFixture["run"]>[1] = {}): Promise<RunResult> =>
  fixture.run(code, { limits: { timeoutMs: 120_000, memoryMb: 1024 }, ...more });
const resultOf = async (code: string, more: Parameters<OpenFixture["run"]>[1] = {}): Promise<unknown> => {
  const { value, error } = await run(code, more);
  return error ?? value;
};

describe.each([
  ["stdio", 400_000, 1_100_000],
  ["plain", 100_000, 300_000],
  ["events", 100_000, 300_000],
])("an answer over %s", (wire, count, lines) => {
  test(`of ${count} fields reaches the program`, async () => {
    const code = `const all = await ${wire}.fields({ count: ${count} }); return [Object.keys(all).length, all.field${count - 1}]`;
    expect(await resultOf(code)).toEqual([count, count - 1]);
  });

  test("of 200,000 large integers reaches the program with all digits", async () => {
    const code = `const { list } = await ${wire}.digits({ count: 200_000 }); return [list.length, list.at(-1)]`;
    expect(JSON.stringify(await resultOf(code))).toBe("[200000,1234567890123456789]");
  });

  test(`of ${lines} lines of text reaches the program`, async () => {
    const code = `const text = await ${wire}.text({ count: ${lines} }); return [text.length, text.slice(-12)]`;
    expect(await resultOf(code)).toEqual([39 * lines, "and é and 日本.\n".slice(-12)]);
  });

  test(`of ${count} content blocks reaches the program`, async () => {
    const code = `const text = await ${wire}.blocks({ count: ${count} }); return text.split("\\n").length`;
    expect(await resultOf(code)).toBe(count);
  });

  test("nested a million levels deep is refused", async () => {
    expect(
      await resultOf(`return await ${wire}.deep({ count: 1_000_000 }).catch((error) => error.code)`),
    ).toBe("RESULT_INVALID");
  });
});

describe("an answer", () => {
  test("of 100,000 images reaches the program, and so do raw blocks and errors", async () => {
    const code = `const images = await stdio.images({ count: 100_000 });
      const raw = await stdio.blocks.raw({ count: 100_000 });
      const failed = await stdio.error({ count: 300_000 }).catch((error) => error.code);
      return [images.length, images.at(-1).data, raw.content.length, failed]`;
    expect(await resultOf(code)).toEqual([100_000, "99999", 100_000, "TOOL_FAILED"]);
  });

  test("also reaches a Python program", async () => {
    const code =
      "found = stdio.numbers(count=500_000)['list']\n[len(found), stdio.digits(count=100_000)['list'][-1]]";
    expect(JSON.stringify(await resultOf(code, { language: "python" }))).toBe("[500000,1234567890123456789]");
  });

  test("arrives completely next to dozens of others", async () => {
    const code = `const all = await Promise.all(Array.from({ length: 24 }, () => stdio.numbers({ count: 200_000 })));
      return all.map(({ list }) => list.length).join()`;
    expect(await resultOf(code)).toBe(Array(24).fill(200_000).join());
  });

  test("is returned as a value to a caller that uses no program", async () => {
    const call = (tool: string, count: number) =>
      fixture.coordinator.callTool({ server: "stdio", tool, arguments: { count } });
    const { list } = (await call("digits", 300_000)) as { readonly list: readonly unknown[] };
    expect([list.length, JSON.stringify(list.at(-1))]).toEqual([300_000, "1234567890123456789"]);
    expect(await call("fields", 400_000)).toHaveProperty("field399999", 399_999);
    await expect(call("deep", 1_000_000)).rejects.toMatchObject({ code: "RESULT_INVALID" });
  });

  test("has its type learned, whatever its size", async () => {
    await run("await stdio.rows({ count: 100_000 }); await stdio.fields({ count: 100_000 })");
    const shown = await fixture.coordinator.showTool({ server: "stdio", tool: "rows" });
    expect(JSON.stringify(shown)).toContain("open");
  });
});

describe("arguments", () => {
  test("of a 15 MB text arrive complete", async () => {
    const code = 'return (await stdio.take({ value: "é".repeat(5_000_000) + "x".repeat(5_000_000) })).bytes';
    expect(await resultOf(code)).toBe(10_000_002);
  });

  test("of 90,000 values arrive complete", async () => {
    const code =
      "return (await stdio.take({ value: Array.from({ length: 90_000 }, (_, at) => at % 2 ? at : 10n ** 18n) })).bytes";
    expect(await resultOf(code)).toBeGreaterThan(900_000);
  });

  test("of 90,000 fields arrive complete", async () => {
    const code = `const value = Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => ["field" + at, at]));
      return (await stdio.take({ value })).bytes`;
    expect(await resultOf(code)).toBeGreaterThan(1_000_000);
  });

  test.each([
    ["500,000 fields", "Object.fromEntries(Array.from({ length: 500_000 }, (_, at) => ['f' + at, at]))"],
    ["a million large integers", "Array.from({ length: 700_000 }, () => 10n ** 18n)"],
  ])(
    "of %s are refused, and the message names the limit",
    async (_name, value) => {
      const code = `return await stdio.take({ value: ${value} }).catch((error) => error.code + " " + error.message)`;
      expect(await resultOf(code)).toMatch(/^ARGUMENTS_INVALID .*100000 values.*limits\.argumentValues/);
    },
    120_000,
  );
});

describe("a stored value", () => {
  const make =
    "Array.from({ length: 150_000 }, (_, id) => ({ id, title: 'Title ' + id, big: 10n ** 18n + BigInt(id) }))";

  test("of 450,000 fields is stored, described, queried and loaded", async () => {
    const code = `const rows = await keep(${make});
      const found = await rows.query({ where: { big: { gte: 10n ** 18n + 149_998n } }, select: ["id", "big"] });
      const loaded = await rows.load();
      const [last] = await rows.page({ offset: 149_999, limit: 1 });
      return [(await rows.peek()).count, found, loaded.length, last.id, await rows.query({ count: true })]`;
    expect(JSON.stringify(await resultOf(code))).toBe(
      '[150000,[{"id":149998,"big":1000000000000149998},{"id":149999,"big":1000000000000149999}],150000,149999,150000]',
    );
  });

  test("is queried concurrently", async () => {
    const code = `const rows = await keep(${make});
      const counts = await Promise.all(Array.from({ length: 12 }, (_, at) => rows.query({ where: { id: { lt: at } }, count: true })));
      return counts`;
    expect(await resultOf(code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test("is queried with large conditions", async () => {
    const code = `const fields = Object.fromEntries(Array.from({ length: 8000 }, (_, at) => ["field" + at, at]));
      const empty = Array.from({ length: 4000 }, () => ({}));
      const rows = await keep([{ fields, empty }]);
      const count = (where) => rows.query({ where, count: true });
      return [await count({ fields: { in: empty } }), await count({ fields: { in: [...empty, fields] } }),
        await count({ empty: { contains: fields } }), await count({ "empty[*]": empty, fields: { ne: empty } })]`;
    expect(await resultOf(code)).toEqual([0, 1, 0, 1]);
  }, 120_000);

  test.each([
    ["conditions", "where: Object.fromEntries(Array.from({ length: 101 }, (_, at) => ['field' + at, at]))"],
    ["fields", "select: Array.from({ length: 101 }, (_, at) => 'field' + at)"],
  ])("is not queried with more than 100 %s", async (what, options) => {
    const code = `const rows = await keep([{ a: 1 }]);
      return await rows.query({ ${options} }).catch((error) => error.code + " " + error.message)`;
    expect(await resultOf(code)).toMatch(`ARGUMENTS_INVALID Cannot query by 101 ${what}: at most 100`);
  });

  test("of one huge field or of 50 MB of text is read in parts", async () => {
    const code = `const list = await stdio.numbers.keep({ count: 2_000_000 });
      const inner = await list.query({ path: "list", offset: 1_999_999 });
      const text = await stdio.text.keep({ count: 1_100_000 });
      const lines = await text.query({ path: "nothing of it" });
      return [inner, lines, (await text.page({ offset: 1_000_000, limit: 1 })).length, (await text.peek()).kind, (await text.load()).length]`;
    expect(await resultOf(code)).toEqual([[7], [], 38, "text", 42_900_000]);
  });

  test("can be passed in a call's arguments", async () => {
    const code = `const list = await stdio.digits.keep({ count: 60_000 });
      return (await stdio.take({ value: list })).bytes`;
    expect(await resultOf(code)).toBeGreaterThan(60_000);
  });
});

test.each(["text", "toon", "json", "structured"] as const)(
  "a result of 500 levels is shown as %s, a deeper one is refused",
  async (output) => {
    const nest = (levels: number) =>
      `let value = Array.from({ length: 5000 }, (_, at) => (at % 2 ? { a: [{}] } : { b: 1 }));
       for (let level = 0; level < ${levels}; level++) value = { value };
       return value`;
    const { status, shown } = await run(nest(490), { output });
    expect(status).toBe("completed");
    expect(shown?.texts.join("").length).toBeLessThan(100_000);
    expect(await run(nest(2000), { output })).toMatchObject({
      status: "failed",
      error: { code: "PROGRAM_FAILED", message: expect.stringContaining("nested too deeply") },
    });
  },
  120_000,
);

test("a result of a megabyte of values is returned", async () => {
  const code = "return Array.from({ length: 40_000 }, () => 10n ** 18n)";
  expect((await run(code)).value).toHaveLength(40_000);
  const numbers = "return Array.from({ length: 500_000 }, () => 7)";
  expect((await run(numbers)).value).toHaveLength(500_000);
});
