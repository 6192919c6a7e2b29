// A gate bounds what is in progress at once, by number or by size, and preserves the order of what waits.
import { expect, test } from "vitest";
import { createGate } from "../../../src/bridge/pipeline.js";

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a gate admits as much as fits, then the rest in order", async () => {
  const gate = createGate(10);
  const entered: string[] = [];
  const enter = async (name: string, size: number) => {
    const leave = await gate.enter(size);
    entered.push(name);
    return leave;
  };
  const first = await enter("first", 6);
  const second = enter("second", 5);
  // It would fit, but it arrived later.
  const third = enter("third", 1);
  await settled();
  expect(entered).toEqual(["first"]);
  first();
  await Promise.all([second, third]);
  expect(entered).toEqual(["first", "second", "third"]);
});

test("a gate admits a request larger than itself if nothing else is in progress", async () => {
  const gate = createGate(10);
  const leave = await gate.enter(100);
  let isInside = false;
  const next = gate.pass(async () => {
    isInside = true;
  });
  await settled();
  expect(isInside).toBe(false);
  leave();
  await next;
  expect(isInside).toBe(true);
});

test("a gate frees the space of work that failed", async () => {
  const gate = createGate(1);
  await expect(gate.pass(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await gate.pass(async () => "in")).toBe("in");
});

test("a gate admits nothing after it was closed", async () => {
  const gate = createGate(1);
  const leave = await gate.enter();
  const entered: string[] = [];
  void gate.enter().then(() => entered.push("waited"));
  gate.close();
  leave();
  void gate.enter().then(() => entered.push("came later"));
  await settled();
  expect(entered).toEqual([]);
});
