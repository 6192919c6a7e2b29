// Work that is done once.
import { expect, it } from "vitest";
import { oncePer } from "../../../src/contracts/index.js";

it("oncePer() computes a value once for each key, also if it is undefined", () => {
  const computed: object[] = [];
  const read = oncePer((key: object) => {
    computed.push(key);
    return undefined;
  });
  const [one, other] = [{}, {}];
  expect([read(one), read(one), read(other), read(one)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(computed).toEqual([one, other]);
});

it("oncePer() computes again after a failure", () => {
  let attempts = 0;
  const read = oncePer((_key: object) => {
    if (++attempts === 1) throw new Error("not yet");
    return attempts;
  });
  const key = {};
  expect(() => read(key)).toThrow("not yet");
  expect([read(key), read(key)]).toEqual([2, 2]);
});
