// What is read of a tool's record.
import { expect, test } from "vitest";
import { readToolTexts } from "../../../src/search/read-terms.js";

const read = (description: string, inputSchema: Readonly<Record<string, unknown>> = {}) =>
  readToolTexts({ server: "s", name: "n", description, inputSchema });

test("readToolTexts() uses the first sentence as the summary and the rest as details", () => {
  const texts = read("Reads version 1.5 of a file. Use it for text.");
  expect(texts.summary.join("").trim()).toBe("Reads version 1.5 of a file.");
  expect(texts.details.join("").trim()).toBe("Use it for text.");
});

test("readToolTexts() reads parameters, nested ones, and their enumerated values", () => {
  const texts = read("", {
    properties: {
      mode: { description: "How to sort", enum: ["newest", 1, null] },
      filter: { properties: { author: { description: "Who wrote it" } } },
      items: { items: { properties: { sku: {} } } },
    },
  });
  expect(texts.parameterNames).toEqual(["mode", "filter", "author", "items", "sku"]);
  expect(texts.parameterTexts).toEqual(["How to sort", "newest", "Who wrote it"]);
});

test("readToolTexts() reads parameters that are behind references", () => {
  const texts = read("", {
    allOf: [{ $ref: "#/$defs/Input" }],
    $defs: {
      Input: { properties: { mode: { $ref: "#/$defs/Mode" }, items: { items: { $ref: "#/$defs/Item" } } } },
      Mode: { description: "How to sort", enum: ["newest"] },
      Item: { properties: { sku: {} } },
    },
  });
  expect(texts.parameterNames).toEqual(["mode", "items", "sku"]);
  expect(texts.parameterTexts).toEqual(["How to sort", "newest"]);
});

test("readToolTexts() limits the length of texts and the number of parameters", () => {
  const many = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, number) => [`name${number}`, { description: "text ".repeat(1_000) }]),
  );
  const texts = read("word ".repeat(1_000_000), { properties: many });
  const lengthOf = (parts: readonly string[]): number => parts.join("").length;
  expect(lengthOf(texts.summary) + lengthOf(texts.details)).toBeLessThanOrEqual(2_000);
  expect(texts.parameterNames.length).toBeLessThanOrEqual(100);
  expect(lengthOf(texts.parameterTexts)).toBeLessThanOrEqual(1_000);
});

test("readToolTexts() terminates on a schema that contains itself", () => {
  const schema: Record<string, unknown> = { properties: {} };
  schema.properties = { self: schema };
  expect(read("", schema).parameterNames).toEqual(["self", "self"]);
});
