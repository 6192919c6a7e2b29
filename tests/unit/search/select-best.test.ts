// The best few of many scores.
import { expect, test } from "vitest";
import { selectBest } from "../../../src/search/select-best.js";

const scores = Float64Array.from({ length: 500 }, (_, index) => (index * 7919) % 101);

const sorted = (isBefore: (one: number, two: number) => boolean): number[] =>
  [...scores.keys()]
    .filter((index) => (scores[index] ?? 0) > 0)
    .sort((one, two) => (scores[two] ?? 0) - (scores[one] ?? 0) || (isBefore(one, two) ? -1 : 1));

test.each([0, 1, 7, 100, 499, 1_000])(
  "selectBest() with limit %i is the head of the sorted list",
  (limit) => {
    const isBefore = (one: number, two: number): boolean => one > two;
    expect(selectBest(scores, limit, isBefore)).toEqual(sorted(isBefore).slice(0, limit));
  },
);

test("selectBest() gives equal scores in their own order and leaves out zeros", () => {
  expect(selectBest(Float64Array.of(2, 0, 3, 2, -1), 10)).toEqual([2, 0, 3]);
});
