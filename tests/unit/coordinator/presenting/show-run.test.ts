// What a model reads of a run, with the real tokenizer and a real store.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  defaultLimits,
  type Json,
  type LogLine,
  type StoredValues,
} from "../../../../src/contracts/index.js";
import { type ShowRunOptions, showRun } from "../../../../src/coordinator/presenting/show-run.js";
import { openTokenCounter, type TokenCounter } from "../../../../src/output/index.js";
import { openStore } from "../../../../src/store/index.js";

let folder: string;
let storedValues: StoredValues;
let counter: TokenCounter;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "coordinator-show-"));
  const store = await openStore({ folder, limits: defaultLimits });
  ({ storedValues } = await store.openWorkspace("default"));
  counter = openTokenCounter();
});
afterAll(async () => {
  await counter.close();
  await rm(folder, { recursive: true, force: true });
});

const show = (
  result: { readonly value?: Json; readonly logs?: readonly LogLine[] },
  more: Partial<ShowRunOptions> = {},
) =>
  showRun({
    result: { logs: [], ...result },
    mode: "json",
    language: "typescript",
    outputTokens: 1000,
    counter,
    openValues: async () => storedValues,
    ...more,
  });

const tokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + encode(text).length, 0);
const toLog = (text: string): LogLine => ({ level: "log", text });
const rows = Array.from({ length: 20_000 }, (_, id) => ({
  id,
  title: `Issue ${id} of the list`,
  open: true,
}));

describe("showRun()", () => {
  it("shows output that fits unchanged, and stores nothing", async () => {
    const shown = await show({ value: { a: [1, 2] }, logs: [toLog("one"), toLog("two")] });

    expect(shown).toEqual({ texts: ["one\ntwo", '{"a":[1,2]}'], images: [], cuts: [] });
  });

  it("says that there is no output", async () => {
    expect((await show({})).texts).toEqual(["The program ended without printing or returning anything."]);
  });

  it.each(["json", "text", "toon"] as const)("shows the first rows of a long list as %s", async (mode) => {
    const { texts, cuts } = await show({ value: rows }, { mode });
    const [cut] = cuts;

    expect(tokensOf(texts)).toBeLessThanOrEqual(1000);
    expect(tokensOf(texts)).toBeGreaterThan(700);
    expect(cut).toMatchObject({ of: "returned", unit: "items", total: 20_000 });
    expect(cut?.bytes).toBe(JSON.stringify(rows).length);
    const next = Number(/the first ([\d,]+) are shown/.exec(texts[1] ?? "")?.[1]);
    expect(texts[1]).toContain(`return await page("${cut?.id}", { offset: ${next}, limit: 100 })`);
    const { text } = await storedValues.page(cut?.id ?? "", { offset: next, limit: 2 }, 10_000);
    expect(JSON.parse(text)).toEqual(rows.slice(next, next + 2));
    if (mode === "json") expect(JSON.parse(texts[0] ?? "")).toEqual(rows.slice(0, next));
  });

  it("stores a megabyte of text, shows its beginning and end, and reports its exact size", async () => {
    const text = `begin\n${"ünïcode line of the text\n".repeat(40_000)}end`;
    const { texts, cuts } = await show({ value: text });
    const [cut] = cuts;

    expect(tokensOf(texts)).toBeLessThanOrEqual(1000);
    expect(texts[0]).toMatch(/^begin\n[\s\S]*characters left out[\s\S]*end$/);
    expect(texts[1]).toContain(`${Buffer.byteLength(text).toLocaleString("en-US")} bytes, 40,002 lines`);
    expect(Buffer.from(await storedValues.read(cut?.id ?? "")).toString()).toBe(text);
    const lines = (texts[0] ?? "").split("\n… ")[0]?.split("\n").length;
    expect(cut?.program).toBe(`return await page("${cut?.id}", { offset: ${lines}, limit: 100 })`);
  });

  it("shows the outline of an object with its long lists cut", async () => {
    const { texts, cuts } = await show({ value: { total: 20_000, items: rows, note: "n".repeat(50_000) } });

    expect(tokensOf(texts)).toBeLessThanOrEqual(1000);
    expect(JSON.parse(texts[0] ?? "")).toMatchObject({ total: 20_000, items: { 0: rows[0] } });
    expect(texts[0]).toMatch(/… 19,?\d+ more/);
    expect(cuts[0]?.program).toBe(`return await page("${cuts[0]?.id}", { path: "items", limit: 100 })`);
  });

  it("shows short parts whole and cuts only long ones", async () => {
    const { texts, cuts } = await show({ value: rows, logs: [toLog("a short line")] });

    expect(texts[0]).toBe("a short line");
    expect(cuts.map(({ of }) => of)).toEqual(["returned"]);
    expect(tokensOf(texts)).toBeLessThanOrEqual(1000);
  });

  it("stays within the budget for any text", async () => {
    const texts = ["x", " ", "🎉", "漢字", "\n", '"\\', "0123456789abcdef", "a b\t"].map((one) =>
      one.repeat(15_000),
    );
    for (const value of texts) {
      const shown = await show({ value, logs: [toLog(value)] });
      expect(tokensOf(shown.texts)).toBeLessThanOrEqual(1000);
    }
  });

  it("continues by characters if one line is too long, in the units of each language", async () => {
    const value = "🎉 word ".repeat(20_000);
    for (const language of ["typescript", "python"] as const) {
      const { texts, cuts } = await show({ value }, { language });
      const head = (texts[0] ?? "").split("\n… ")[0] ?? "";
      const [from] = /\d+(?=[,:] ?\d+[\])])/.exec(cuts[0]?.program ?? "") ?? [];
      expect(Number(from)).toBe(language === "python" ? [...head].length : head.length);
    }
  });

  it("shows how to read the rest in Python", async () => {
    const { texts, cuts } = await show({ value: rows }, { language: "python" });

    expect(texts[1]).toMatch(/Read on: page\("k_\w+", offset=\d+, limit=100\)\]$/);
    expect(texts[1]).toContain(cuts[0]?.program ?? "nothing");
  });

  it("reports that the rest could not be stored", async () => {
    const openValues = () => Promise.reject(new Error("no disk"));
    const { texts } = await show({ value: rows }, { openValues });

    expect(texts[1]).toContain("The rest could not be stored: INTERNAL");
    expect(texts[1]).not.toContain("no disk");
  });

  it("returns structured content only in that mode, and only if the whole value is shown", async () => {
    expect((await show({ value: [1] }, { mode: "structured" })).structured).toEqual({ value: [1] });
    expect(await show({ value: [1] })).not.toHaveProperty("structured");
    expect(await show({ value: rows }, { mode: "structured" })).not.toHaveProperty("structured");
  });
});
