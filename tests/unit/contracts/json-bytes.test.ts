// Where JSON values start and end.
import { describe, expect, it } from "vitest";
import { NotJson, readElements, skipValue } from "../../../src/contracts/index.js";

const valid = [
  "null",
  "-0.5e+10",
  '"a\\"b\\\\"',
  "[]",
  "{}",
  '[1, [2, {}], {"a": [ ] } ]',
  '{ "k\\"ey" : { "n" : [true,false,null] } , "z" : "]}" }',
];
const invalid = [
  "",
  "[",
  "[1",
  "[1,]",
  "[,1]",
  "{1:2}",
  '{"a" 1}',
  '{"a":1,}',
  '"open',
  '"tab\t"',
  '"\\x"',
  "01",
  "nul",
  "[1 2]",
  "[draft]",
  '"\\u12g4"',
  "-",
  "1.",
  "1e",
  "+1",
];

describe("skipValue", () => {
  it.each(valid)("finds the end of %s", (text) => {
    JSON.parse(text);
    expect(skipValue(Buffer.from(`${text},`), 0)).toBe(Buffer.byteLength(text));
  });

  it.each(invalid)("refuses %j", (text) => {
    expect(() => skipValue(Buffer.from(text), 0)).toThrow(NotJson);
  });

  it("agrees with JSON.parse on a thousand damaged texts", () => {
    const whole = JSON.stringify({ a: [1, -2.5, 'x\\"y', { b: null }], ü: "€", c: [[], {}, true] });
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (let round = 0; round < 1000; round++) {
      const at = next(whole.length);
      const damaged = whole.slice(0, at) + '[]{}",:1\\'[next(9)] + whole.slice(at + next(3));
      const isValid = isJson(damaged);
      const bytes = Buffer.from(damaged);
      const isTaken = (() => {
        try {
          return skipValue(bytes, 0) === bytes.length;
        } catch (error) {
          if (error instanceof NotJson) return false;
          throw error;
        }
      })();
      expect([damaged, isTaken]).toEqual([damaged, isValid]);
    }
  });

  it("does not overflow the stack on deep nesting", () => {
    expect(() => skipValue(Buffer.from("[".repeat(2_000_000)), 0)).toThrow("nested deeper than 1000 levels");
  });
});

describe("readElements", () => {
  it("yields each item and field, in order", () => {
    const bytes = Buffer.from(' { "a" : 1 , "b" : [ 2 , 3 ] } ');
    const texts = [...readElements(bytes, { container: 1 })]
      .flatMap((element) => element ?? [])
      .map(({ keyStart, keyEnd, start, end }) => [
        bytes.toString("utf8", keyStart, keyEnd),
        bytes.toString("utf8", start, end),
      ]);

    expect(texts).toEqual([
      ['"a"', "1"],
      ['"b"', "[ 2 , 3 ]"],
    ]);
  });
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
