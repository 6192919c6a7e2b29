// structuredClone() of the sandbox, compared with Node's.
import { expect, it } from "vitest";
import { importWorld } from "./import-world.js";

const { structuredClone: clone } = await importWorld<{ structuredClone: typeof structuredClone }>(
  "structured-clone.mjs",
);

it("structuredClone() copies what Node copies", () => {
  const value = {
    text: "a",
    nothing: undefined,
    list: Object.assign(Array<number>(3), { 0: 1, 2: 3 }),
    map: new Map<unknown, unknown>([["k", { deep: 1 }]]),
    set: new Set([1, "two"]),
    when: new Date(5),
    pattern: /x/gi,
    bytes: new Uint8Array([1, 2, 3]).subarray(1),
    buffer: new ArrayBuffer(4),
    big: 7n,
    boxed: Object("text"),
    error: new RangeError("far", { cause: "why" }),
    ["__proto__"]: 1,
  };

  const copied = clone(value);

  expect(copied).toEqual(structuredClone(value));
  expect(copied.map.get("k")).not.toBe(value.map.get("k"));
  expect(copied.error).toBeInstanceOf(RangeError);
  expect([...copied.bytes]).toEqual([2, 3]);
  expect(1 in copied.list).toBe(false);
});

it("structuredClone() preserves cycles and shared references", () => {
  const shared = { n: 1 };
  const value: Record<string, unknown> = { a: shared, b: shared };
  value.self = value;

  const copied = clone(value);

  expect(copied.self).toBe(copied);
  expect(copied.a).toBe(copied.b);
  expect(copied.a).not.toBe(shared);
});

it("structuredClone() turns an instance into a plain object", () => {
  class Point {
    x = 1;
  }

  expect(Object.getPrototypeOf(clone(new Point()))).toBe(Object.prototype);
});

it("structuredClone() refuses values that cannot be copied", () => {
  for (const value of [() => 1, { deep: [Symbol("s")] }, Promise.resolve(), new WeakMap()])
    expect(() => clone(value)).toThrow(expect.objectContaining({ name: "DataCloneError" }));
  expect(() => clone(1, { transfer: [new ArrayBuffer(1)] })).toThrow(/transfer/);
});
