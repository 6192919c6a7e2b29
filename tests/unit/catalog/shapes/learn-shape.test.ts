// What is learned from answers: names and types, never values, bounded, the same in any order.
import { describe, expect, it } from "vitest";
import { joinShapes, readAnswer } from "../../../../src/catalog/index.js";
import { shapeToSchema } from "../../../../src/catalog/shapes/join-shapes.js";
import { type LearnableAnswer, learnShape } from "../../../../src/catalog/shapes/learn-shape.js";
import type { Json, JsonSchema, Shape } from "../../../../src/contracts/index.js";
import { makeAnswer, openRandom } from "./random-answers.js";

const learnAll = (...answers: readonly unknown[]): Shape => {
  let shape: Shape | undefined;
  for (const value of answers) shape = learnShape(shape, { value, isCut: false });
  if (shape === undefined) throw new Error("Nothing was learned");
  return shape;
};

const toSchema = (...answers: readonly unknown[]): JsonSchema => shapeToSchema(learnAll(...answers));

/** Types without the count of answers, which adds up. */
const typeOf = ({ type }: Shape): unknown => type;

describe("learnShape()", () => {
  it("learns the names of fields and the types of their values", () => {
    expect(toSchema({ id: 1, name: "Ada", tags: ["x"], owner: { login: "ada" }, done: false })).toEqual({
      type: "object",
      properties: {
        id: { type: "integer" },
        name: { type: "string" },
        tags: { type: "array", items: { type: "string" } },
        owner: { type: "object", properties: { login: { type: "string" } }, required: ["login"] },
        done: { type: "boolean" },
      },
      required: ["id", "name", "tags", "owner", "done"],
    });
  });

  it("makes a field optional that was missing in an answer or in an item of a list", () => {
    expect(toSchema({ a: 1, b: 2 }, { a: 3 })).toMatchObject({ required: ["a"] });
    expect(toSchema([{ a: 1, b: 2 }, { a: 3 }])).toMatchObject({ items: { required: ["a"] } });
  });

  it("joins different types: integers and numbers become numbers, others a union", () => {
    expect(toSchema([1, 2.5])).toEqual({ type: "array", items: { type: "number" } });
    expect(toSchema({ a: null }, { a: "x" }, { a: [1] })).toMatchObject({
      properties: {
        a: { anyOf: [{ type: "string" }, { type: "array", items: { type: "integer" } }, { type: "null" }] },
      },
    });
  });

  it("says that rows in separate texts can be one, several or none", () => {
    const rows = readAnswer({
      content: [1, 2].map((id) => ({ type: "text", text: JSON.stringify({ id }) })),
    });
    const row = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
    expect(rows).toEqual({ value: [{ id: 1 }, { id: 2 }], isCut: false, isRows: true });
    expect(shapeToSchema(learnShape(undefined, rows as LearnableAnswer))).toEqual({
      anyOf: [row, { type: "array", items: row }, { type: "null" }],
    });
  });

  it("never guesses an enum", () => {
    const schema = JSON.stringify(toSchema(...Array.from({ length: 20 }, () => ({ state: "open" }))));
    expect(schema).toBe('{"type":"object","properties":{"state":{"type":"string"}},"required":["state"]}');
  });

  it("counts the answers", () => {
    expect(learnAll({}, {}, {}).answers).toBe(3);
  });

  it.each([
    ["identifiers", { "4f1c2a34-0b7d-4c1e-9a55-0123456789ab": { n: 1 }, b: { n: 2 } }],
    ["dates", { "2025-01-02": { n: 1 } }],
    ["mail addresses", { "ada@example.com": { n: 1 } }],
    ["numbers", { 17: { n: 1 }, 18: { n: 2 } }],
    ["paths", { "src/index.ts": { n: 1 } }],
    ["addresses", { "https://example.com/x": { n: 1 } }],
    ["names of accounts", { U02AB3CDE: { n: 1 } }],
    ["sentences", { "What a long title this is": { n: 1 } }],
    ["texts that are too long", { ["x".repeat(65)]: { n: 1 } }],
  ])("treats keys that are %s as data and stores none of them", (_what, answer) => {
    const values = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    expect(toSchema(answer)).toEqual({ type: "object", additionalProperties: values });
  });

  it("learns unusual names that are fields", () => {
    const answer = { "@odata.nextLink": "x", "value@odata.count": 1, "First Name": "x", "+1": 2, $ref: "x" };
    expect(toSchema(answer)).toMatchObject({ required: Object.keys(answer) });
  });

  it("turns an object into a map if it has too many fields, or many that are all optional", () => {
    const wide = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`field_${index}`, 1]));
    expect(toSchema(wide)).toEqual({ type: "object", additionalProperties: { type: "integer" } });
    const loose = Array.from({ length: 30 }, (_, index) => ({
      [`key_${String.fromCharCode(97 + index)}`]: "x",
    }));
    expect(toSchema(...loose)).toEqual({ type: "object", additionalProperties: { type: "string" } });
  });

  it("learns nothing about values that are nested too deep", () => {
    let deep: Json = "x";
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(JSON.stringify(toSchema(deep)).length).toBeLessThan(400);
  });

  it("stays small, whatever the answers", () => {
    const random = openRandom(7);
    const name = (): string => `f${Math.floor(random() * 90)}`;
    const grow = (depth: number): Json =>
      depth === 0 ? "x" : Object.fromEntries(Array.from({ length: 12 }, () => [name(), grow(depth - 1)]));
    const shape = learnAll(...Array.from({ length: 10 }, () => grow(4)));
    expect(JSON.stringify(shape).length).toBeLessThan(100_000);
  });

  it("looks at a sample of items from a whole long list", () => {
    const items = Array.from({ length: 100_000 }, (_, index) => (index < 90_000 ? { a: 1 } : { a: 1, b: 2 }));
    expect(toSchema(items)).toMatchObject({
      items: { required: ["a"], properties: { b: { type: "integer" } } },
    });
  });

  it("sees the fields after a large one, even if it skips part of the large one", () => {
    const row = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`c_${index}`, { v: 1 }]));
    const answer = { rows: Array.from({ length: 900 }, () => row), total: 5 };
    expect(toSchema(answer, answer)).toMatchObject({ properties: { total: { type: "integer" } } });
  });

  it("stores no value", () => {
    const random = openRandom(3);
    const shape = learnAll(...Array.from({ length: 200 }, () => makeAnswer(random)));
    expect(JSON.stringify(shape)).not.toMatch(/secret|2025/);
  });

  it("returns the same type object as long as it learns nothing new", () => {
    const first = learnAll({ a: 1, b: [{ c: "x" }] });
    expect(learnShape(first, { value: { a: 2, b: [{ c: "y" }] }, isCut: false }).type).toBe(first.type);
  });
});

describe("joinShapes()", () => {
  const samples = Array.from({ length: 300 }, (_, index) => {
    const random = openRandom(index);
    return Array.from({ length: 1 + (index % 4) }, () => makeAnswer(random));
  });

  it("gives the same shape as learning the answers one after the other", () => {
    for (const [index, answers] of samples.entries()) {
      const more = samples[(index + 1) % samples.length] ?? [];
      const joined = joinShapes(learnAll(...answers), learnAll(...more));
      expect(joined).toEqual(learnAll(...answers, ...more));
    }
  });

  it("does not depend on the order or the grouping", () => {
    for (const [index, answers] of samples.entries()) {
      const [one, two, three] = [0, 1, 2].map((step) =>
        learnAll(...(samples[(index + step) % 300] ?? answers)),
      );
      if (one === undefined || two === undefined || three === undefined) continue;
      expect(joinShapes(one, two)).toEqual(joinShapes(two, one));
      expect(joinShapes(joinShapes(one, two), three)).toEqual(joinShapes(one, joinShapes(two, three)));
    }
  });

  it("changes nothing in a shape that it joins with itself", () => {
    for (const answers of samples) {
      const shape = learnAll(...answers);
      expect(typeOf(joinShapes(shape, structuredClone(shape)))).toEqual(typeOf(shape));
    }
  });
});

describe("readAnswer()", () => {
  const read = (text: string): unknown => readAnswer({ content: [{ type: "text", text }] });

  it("reads structured content, JSON in a text, plain text, and nothing", () => {
    expect(readAnswer({ structuredContent: { a: 1 }, content: [] })).toEqual({
      value: { a: 1 },
      isCut: false,
    });
    expect(read('{"a":1}')).toEqual({ value: { a: 1 }, isCut: false });
    expect(read("hello")).toEqual({ value: "", isCut: false });
    expect(read("{ not json")).toEqual({ value: "", isCut: false });
    expect(readAnswer({ content: [] })).toEqual({ value: null, isCut: false });
  });

  it("learns nothing from an error", () => {
    expect(readAnswer({ isError: true, content: [{ type: "text", text: "{}" }] })).toBeUndefined();
  });

  it("reads only the beginning of a long text and says that it was cut", () => {
    const items = Array.from({ length: 5000 }, (_, id) => ({
      id,
      name: 'a "quoted", [name]',
      tags: ["x", "y"],
    }));
    const answer = readAnswer({
      content: [{ type: "text", text: JSON.stringify({ ok: true, items, total: 5 }) }],
    });
    const shape = answer && learnShape(undefined, answer);
    expect(shape && shapeToSchema(shape)).toEqual({
      type: "object",
      properties: {
        ok: { type: "boolean" },
        items: {
          type: "array",
          items: {
            type: "object",
            properties: {
              id: { type: "integer" },
              name: { type: "string" },
              tags: { type: "array", items: { type: "string" } },
            },
            required: ["id", "name", "tags"],
          },
        },
      },
      required: ["ok", "items"],
      additionalProperties: true,
    });
  });

  it("treats a field beyond the cut as neither optional nor missing", () => {
    const text = JSON.stringify({ items: Array.from({ length: 9000 }, (_, id) => ({ id })), total: 5 });
    const cut = readAnswer({ content: [{ type: "text", text }] });
    if (cut === undefined) throw new Error("Nothing was read");
    const whole = learnShape(undefined, { value: { items: [{ id: 1 }], total: 5 }, isCut: false });
    const expected = { required: ["items", "total"] };
    expect(shapeToSchema(learnShape(whole, cut))).toMatchObject(expected);
    expect(shapeToSchema(joinShapes(learnShape(undefined, cut), whole))).toMatchObject(expected);
    expect(shapeToSchema(learnShape(whole, cut))).not.toHaveProperty("additionalProperties");
  });

  it("finds JSON in the beginning of any long JSON text", () => {
    const random = openRandom(11);
    for (let index = 0; index < 12; index += 1) {
      const value = Array.from({ length: 4000 }, () => makeAnswer(random));
      const text = JSON.stringify(index % 2 === 0 ? value : { deep: [{ value }] }, undefined, index % 3);
      expect(readAnswer({ content: [{ type: "text", text }] })).toMatchObject({ isCut: true });
    }
  });
});
