// Landlock rulesets for each version of the kernel interface.
import { expect, it } from "vitest";
import { toRuleset } from "../../../../src/executors/walls/landlock.mjs";

const toWords = (bytes: Buffer): readonly bigint[] =>
  Array.from({ length: bytes.length / 8 }, (_, at) => bytes.readBigUInt64LE(at * 8));

it("toRuleset() removes every right that the kernel's Landlock version knows, and lists no other", () => {
  expect(toWords(toRuleset(1))).toEqual([0x1fffn]);
  expect(toWords(toRuleset(3))).toEqual([0x7fffn]);
  expect(toWords(toRuleset(4))).toEqual([0x7fffn, 3n]);
  expect(toWords(toRuleset(5))).toEqual([0xffffn, 3n]);
  expect(toWords(toRuleset(7))).toEqual([0xffffn, 3n, 3n]);
});
