// What is wrong with a value by itself: not an allowed literal, not of the type, out of its bounds.
import { type Json, readLargeInteger } from "../contracts/index.js";
import { describeSchema, quoteValue } from "./describe-schema.js";
import { type Inspected, type Problem, type ValuePath, weights } from "./inspection.js";
import type { SchemaObject } from "./resolve-schema.js";

type InspectedValue = Inspected & { readonly schema: SchemaObject };

const nameType = (value: Json): string => {
  if (value === null) return "null";
  if (readLargeInteger(value) !== undefined) return "number";
  return Array.isArray(value) ? "array" : typeof value;
};

/** `a string`, `an array`, `null`. */
export const nameTypeOf = (value: Json): string => {
  const type = nameType(value);
  if (type === "null") return type;
  return /^[ao]/.test(type) ? `an ${type}` : `a ${type}`;
};

export const isPrimitive = (value: unknown): boolean =>
  typeof value !== "object" || value === null || readLargeInteger(value) !== undefined;

const knownTypes: readonly unknown[] = ["string", "number", "boolean", "null", "object", "array"];

/** A type that no draft knows fits everything. */
const isOfType = (value: Json, type: unknown): boolean => {
  if (type === "integer") return Number.isInteger(value) || readLargeInteger(value) !== undefined;
  return !knownTypes.includes(type) || nameType(value) === type;
};

/** Lists with objects in them are not compared: they are rare, and comparing is work without bound. */
const readLiterals = (schema: SchemaObject): readonly unknown[] | undefined => {
  const list = Object.hasOwn(schema, "const") ? [schema.const] : schema.enum;
  return Array.isArray(list) && list.length > 0 && list.every(isPrimitive) ? list : undefined;
};

const findTypeProblem = ({ inspection, schema, value, path }: InspectedValue): Problem | undefined => {
  const { type } = schema;
  if (type === undefined) return undefined;
  const fits = Array.isArray(type) ? type.some((one) => isOfType(value, one)) : isOfType(value, type);
  if (fits) return undefined;
  const found = type === "integer" && typeof value === "number" ? String(value) : nameTypeOf(value);
  const describe = (): string => `is ${found}, expected ${describeSchema(inspection.root, schema)}`;
  return { path, kind: "value", weight: weights.type, describe };
};

const findNumberProblem = (schema: SchemaObject, value: number): string | undefined => {
  const read = (keyword: string): number | undefined =>
    typeof schema[keyword] === "number" ? schema[keyword] : undefined;
  const [least, most] = [read("minimum"), read("maximum")];
  // In the oldest drafts these two are true or false and speak of the other two.
  const above = schema.exclusiveMinimum === true ? least : read("exclusiveMinimum");
  const below = schema.exclusiveMaximum === true ? most : read("exclusiveMaximum");
  if (above !== undefined && value <= above) return `is ${value}, expected more than ${above}`;
  if (below !== undefined && value >= below) return `is ${value}, expected less than ${below}`;
  if (least !== undefined && value < least) return `is ${value}, expected at least ${least}`;
  if (most !== undefined && value > most) return `is ${value}, expected at most ${most}`;
  return undefined;
};

const findSizeProblem = (schema: SchemaObject, value: string | readonly Json[]): string | undefined => {
  const isText = typeof value === "string";
  const [least, most] = isText ? [schema.minLength, schema.maxLength] : [schema.minItems, schema.maxItems];
  const found = `has ${value.length} ${isText ? "characters" : "items"}`;
  if (typeof least === "number" && value.length < least) return `${found}, expected at least ${least}`;
  if (typeof most !== "number" || value.length <= most) return undefined;
  // A character may take two units, and schemas count characters.
  const isTooLong = !isText || value.length > 2 * most || [...value].length > most;
  return isTooLong ? `${found}, expected at most ${most}` : undefined;
};

const findBoundProblem = ({ schema, value, path }: InspectedValue): Problem | undefined => {
  let text: string | undefined;
  const digits = readLargeInteger(value);
  if (typeof value === "number") text = findNumberProblem(schema, value);
  else if (digits !== undefined) text = findNumberProblem(schema, Number(digits));
  else if (typeof value === "string" || Array.isArray(value)) text = findSizeProblem(schema, value);
  return text === undefined
    ? undefined
    : { path, kind: "value", weight: weights.detail, describe: () => text };
};

/** The problem of a value that is none of the allowed ones. */
export const toLiteralProblem = (
  path: ValuePath | undefined,
  found: Json,
  allowed: readonly unknown[],
): Problem => {
  const describe = (): string => {
    const text = isPrimitive(found) ? quoteValue(found) : nameTypeOf(found);
    return `is ${text}, expected ${describeSchema(true, { enum: allowed })}`;
  };
  return { path, kind: "value", weight: weights.literal, literals: { found, allowed }, describe };
};

/** The first thing wrong with the value itself; what it holds is not looked at. */
export const findValueProblem = (inspected: InspectedValue): Problem | undefined => {
  const { inspection, schema, value, path } = inspected;
  const literals = readLiterals(schema);
  if (literals === undefined) return findTypeProblem(inspected) ?? findBoundProblem(inspected);
  inspection.stepsLeft -= Math.ceil(literals.length / 16);
  // A list of allowed values says more than a type that contradicts it.
  return literals.includes(value) ? undefined : toLiteralProblem(path, value, literals);
};
