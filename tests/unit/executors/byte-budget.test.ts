// Limits the bytes that the host holds for one run and for all runs.
import { describe, expect, it } from "vitest";
import { ByteBudget } from "../../../src/executors/host/byte-budget.js";

const mebibyte = 1024 * 1024;
const open = (maxBytes: number, maxHostBytes = 1024 * mebibyte): ByteBudget =>
  new ByteBudget({ maxBytes, maxHostBytes });
const fail = (): void => {
  throw new Error("Nobody waits here");
};

describe("ByteBudget", () => {
  it("makes requests that do not fit wait until there is space", () => {
    const budget = open(100);
    let turns = 0;
    expect(budget.take(60, fail)).toBe(true);
    expect(budget.take(60, () => turns++)).toBe(false);

    budget.release(10);
    expect(turns).toBe(0);
    budget.release(50);
    expect(turns).toBe(1);
    budget.close();
  });

  it("lets a request larger than the whole budget pass alone", () => {
    const budget = open(100);
    expect(budget.take(1000, fail)).toBe(true);
    expect(budget.take(1, () => {})).toBe(false);
    budget.close();
  });

  it("limits all runs together to one budget, in order of arrival", () => {
    const most = 10 * mebibyte;
    const [first, second, third] = [open(most, most), open(most, most), open(most, most)];
    const order: string[] = [];
    expect(first.take(9 * mebibyte, fail)).toBe(true);
    expect(second.take(8 * mebibyte, () => order.push("second"))).toBe(false);
    // It would fit, but the other one arrived first.
    expect(third.take(3 * mebibyte, () => order.push("third"))).toBe(false);

    first.close();

    expect(order).toEqual(["second", "third"]);
    second.close();
    third.close();
  });

  it("never makes a run's first mebibyte wait for other runs", () => {
    const most = 4 * mebibyte;
    const [greedy, modest] = [open(most, most), open(most, most)];
    greedy.take(8 * mebibyte, fail);

    expect(modest.take(mebibyte, fail)).toBe(true);
    greedy.close();
    modest.close();
  });

  it("releases everything and drops waiting requests when its run ends", () => {
    const most = 4 * mebibyte;
    const [over, waiting, last] = [open(most, most), open(most, most), open(most, most)];
    over.take(4 * mebibyte, fail);
    waiting.take(4 * mebibyte, fail);
    waiting.close();
    over.close();
    over.release(4 * mebibyte);

    expect(last.take(4 * mebibyte, fail)).toBe(true);
    last.close();
  });
});
