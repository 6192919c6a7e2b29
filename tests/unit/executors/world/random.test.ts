// Random numbers of the sandbox.
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { importWorld } from "./import-world.js";

type ReadRandom = (count: number) => string;

const { createCrypto, createMathRandom } = await importWorld<{
  createCrypto: (read: ReadRandom) => Pick<typeof crypto, "getRandomValues" | "randomUUID">;
  createMathRandom: (read: ReadRandom) => () => number;
}>("random.mjs");

const readRandom: ReadRandom = (count) => randomBytes(count).toString("latin1");

describe("crypto", () => {
  it("fills arrays with the host's bytes", () => {
    const crypto = createCrypto((count) =>
      String.fromCharCode(...Array.from({ length: count }, (_, at) => at + 250)),
    );

    expect([...crypto.getRandomValues(new Uint8Array(4))]).toEqual([250, 251, 252, 253]);
    expect([...crypto.getRandomValues(new Uint16Array(2).subarray(1))]).toEqual([0xfbfa]);
  });

  it("refuses float arrays and arrays that are too large", () => {
    const crypto = createCrypto(readRandom);

    expect(() => crypto.getRandomValues(new Float64Array(1) as unknown as Uint8Array)).toThrow(TypeError);
    expect(() => crypto.getRandomValues(new Uint8Array(65_537))).toThrow(RangeError);
  });

  it("generates unique version 4 identifiers", () => {
    const crypto = createCrypto(readRandom);
    const made = Array.from({ length: 200 }, () => crypto.randomUUID());

    expect(new Set(made).size).toBe(200);
    for (const one of made)
      expect(one).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});

describe("createMathRandom()", () => {
  it("is evenly distributed from 0 to 1 and reads its seed once", () => {
    let asked = 0;
    const random = createMathRandom((count) => {
      asked++;
      // The same on every machine: a test of randomness must not fail at random.
      return String.fromCharCode(...Array.from({ length: count }, (_, at) => (at * 37 + 11) % 256));
    });
    const tenths = Array<number>(10).fill(0);
    for (let drawn = 0; drawn < 20_000; drawn++) {
      const tenth = Math.floor(random() * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }

    expect(tenths).toHaveLength(10);
    for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200);
    expect(asked).toBe(1);
  });
});
