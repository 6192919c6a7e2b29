// Simulated values that fit a JSON Schema, bounded in depth and size.
import {
  isFields,
  type Json,
  type JsonObject,
  type JsonSchema,
  type Shape,
  type Tool,
  type ToolResult,
  toCanonicalJson,
} from "../../contracts/index.js";
import {
  findProblems,
  isSchemaObject,
  listOwnTypes,
  listRequired,
  listUnions,
  mergeParts,
  readItems,
  readList,
  readLiterals,
  readProperties,
  type SchemaObject,
} from "../../schema/index.js";
import { shapeToSchema } from "../shapes/join-shapes.js";
import { makeText, openRandomSource, type RandomSource } from "./make-text.js";

/** The state of making one value. */
export interface ValueContext {
  readonly root: JsonSchema;
  readonly random: RandomSource;
  /** Values that may still be made. After that, only required ones are. */
  readonly budget: { left: number };
}

const fullDepth = 5;
/** Deeper schemas never end. */
const maxDepth = 40;
const maxItems = 50;
/** Values beyond the budget for required fields: a few lines of schema can require any number of them. */
const maxOverdraft = 4000;

export const toNumber = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

const makeNumber = (schema: SchemaObject, { random }: ValueContext, isInteger: boolean): number => {
  const step = toNumber(schema.multipleOf) ?? (isInteger ? 1 : 0.01);
  const min = toNumber(schema.minimum) ?? toNumber(schema.exclusiveMinimum);
  const max = toNumber(schema.maximum) ?? toNumber(schema.exclusiveMaximum);
  const from = min ?? (max === undefined ? 0 : max - 100 * step);
  const to = max ?? from + 100 * Math.max(step, 1);
  // Stay inside exclusive bounds.
  const first = Math.ceil(from / step) + (schema.exclusiveMinimum !== undefined ? 1 : 0);
  const last = Math.floor(to / step) - (schema.exclusiveMaximum !== undefined ? 1 : 0);
  const value = random.integer(Math.min(first, last), Math.max(first, last)) * step;
  return isInteger ? Math.round(value) : Number(value.toPrecision(12));
};

const makeArray = (schema: SchemaObject, context: ValueContext, depth: number, isTight: boolean): Json => {
  const { first, rest } = readItems(schema);
  const min = Math.min(toNumber(schema.minItems) ?? 0, maxItems);
  const max = toNumber(schema.maxItems) ?? Number.POSITIVE_INFINITY;
  const wanted = isTight ? min : Math.max(min, first.length, context.random.integer(1, 3));
  const length = Math.min(wanted, max, rest === false ? first.length : Number.POSITIVE_INFINITY);
  const items: Json[] = [];
  // Unique items may take several tries.
  for (let tries = 0; items.length < length && tries < length + 20; tries += 1) {
    const item = makeValue(items.length < first.length ? first[items.length] : rest, context, depth + 1);
    const isNew = !items.some((other) => JSON.stringify(other) === JSON.stringify(item));
    if (schema.uniqueItems !== true || isNew) items.push(item);
  }
  return items;
};

const makeKey = (schema: unknown, context: ValueContext, index: number): string => {
  const made = isSchemaObject(schema) ? makeValue(schema, context, fullDepth) : undefined;
  return typeof made === "string" ? made : `key${index}`;
};

const makeObject = (schema: SchemaObject, context: ValueContext, depth: number, isTight: boolean): Json => {
  const properties = readProperties(schema);
  const { additionalProperties: others } = schema;
  const required = listRequired(schema);
  const isNeeded = new Set(required);
  const optional = Object.keys(properties).filter(
    (name) => !isNeeded.has(name) && properties[name] !== false,
  );
  const chosen = isTight ? [] : optional.filter(() => context.random.next() < 0.7);
  const min = Math.min(toNumber(schema.minProperties) ?? 0, maxItems);
  const names = [...new Set([...required, ...chosen])];
  for (const name of optional) if (names.length < min && !names.includes(name)) names.push(name);
  const isMap = Object.keys(properties).length === 0 && isSchemaObject(others) && !isTight;
  for (let index = 1; names.length < Math.max(min, isMap ? 2 : 0) && others !== false; index += 1)
    names.push(makeKey(schema.propertyNames, context, index));
  const order = new Set([...Object.keys(properties).filter((name) => names.includes(name)), ...names]);
  return Object.fromEntries(
    [...order].map((name) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : others;
      return [name, makeValue(field, context, depth + 1)];
    }),
  );
};

/** The types that a value of the schema can have; at least one. */
export const listPossibleTypes = (schema: SchemaObject): readonly unknown[] => {
  const types = listOwnTypes(schema);
  if (types.length > 0) return types;
  return [schema.required === undefined ? "string" : "object"];
};

const makeByType = (
  type: unknown,
  schema: SchemaObject,
  context: ValueContext,
  depth: number,
  isTight: boolean,
): Json => {
  switch (type) {
    case "object":
      return makeObject(schema, context, depth, isTight);
    case "array":
      return makeArray(schema, context, depth, isTight);
    case "integer":
      return makeNumber(schema, context, true);
    case "number":
      return makeNumber(schema, context, false);
    case "boolean":
      return context.random.next() < 0.5;
    case "null":
      return null;
    default:
      return makeText(schema, context.random);
  }
};

/** The schema of the first condition that the value does not meet. */
const findBrokenCondition = (
  conditions: readonly SchemaObject[],
  value: Json,
  { root }: ValueContext,
): unknown => {
  const isMet = (schema: unknown): boolean => findProblems(schema, value, root).length === 0;
  for (const { if: premise, then: wanted, else: otherwise } of conditions) {
    const isTrue = isMet(premise);
    if (isTrue && !isMet(wanted)) return { allOf: [premise, wanted] };
    if (!isTrue && !isMet(otherwise)) return otherwise;
  }
  return undefined;
};

const makeMerged = (schema: SchemaObject, context: ValueContext, depth: number, isTight: boolean): Json => {
  if (schema.const !== undefined) return schema.const as Json;
  const [value, ...values] = readList(schema.enum);
  if (value !== undefined) return (isTight ? value : context.random.pick([value, ...values])) as Json;
  const types = listPossibleTypes(schema);
  const [first, ...others] = isTight && types.includes("null") ? ["null"] : types;
  return makeByType(context.random.pick([first, ...others]), schema, context, depth, isTight);
};

/** How large a value of the branch would be: with little budget left, the smallest is chosen. */
const weighBranch = (schema: unknown): number => {
  if (!isSchemaObject(schema) || schema.type === "null") return 0;
  if (readLiterals(schema) !== undefined) return 1;
  if (schema.$ref !== undefined || listUnions(schema).length > 0) return 5;
  if (schema.type === "object" || schema.properties !== undefined) return 4;
  return schema.type === "array" ? 3 : 2;
};

/** One of the branches: any of them, or the smallest if `isTight`. */
export const chooseBranch = (
  branches: readonly unknown[],
  context: ValueContext,
  isTight: boolean,
): unknown => {
  const possible = branches.filter((branch) => branch !== false);
  const [first, ...others] = possible;
  if (first === undefined) return {};
  if (!isTight) return context.random.pick([first, ...others]);
  return possible.reduce((lightest, branch) =>
    weighBranch(branch) < weighBranch(lightest) ? branch : lightest,
  );
};

/** A value for the schema; null where it requires endless values. */
export const makeValue = (schema: unknown, context: ValueContext, depth = 0): Json => {
  context.budget.left -= 1;
  if (depth > maxDepth || context.budget.left < -maxOverdraft) return null;
  const isTight = depth > fullDepth || context.budget.left <= 0;
  const merged = mergeParts(schema, context.root, (branches) => chooseBranch(branches, context, isTight));
  const value = makeMerged(merged.schema, context, depth, isTight);
  const broken = findBrokenCondition(merged.conditions, value, context);
  return broken === undefined ? value : makeValue({ allOf: [broken, schema] }, context, depth + 1);
};

interface SimulateOptions {
  readonly tool: Tool;
  /** The learned shape, if the tool declares no output. */
  readonly shape?: Shape | undefined;
  readonly arguments: JsonObject;
  /** The same seed and arguments give the same answer. */
  readonly seed?: string | undefined;
}

/** Marks a simulated result, in its `_meta`. */
export const simulatedMark = "mcp-coordinator/simulated";

const maxValues = 400;
const maxTries = 8;

/** The same call gets the same answer. */
export const simulateAnswer = ({ tool, shape, arguments: given, seed = "" }: SimulateOptions): ToolResult => {
  const schema = tool.outputSchema ?? tool.learned?.schema ?? (shape && shapeToSchema(shape));
  const _meta = { [simulatedMark]: true };
  if (schema === undefined) {
    const text = `Simulated answer of "${tool.server}.${tool.name}": nothing is known about its results`;
    return { content: [{ type: "text", text }], _meta };
  }
  const base = toCanonicalJson([seed, tool.server, tool.name, tool.fingerprint, given]);
  let value: Json = null;
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const random = openRandomSource(`${base}${attempt}`);
    value = makeValue(schema, { root: schema, random, budget: { left: maxValues } });
    if (findProblems(schema, value).length === 0) break;
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // Structured content is an object in every version of the protocol; other values are JSON in a text.
  return { content: [{ type: "text", text }], structuredContent: isFields(value) ? value : undefined, _meta };
};
