// What is refused before a server is called, and in which words.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { toServerCatalog, validateArguments } from "../../../src/catalog/index.js";
import {
  CoordinatorError,
  type JsonObject,
  type JsonSchema,
  type ListedTool,
} from "../../../src/contracts/index.js";
import { toListing, toObjectSchema, toTool } from "./to-listing.js";

const text = { type: "string" };

const catchError = (schema: JsonSchema, value: JsonObject): CoordinatorError | undefined => {
  try {
    validateArguments(toTool(schema), value);
    return undefined;
  } catch (error) {
    if (error instanceof CoordinatorError) return error;
    throw error;
  }
};

/** What follows `Cannot call "shop.place_order": `, or undefined when the arguments fit. */
const explain = (schema: JsonSchema, value: JsonObject): string | undefined =>
  catchError(schema, value)?.message.replace('Cannot call "shop.place_order": ', "");

const explainField = (schema: JsonSchema, value: JsonObject[string]): string | undefined =>
  explain(toObjectSchema({ a: schema }), { a: value })?.replace('argument "a" ', "");

describe("validateArguments() refuses", () => {
  it("a missing argument, naming tool, field and type", () => {
    const error = catchError(toObjectSchema({ title: text, labels: { type: "array" } }, "title"), {});
    expect(error?.code).toBe("ARGUMENTS_INVALID");
    expect(error?.message).toBe(
      'Cannot call "shop.place_order": argument "title" is missing, expected a string',
    );
    expect(error?.hint).toBe("Arguments: title (a string), labels (an array, optional)");
  });

  it.each<[JsonSchema, JsonObject[string], string]>([
    [text, 1, "is a number, expected a string"],
    [{ type: "integer" }, 1.5, "is 1.5, expected an integer"],
    [{ type: ["number", "null"] }, "x", "is a string, expected a number or null"],
    [{ type: "object" }, ["x"], "is an array, expected an object"],
    [{ type: "array", items: text }, "x", "is a string, expected an array, each item a string"],
    [{ enum: ["fast", "safe"] }, "fastt", 'is "fastt", expected one of "fast", "safe"'],
    [{ const: 7 }, 8, "is 8, expected 7"],
    [{ type: "number", minimum: 1 }, 0, "is 0, expected at least 1"],
    [{ type: "number", exclusiveMaximum: 5 }, 5, "is 5, expected less than 5"],
    [{ type: "number", minimum: 1, exclusiveMinimum: true }, 1, "is 1, expected more than 1"],
    [{ type: "string", minLength: 1 }, "", "has 0 characters, expected at least 1"],
    [{ type: "array", maxItems: 1 }, [1, 2], "has 2 items, expected at most 1"],
    [{ anyOf: [text, { type: "null" }] }, 3, "is a number, expected a string or null"],
    [{ oneOf: [{ const: "a" }, { const: "b" }] }, "c", 'is "c", expected "a" or "b"'],
  ])("under the schema %j the value %j: it %s", (schema, value, message) => {
    expect(explainField(schema, value)).toBe(message);
  });

  it("a wrong nested value, and names its path", () => {
    const items = { type: "array", items: toObjectSchema({ price: { type: "number" } }, "price") };
    const message = explain(toObjectSchema({ items }), {
      items: [{ price: 1 }, { price: 2 }, { price: "3" }],
    });
    expect(message).toBe('argument "items[2].price" is a string, expected a number');
  });

  it("a wrong value of a map, a tuple and a reference", () => {
    const map = { type: "object", additionalProperties: { type: "number" } };
    expect(explain(toObjectSchema({ map }), { map: { "x y": "1" } })).toBe(
      'argument "map[\\"x y\\"]" is a string, expected a number',
    );
    const tuple = { type: "array", prefixItems: [text, { type: "number" }] };
    expect(explain(toObjectSchema({ tuple }), { tuple: ["a", "b"] })).toContain('"tuple[1]" is a string');
    const referring = { ...(toObjectSchema({ a: { $ref: "#/$defs/A" } }) as object), $defs: { A: text } };
    expect(explain(referring, { a: 1 })).toBe('argument "a" is a number, expected a string');
  });

  it("an unknown argument where the schema is closed, with the name that was meant", () => {
    const schema = {
      ...(toObjectSchema({ count: { type: "number" } }) as object),
      additionalProperties: false,
    };
    expect(explain(schema, { cuont: 1 })).toBe('unknown argument "cuont", did you mean "count"?');
    expect(explain(schema, { zebra: 1 })).toBe('unknown argument "zebra", expected "count"');
  });

  it("a misspelled required argument where the schema is open, as one problem", () => {
    expect(explain(toObjectSchema({ title: text }, "title"), { titel: "x" })).toBe(
      'unknown argument "titel", did you mean "title"?',
    );
  });

  it("a value of a union, and explains it by the branch that was meant", () => {
    const card = toObjectSchema(
      { kind: { const: "card" }, number: text, name: text },
      "kind",
      "number",
      "name",
    );
    const cash = toObjectSchema({ kind: { const: "cash" } }, "kind");
    const schema = toObjectSchema({ pay: { oneOf: [card, cash] } });
    expect(explain(schema, { pay: { kind: "card", name: "x" } })).toBe(
      'argument "pay.number" is missing, expected a string',
    );
    expect(explain(schema, { pay: { kind: "cheque" } })).toBe(
      'argument "pay.kind" is "cheque", expected one of "card", "cash"',
    );
  });

  it("with at most three problems in its message", () => {
    const fields = ["a", "b", "c", "d"];
    const message = explain(
      toObjectSchema(Object.fromEntries(fields.map((name) => [name, text])), ...fields),
      {},
    );
    expect(message?.match(/is missing/g)).toHaveLength(3);
    expect(message).toMatch(/; and more$/);
  });

  it("in one line of bounded length, whatever text a server or a program sends", () => {
    const message = explainField({ enum: ["x\ny\u202e", "z".repeat(5000)] }, `\n${"w".repeat(5000)}`) ?? "";
    expect(message).not.toMatch(/[\n\u202e]/);
    expect(message.length).toBeLessThan(300);
  });
});

describe("validateArguments() accepts", () => {
  it.each<[string, JsonSchema, JsonObject]>([
    ["matching arguments", toObjectSchema({ a: text, b: { type: "integer" } }, "a"), { a: "x", b: 2 }],
    ["an unknown argument where the schema is open", toObjectSchema({ a: text }), { other: 1 }],
    [
      "a required argument that has a default",
      toObjectSchema({ a: { type: "string", default: "x" } }, "a"),
      {},
    ],
    [
      "null where the schema says nullable",
      toObjectSchema({ a: { type: "string", nullable: true } }),
      { a: null },
    ],
    [
      "a value of the list when the type contradicts the list",
      toObjectSchema({ a: { type: "string", enum: [1] } }),
      { a: 1 },
    ],
    ["a type that no draft defines", toObjectSchema({ a: { type: "file" } }), { a: "x" }],
    [
      "a value that matches two branches of oneOf",
      toObjectSchema({ a: { oneOf: [text, { type: "string", format: "uri" }] } }),
      { a: "x" },
    ],
    ["a reference that cannot be resolved", toObjectSchema({ a: { $ref: "#/$defs/None" } }), { a: 1 }],
    [
      "a reference to another host",
      toObjectSchema({ a: { $ref: "https://example.com/schema.json" } }),
      { a: 1 },
    ],
    [
      "keys that a pattern may allow",
      { type: "object", patternProperties: { "^x": {} }, additionalProperties: false },
      { x1: 1 },
    ],
    [
      "a text of two-unit characters within its length",
      toObjectSchema({ a: { type: "string", maxLength: 2 } }),
      { a: "🎉🎉" },
    ],
    ["anything if the schema is invalid", true, { a: 1 }],
  ])("%s", (_what, schema, value) => {
    expect(explain(schema, value)).toBeUndefined();
  });

  it("a text that would make a pattern of the server run forever", () => {
    const schema = toObjectSchema({ a: { type: "string", pattern: "^(a+)+$" } });
    expect(explain(schema, { a: `${"a".repeat(50_000)}!` })).toBeUndefined();
  });

  it("a value whose schema doubles at every level, because comparing them would take unbounded work", () => {
    const levels = Array.from({ length: 25 }, (_, level): [string, JsonSchema] => [
      `l${level}`,
      { anyOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
    ]);
    const schema = {
      type: "object",
      $ref: "#/$defs/l0",
      $defs: { ...Object.fromEntries(levels), l25: { required: ["x"] } },
    };
    expect(explain(schema, { a: 1 })).toBeUndefined();
  });

  it("a value that is nested deeper than schemas are followed", () => {
    const schema = { type: "object", properties: { a: { $ref: "#" } } };
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}{}${"}".repeat(5000)}`) as JsonObject;
    expect(explain(schema, deep)).toBeUndefined();
  });
});

/** Real calls of real servers, stored beside the checkout and never in it. */
const corpusFolder = resolve(import.meta.dirname, "../../../../shared/corpus");
const hasCorpus = existsSync(corpusFolder);

interface RecordedCall {
  readonly tool: string;
  readonly args?: JsonObject;
  readonly isError?: boolean;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(corpusFolder, file), "utf8"));

describe("validateArguments() of the corpus", () => {
  it("accepts every recorded call that its server answered", ({ skip }) => {
    skip(!hasCorpus, "the corpus of real calls is not beside the checkout (../shared/corpus)");
    const recorded = readJson("e2e-calls.json") as Record<string, { calls: readonly RecordedCall[] }>;
    let count = 0;
    for (const [name, { calls }] of Object.entries(recorded)) {
      const { tools } = readJson(`servers/${name.replace("@", "").replace("/", "__")}.json`) as {
        tools: ListedTool[];
      };
      const catalog = toServerCatalog(toListing(tools), "shop");
      for (const { tool, args } of calls.filter(({ isError }) => isError !== true)) {
        const found = catalog.find(tool);
        if (found === undefined) throw new Error(`${name} has no tool ${tool}`);
        expect(() => validateArguments(found, args ?? {})).not.toThrow();
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(100);
  });
});
