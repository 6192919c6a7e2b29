// How printed values look.
import { describe, expect, it } from "vitest";
import { importWorld } from "./import-world.js";

const { inspect } = await importWorld<{ inspect: (value: unknown) => string }>("console.mjs");

class Point {
  readonly x: number;
  readonly y: Point | undefined;

  constructor(x: number, y?: Point) {
    this.x = x;
    this.y = y;
  }
}

describe("inspect()", () => {
  it.each([
    ['{"b":1,"list":["x",null,true,1.5]}', { b: 1, list: ["x", null, true, 1.5] }],
    ['{"a":undefined}', { a: undefined }],
    ["undefined", undefined],
    ["12n", 12n],
    ["Symbol(key)", Symbol("key")],
    ["[Function add]", function add() {}],
    ["[Function anonymous]", (() => () => {})()],
    ["[Class Point]", Point],
    ['Point {"x":1,"y":Point {"x":2,"y":undefined}}', new Point(1, new Point(2))],
    [
      'Map(2) {"a" => 1, {"k":1} => [2]}',
      new Map<unknown, unknown>([
        ["a", 1],
        [{ k: 1 }, [2]],
      ]),
    ],
    ['Set(2) {1, "b"}', new Set([1, "b"])],
    ["2026-01-02T03:04:05.000Z", new Date("2026-01-02T03:04:05Z")],
    ["Invalid Date", new Date(Number.NaN)],
    ["/a+/gi", /a+/gi],
    ["Uint8Array(3) [1,2,3]", new Uint8Array([1, 2, 3])],
    ["TypeError: no luck", new TypeError("no luck")],
    [
      'Error: outer {"code":"E1"} [cause: Error: inner]',
      Object.assign(new Error("outer", { cause: new Error("inner") }), { code: "E1" }),
    ],
    ['{"a":1}', Object.assign(Object.create(null), { a: 1 })],
    ["https://a.example/", new URL("https://a.example/")],
  ])("shows %s", (text, value) => {
    expect(inspect(value)).toBe(text);
  });

  it("refuses a promise at any depth: {} would look like an answer", () => {
    expect(() => inspect([{ a: Promise.resolve(1) }])).toThrow(
      'an "await" is missing before the call that created it',
    );
  });

  it("does not change a text", () => {
    expect(inspect('a "quoted"\ntext')).toBe('a "quoted"\ntext');
  });

  it("marks where a value contains itself", () => {
    const loop: Record<string, unknown> = { name: "loop" };
    loop.self = loop;

    expect(inspect([loop, loop])).toBe(
      '[{"name":"loop","self":[Circular]},{"name":"loop","self":[Circular]}]',
    );
  });

  it("calls no getter, and survives values that throw on inspection", () => {
    const guarded = {
      get secret() {
        throw new Error("looked at");
      },
    };
    const trap = new Proxy(
      {},
      {
        getPrototypeOf: () => {
          throw new Error("trapped");
        },
      },
    );

    expect(inspect(guarded)).toBe('{"secret":[Getter]}');
    expect(inspect(trap)).toBe("[Not shown: trapped]");
  });

  it("names values that are nested too deeply", () => {
    let deep: unknown = "bottom";
    for (let level = 0; level < 100_000; level++) deep = [deep];

    expect(inspect(deep)).toContain("[Array]");
  });
});
