// JSON without rounding, and what a model reads of it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, OutputMode } from "../../../src/contracts/index.js";
import { parseJson, readLargeInteger, toBigIntegers, toJson } from "../../../src/contracts/index.js";
import { renderValue } from "../../../src/output/render-value.js";

const large = '{"id":1234567890123456789,"list":[-9007199254740993,1.5,1e20],"text":"1234567890123456789"}';

describe("parseJson()", () => {
  it("returns what JSON.parse returns, except for large integers", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
    const odd = String.raw`{"12345678901234567890\"":"\\","a":12345678901234567890,"b":"x\\\"1e999","c":[-12345678901234567890,1.5e300]}`;
    expect(JSON.stringify(parseJson(odd))).toBe(odd.replace("1.5e300", "1.5e+300"));
  });

  it("is linear in texts of quotes, escapes and digits", () => {
    for (const part of [String.raw`\"`, String.raw`\\`, "1234567890123456,", `"1234567890123456"`])
      expect(() => parseJson(`"${part.repeat(200_000)}`)).toThrow(SyntaxError);
  });

  it("keeps the digits of integers that a number cannot hold", () => {
    expect(JSON.stringify(parseJson(large))).toBe(large.replace("1e20", "100000000000000000000"));
  });

  it("returns plain numbers for all others", () => {
    expect(parseJson('[9007199254740991,1234567890123456,0.1,"1234567890123456789"]')).toEqual([
      9007199254740991,
      1234567890123456,
      0.1,
      "1234567890123456789",
    ]);
  });

  it.each(["1e400", "[-1e999]", '{"a":1E+400}'])("refuses %s, which would become null", (text) => {
    expect(() => parseJson(text)).toThrow("too large");
  });

  it("does not mistake a look-alike object for an exact integer", () => {
    expect(readLargeInteger(parseJson('{"rawJSON":"1234567890123456789"}'))).toBeUndefined();
  });
});

it("a JavaScript function gets BigInts, and may return them", () => {
  expect(toBigIntegers(parseJson(large))).toMatchObject({ id: 1234567890123456789n });
  expect(JSON.stringify(toJson({ id: 1234567890123456789n, small: 5n }))).toBe(
    '{"value":{"id":1234567890123456789,"small":5}}',
  );
});

it.each<OutputMode>(["json", "text", "toon", "structured"])(
  "a model reads every digit in %s",
  async (mode) => {
    const rows = parseJson(`[${large},${large}]`) as Json;

    expect(await renderValue(rows, mode)).toContain("1234567890123456789");
    expect(await renderValue(rows, mode)).not.toContain("rawJSON");
  },
);
