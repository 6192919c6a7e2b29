// Large JSON, read in steps.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeInSteps,
  finishNow,
  isLargeValue,
  NotJson,
  parseInSteps,
  parseJson,
  readJson,
  readTextInSteps,
  type Steps,
  TooLargeNumber,
  TooMuchJson,
} from "../../../src/contracts/index.js";

const parse = (text: string, options = {}): unknown => finishNow(parseInSteps(Buffer.from(text), options));

/** A server can send them, and no character ends in them. */
const notUtf8 = Buffer.alloc(3_300_000, 0x80);

/** The result and the number of steps, which must have an end. */
const countSteps = <Result>(steps: Steps<Result>): readonly [result: Result, steps: number] => {
  for (let count = 1; count < 1000; count++) {
    const { done, value } = steps.next();
    if (done === true) return [value, count];
  }
  throw new Error("too many steps");
};

describe("decodeInSteps()", () => {
  it("decodes bytes that are not UTF-8 in steps, too", () => {
    const [text, count] = countSteps(decodeInSteps(notUtf8));
    expect(text === notUtf8.toString()).toBe(true);
    expect(count).toBeGreaterThan(3);
  });
});

describe("parseInSteps()", () => {
  it("comes to an end for bytes that are not UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from('["'), notUtf8, Buffer.from('"]')]);
    const [value] = countSteps(parseInSteps(bytes));
    expect(JSON.stringify(value) === JSON.stringify(JSON.parse(bytes.toString()))).toBe(true);
  });

  it("returns what parseJson returns, for any JSON", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(parse(text)).toEqual(parseJson(text));
      }),
    );
  });

  it("returns the same for values larger than one step, with every digit, name and escape", () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({
      id,
      text: `Ü "${id}" \\ \u{1f600}`,
      deep: [[id]],
    }));
    const long = 'line \u{1f600} \\ " é\n'.repeat(300_000);
    const whole = JSON.stringify({ rows, long, [long]: 1, __proto__x: { a: rows.slice(0, 5000) } })
      .replace('"id":77,', '"id":1234567890123456789,')
      .replace('"__proto__x"', '"__proto__"')
      .replaceAll("\u{1f600} \\\\", "\\ud83d\\ude00 \\\\");
    expect(JSON.stringify(parse(whole))).toBe(JSON.stringify(parseJson(whole)));
    expect(JSON.stringify(parse(whole))).toContain('"id":1234567890123456789,');
  });

  it("is linear in size, however deeply nested", () => {
    const deep = `${`[${"1,".repeat(3000)}`.repeat(900)}1${"]".repeat(900)}`;
    expect(JSON.stringify(parse(deep))).toBe(deep);
  });

  it("uses the last of two fields with the same name", () => {
    const text = `{"a":1,"b":"${"x".repeat(100_000)}","a":2}`;
    expect(parse(text)).toMatchObject({ a: 2 });
  });

  it.each(["[1", "[1] 2", '{"a" 1}', ""])("refuses %j", (text) => {
    expect(() => parse(text)).toThrow(NotJson);
  });

  it.each(["[1e400]", `[${"9".repeat(350)}]`, `[-${"9".repeat(5000)}]`])(
    "refuses a number that would become infinite",
    (text) => {
      expect(() => parse(text)).toThrow(TooLargeNumber);
    },
  );

  it("refuses more values or levels than are allowed", () => {
    expect(() => parse("[1,2,3]", { maxValues: 3 })).toThrow(TooMuchJson);
    expect(parse("[1,2,3]", { maxValues: 4 })).toEqual([1, 2, 3]);
    expect(() => parse("[[1]]", { maxDepth: 1 })).toThrow("nested deeper than 1 levels");
  });
});

it("readTextInSteps() returns the string of a JSON text", () => {
  const text = '\\ " \u{1f600} é \u0001'.repeat(200_000);
  const bytes = Buffer.from(JSON.stringify(text));
  expect(finishNow(readTextInSteps(bytes, 0, bytes.length))).toBe(text);
});

it("readJson() parses short and long texts alike", async () => {
  for (const count of [1, 100_000])
    expect(JSON.stringify(await readJson(JSON.stringify(Array(count).fill({ a: 1 }))))).toBe(
      JSON.stringify(Array(count).fill({ a: 1 })),
    );
});

describe("isLargeValue()", () => {
  it("finds a large value beside a field without a value", () => {
    const large = Array.from({ length: 10_000 }, (_, id) => id);
    for (const value of [
      { large, last: undefined },
      { first: undefined, large },
    ])
      expect(isLargeValue(value)).toBe(true);
    expect(isLargeValue({ small: 1, last: undefined })).toBe(false);
  });
});
