// Simulated answers: marked, the same for the same call, and fitting what is declared or learned.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { simulateAnswer, toServerCatalog } from "../../../../src/catalog/index.js";
import { shapeToSchema } from "../../../../src/catalog/shapes/join-shapes.js";
import { learnShape } from "../../../../src/catalog/shapes/learn-shape.js";
import { simulatedMark } from "../../../../src/catalog/simulate/simulate-answer.js";
import type { JsonSchema, ListedTool, Shape, Tool, ToolResult } from "../../../../src/contracts/index.js";
import { makeAnswer, openRandom } from "../shapes/random-answers.js";

const corpusFolder = resolve(import.meta.dirname, "../../../../../shared/corpus/servers");

const toTools = (server: string, tools: readonly ListedTool[]): readonly Tool[] =>
  toServerCatalog({ server, tools, resources: [], resourceTemplates: [], prompts: [] }, "shop").tools;

const toTool = (outputSchema?: JsonSchema): Tool => {
  const listed = { name: "get_order", inputSchema: { type: "object" } };
  const [tool] = toTools("shop", [outputSchema === undefined ? listed : { ...listed, outputSchema }]);
  if (tool === undefined) throw new Error("The catalog is empty");
  return tool;
};

/** What a program would get. */
const readValue = ({ structuredContent, content }: ToolResult): unknown => {
  const text = content?.[0]?.text ?? "null";
  try {
    return structuredContent ?? JSON.parse(text);
  } catch {
    return text;
  }
};

/** As text, because an object with a field called `then` would be taken for a promise. */
const conditional = JSON.parse(`{
  "type": "object",
  "properties": { "ok": { "type": "boolean" }, "error": { "type": ["string", "null"] } },
  "required": ["ok", "error"],
  "if": { "properties": { "ok": { "const": true } } },
  "then": { "properties": { "error": { "type": "null" } } },
  "else": { "properties": { "error": { "type": "string" } } }
}`) as JsonSchema;

// One of each for all schemas: creating one takes longer than compiling a schema.
const options = { strict: false, logger: false, ownProperties: true, addUsedSchema: false } as const;
const oldAjv = new Ajv(options);
const newAjv = new Ajv2020(options);
addFormats.default(oldAjv);
addFormats.default(newAjv);

const toValidator = (schema: JsonSchema) => {
  const isOld = typeof schema === "object" && String(schema.$schema).includes("draft-07");
  return (isOld ? oldAjv : newAjv).compile(schema);
};

const findMisfits = (schema: JsonSchema, tool: Tool, shape?: Shape): readonly string[] => {
  const validate = toValidator(schema);
  return ["a", "b", "c"].flatMap((seed) => {
    const value = readValue(simulateAnswer({ tool, arguments: {}, seed, ...(shape ? { shape } : {}) }));
    return validate(value) ? [] : [`${tool.server}.${tool.name}: ${JSON.stringify(validate.errors)}`];
  });
};

describe("simulateAnswer()", () => {
  it("marks simulated answers", () => {
    for (const tool of [toTool(), toTool({ type: "object" })])
      expect(simulateAnswer({ tool, arguments: {} })._meta).toEqual({ [simulatedMark]: true });
  });

  it("answers with a text if nothing is known about a tool's results", () => {
    const { content, structuredContent } = simulateAnswer({ tool: toTool(), arguments: {} });
    expect(structuredContent).toBeUndefined();
    expect(content?.[0]?.text).toContain('Simulated answer of "shop.get_order"');
  });

  it("gives the same answer to the same call and a different one to another call", () => {
    const tool = toTool({
      type: "object",
      properties: { id: { type: "integer", minimum: 0, maximum: 1_000_000_000 } },
      required: ["id"],
    });
    const ask = (given: { readonly [key: string]: number }, seed?: string): unknown =>
      simulateAnswer({ tool, arguments: given, ...(seed === undefined ? {} : { seed }) }).structuredContent;
    expect(ask({ a: 1, b: 2 })).toEqual(ask({ b: 2, a: 1 }));
    expect(ask({ a: 1 })).not.toEqual(ask({ a: 2 }));
    expect(ask({ a: 1 }, "x")).not.toEqual(ask({ a: 1 }, "y"));
  });

  it.each<[string, JsonSchema]>([
    ["formats", { type: "array", minItems: 5, items: { type: "string", format: "date-time" } }],
    ["patterns that are simple", { type: "string", pattern: "^id_[0-9]{4}-[a-f]+\\.x?$" }],
    ["lengths", { type: "string", minLength: 40, maxLength: 41 }],
    ["ranges", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }],
    ["multiples", { type: "integer", minimum: 10, maximum: 20, multipleOf: 5 }],
    ["tuples", { type: "array", prefixItems: [{ type: "string" }, { const: 4 }], items: false, minItems: 2 }],
    ["different items", { type: "array", items: { enum: [1, 2, 3] }, minItems: 3, uniqueItems: true }],
    ["maps", { type: "object", additionalProperties: { type: "boolean" }, minProperties: 3 }],
    [
      "keys",
      { type: "object", propertyNames: { pattern: "^k[0-9]{3}$" }, additionalProperties: { type: "null" } },
    ],
    [
      "unions",
      { oneOf: [{ type: "string" }, { type: "object", required: ["a"], properties: { a: { const: 1 } } }] },
    ],
    [
      "parts that all hold",
      {
        allOf: [
          { type: "object", properties: { a: { type: "number", minimum: 3 } }, required: ["a"] },
          { properties: { a: { type: "integer", maximum: 4 }, b: { type: "string" } }, required: ["b"] },
        ],
      },
    ],
    ["conditions", conditional],
    [
      "recursion",
      {
        $ref: "#/$defs/node",
        $defs: {
          node: {
            type: "object",
            properties: {
              name: { type: "string" },
              children: { type: "array", items: { $ref: "#/$defs/node" } },
            },
            required: ["name", "children"],
          },
        },
      },
    ],
  ])("fits %s", (_what, schema) => {
    expect(findMisfits(schema, toTool(schema))).toEqual([]);
  });

  it("fits the learned shape", () => {
    for (let seed = 0; seed < 10; seed += 1) {
      const random = openRandom(seed);
      let shape: Shape | undefined;
      for (let index = 0; index < 5; index += 1)
        shape = learnShape(shape, { value: { answer: makeAnswer(random) }, isCut: false });
      if (shape !== undefined) expect(findMisfits(shapeToSchema(shape), toTool(), shape)).toEqual([]);
    }
  });

  it("ignores an enum that is not a list when it chooses the smallest branch", () => {
    let schema: JsonSchema = { anyOf: [{ type: "object", enum: "a" }, { type: "boolean" }] };
    for (let level = 0; level < 6; level += 1)
      schema = { type: "object", properties: { a: schema }, required: ["a"] };
    const { content } = simulateAnswer({ tool: toTool(schema), arguments: {} });
    expect(content?.[0]?.text).toMatch(/^(\{"a":){6}(true|false)\}{6}$/);
  });

  it("ends with schemas that are endless", () => {
    const twice = {
      type: "object",
      properties: { a: { $ref: "#" }, b: { $ref: "#" } },
      required: ["a", "b"],
    };
    const schemas: readonly JsonSchema[] = [
      twice,
      { $ref: "#" },
      { allOf: [{ $ref: "#" }, { $ref: "#" }] },
      { type: "object", minProperties: 1e9, additionalProperties: { type: "string" } },
      { type: "array", minItems: 1e9, items: { type: "string", minLength: 1e9 } },
      { $ref: "https://example.com/elsewhere.json" },
      true,
      false,
    ];
    for (const schema of schemas)
      expect(JSON.stringify(simulateAnswer({ tool: toTool(schema), arguments: {} })).length).toBeLessThan(
        2_000_000,
      );
  });

  it("fits every declared output of the corpus", ({ skip }) => {
    skip(
      !existsSync(corpusFolder),
      "the corpus of real servers is not beside the checkout (../shared/corpus)",
    );
    const tools = readdirSync(corpusFolder).flatMap((file) => {
      const listed = JSON.parse(readFileSync(join(corpusFolder, file), "utf8")) as { tools: ListedTool[] };
      return toTools(file, listed.tools).filter(({ outputSchema }) => outputSchema !== undefined);
    });
    expect(tools.length).toBeGreaterThan(500);
    const misfits = tools.flatMap((tool) => findMisfits(tool.outputSchema ?? {}, tool));
    expect(misfits).toEqual([]);
  });
});
