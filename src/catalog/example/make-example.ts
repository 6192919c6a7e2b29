// Arguments that a tool could be called with: what its schema suggests, else what its names do. The same tool, the same example.
import type { Json, JsonObject, Tool } from "../../contracts/index.js";
import {
  findProblems,
  hasDefault,
  isSchemaObject,
  listOwnTypes,
  readItems,
  readList,
  readOwn,
  type SchemaObject,
} from "../../schema/index.js";
import { makeText } from "../simulate/make-text.js";
import { type Making, makeValue } from "../simulate/make-value.js";
import { mergeSchemas } from "../simulate/merge-schemas.js";
import type { RandomSource } from "../simulate/random-source.js";
import { toExampleText } from "./example-texts.js";

const deepestLevel = 8;
const mostItems = 10;
/** A longer suggestion would hide the call it stands in. */
const longestSuggestion = 80;
const mostValues = 200;

interface ExampleMaking extends Making {
  readonly tool: string;
}

const isNull = (item: unknown): boolean => item === "null" || (isSchemaObject(item) && item.type === "null");

/** Always the first, and null only where nothing else is there. */
const firstChoice: RandomSource = {
  next: () => 1,
  integer: (least) => least,
  pick: (items) => items.find((item) => !isNull(item)) ?? items[0],
};

const isJson = (value: unknown): value is Json => value !== undefined;

/** What the schema itself offers as a value: its own words are better than any guess. */
const findSuggestion = (schema: SchemaObject, { root }: Making): Json | undefined => {
  if (isJson(schema.const)) return schema.const;
  const { const: _constant, examples, example, default: fallback, ...rest } = schema;
  const offered = [...readList(examples), example, fallback, ...readList(schema.enum)];
  return offered.filter(isJson).find((value) => {
    const text = JSON.stringify(value);
    if (value === null || text === '""' || text === "{}" || text === "[]") return false;
    return text.length <= longestSuggestion && findProblems(rest, value, root).length === 0;
  });
};

const toNumber = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

const manyNames = /limit|count|size|max|top|first|per.?page|timeout/i;

const makeNumber = (schema: SchemaObject, name: string, making: Making): Json => {
  const bounds = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"];
  const wanted = manyNames.test(name) ? 10 : 1;
  const isFree = bounds.every((keyword) => toNumber(schema[keyword]) === undefined);
  return isFree || findProblems(schema, wanted, making.root).length === 0
    ? wanted
    : makeValue(schema, making);
};

const makeString = (schema: SchemaObject, name: string, making: ExampleMaking): Json => {
  const isFormed = typeof schema.format === "string" || typeof schema.pattern === "string";
  const text = toExampleText(name, making.tool);
  if (!isFormed)
    return findProblems(schema, text, making.root).length === 0 ? text : makeText(schema, making.random);
  const formed = makeText(schema, making.random);
  // A format or a pattern that is not understood.
  return /^simulated /.test(formed) ? text : formed;
};

const listTypes = (schema: SchemaObject): readonly unknown[] => {
  const types = listOwnTypes(schema);
  return types.length > 0 ? types : ["string"];
};

const makeItems = (schema: SchemaObject, name: string, making: ExampleMaking, depth: number): Json => {
  const { first: fixed, rest } = readItems(schema);
  const least = Math.min(toNumber(schema.minItems) ?? 0, mostItems);
  const most = toNumber(schema.maxItems) ?? mostItems;
  const length = Math.min(Math.max(1, least, fixed.length), most);
  const singular = name.replace(/(?<=\w\w)s$/, "");
  return Array.from({ length }, (_, at) =>
    makeExampleValue(at < fixed.length ? fixed[at] : rest, singular, making, depth + 1),
  );
};

/** Only what has to be there. */
const makeFields = (schema: SchemaObject, making: ExampleMaking, depth: number): Json => {
  const properties = isSchemaObject(schema.properties) ? schema.properties : {};
  const required = readList(schema.required).filter((name): name is string => typeof name === "string");
  const needed = new Set(required.filter((name) => !hasDefault(readOwn(properties, name))));
  const order = [...Object.keys(properties).filter((name) => needed.has(name)), ...needed];
  return Object.fromEntries(
    [...new Set(order)].map((name) => [
      name,
      makeExampleValue(Object.hasOwn(properties, name) ? properties[name] : true, name, making, depth + 1),
    ]),
  );
};

const makeExampleValue = (schema: unknown, name: string, making: ExampleMaking, depth: number): Json => {
  making.budget.left -= 1;
  if (depth > deepestLevel || making.budget.left < 0) return null;
  const merged = mergeSchemas(schema, making, false).schema;
  const suggestion = depth === 0 ? undefined : findSuggestion(merged, making);
  if (suggestion !== undefined) return suggestion;
  const types = listTypes(merged);
  switch (types.find((type) => !isNull(type)) ?? "null") {
    case "object":
      return makeFields(merged, making, depth);
    case "array":
      return makeItems(merged, name, making, depth);
    case "integer":
    case "number":
      return makeNumber(merged, name, making);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return makeString(merged, name, making);
  }
};

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Arguments that `validateArguments` lets pass; undefined for a schema that nothing was found for. */
export const makeExample = ({ name, inputSchema }: Tool): JsonObject | undefined => {
  const open = (): ExampleMaking => ({
    root: inputSchema,
    random: firstChoice,
    budget: { left: mostValues },
    tool: name,
  });
  const made = [
    () => makeExampleValue(inputSchema, "", open(), 0),
    // With every condition met, and no plausible word in it.
    () => makeValue(inputSchema, open()),
    () => ({}),
  ];
  for (const make of made) {
    const value = make();
    if (isObject(value) && findProblems(inputSchema, value).length === 0) return value;
  }
  return undefined;
};
