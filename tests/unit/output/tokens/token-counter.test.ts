// Short texts are counted on this thread, long ones on another: the counts are the same.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { openTokenCounter } from "../../../../src/output/index.js";

const sentence = "The quick brown fox jumps over 13 lazy dogs. ";

describe("openTokenCounter()", () => {
  it("counts texts of any length in the same way", async () => {
    const counter = openTokenCounter();
    const texts = [1, 3, 200, 2000, 40_000].map((times) => sentence.repeat(times));
    expect(await Promise.all(texts.map(counter.count))).toEqual(texts.map((text) => countTokens(text)));
    await counter.close();
  });

  it("counts many texts together like one by one", async () => {
    const counter = openTokenCounter();
    const texts = ["", sentence, ...Array.from({ length: 3000 }, (_, at) => `{"value":${at}}`)];
    const sum = texts.reduce((total, text) => total + countTokens(text), 0);
    expect(await counter.countAll(texts)).toBe(sum);
    const long = sentence.repeat(1000);
    expect(await counter.countAll([...texts, long])).toBe(sum + countTokens(long));
    expect(await counter.countAll([])).toBe(0);
    expect(await counter.countAll([sentence, "\u0301".repeat(8_000_000)])).toBeUndefined();
    await counter.close();
  });

  it("drops waiting texts when it is closed, and counts again afterwards", async () => {
    const counter = openTokenCounter();
    const long = sentence.repeat(400_000);
    await counter.count(sentence.repeat(1000));
    const waiting = counter.count(long);
    await new Promise((resolve) => setImmediate(resolve));
    await counter.close();
    expect(await waiting).toBeUndefined();
    expect(await counter.count(sentence.repeat(1000))).toBe(countTokens(sentence.repeat(1000)));
    await counter.close();
  });

  it("limits the size of its queue", async () => {
    const counter = openTokenCounter();
    await counter.warm();
    const long = "word ".repeat(7 * 1024 * 1024);
    const counts = [counter.count(long), counter.count(long)];
    expect(await counts[1]).toBeUndefined();
    await counter.close();
    await counts[0];
  });

  it("continues after a text that cannot be counted", async () => {
    const counter = openTokenCounter();
    expect(await counter.count("\u0301".repeat(8_000_000))).toBeUndefined();
    expect(await counter.count(sentence.repeat(1000))).toBe(countTokens(sentence.repeat(1000)));
    await counter.close();
  });
});
