// Merges a schema and its parts into one schema without references and unions.
import type { JsonSchema } from "../contracts/index.js";
import { isSchemaObject, listParts, readList, readOwn, type SchemaObject } from "./read-schema.js";

const toBoth = (left: unknown, right: unknown): unknown => {
  if (left === undefined || left === true) return right;
  if (right === undefined || right === true) return left;
  if (left === false || right === false) return false;
  return { allOf: [left, right] };
};

const mergeProperties = (left: unknown, right: unknown): unknown => {
  if (!isSchemaObject(left) || !isSchemaObject(right)) return isSchemaObject(left) ? left : right;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries(
    [...names].map((name) => [name, toBoth(readOwn(left, name), readOwn(right, name))]),
  );
};

const toTypes = (type: unknown): readonly unknown[] => (type === undefined ? [] : [type].flat());

const mergeTypes = (left: unknown, right: unknown): unknown => {
  const [one, other] = [toTypes(left), toTypes(right)];
  const isBoth = (type: unknown): boolean =>
    other.includes(type) || (type === "integer" && other.includes("number"));
  const both = [
    ...one.filter(isBoth),
    ...(one.includes("number") && other.includes("integer") ? ["integer"] : []),
  ];
  return both.length > 0 ? both : left;
};

const mergeEnums = (left: unknown, right: unknown): unknown => {
  const texts = new Set(readList(right).map((value) => JSON.stringify(value)));
  const both = readList(left).filter((value) => texts.has(JSON.stringify(value)));
  return both.length > 0 ? both : left;
};

const largest = (left: unknown, right: unknown): unknown => Math.max(Number(left), Number(right));
const smallest = (left: unknown, right: unknown): unknown => Math.min(Number(left), Number(right));

const mergers: Readonly<Record<string, (left: unknown, right: unknown) => unknown>> = {
  type: mergeTypes,
  enum: mergeEnums,
  properties: mergeProperties,
  patternProperties: mergeProperties,
  required: (left, right) => [...new Set([...readList(left), ...readList(right)])],
  additionalProperties: toBoth,
  items: toBoth,
  ...Object.fromEntries(
    ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"].map((name) => [name, largest]),
  ),
  ...Object.fromEntries(
    ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"].map((name) => [name, smallest]),
  ),
};

interface MergedSchema {
  readonly schema: SchemaObject;
  /** The parts with an `if`. */
  readonly conditions: readonly SchemaObject[];
}

/** One schema for all parts. `choose` picks one branch of each union. */
export const mergeParts = (
  schema: unknown,
  root: JsonSchema,
  choose: (branches: readonly unknown[]) => unknown,
): MergedSchema => {
  const parts = listParts(schema, root, choose);
  const merged: Record<string, unknown> = Object.create(null);
  for (const part of parts) {
    for (const [keyword, value] of Object.entries(part)) {
      const merge = Object.hasOwn(merged, keyword) && Object.hasOwn(mergers, keyword) && mergers[keyword];
      merged[keyword] = merge ? merge(merged[keyword], value) : (merged[keyword] ?? value);
    }
  }
  return { schema: merged, conditions: parts.filter((part) => part.if !== undefined) };
};
