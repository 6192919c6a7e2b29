// What is wrong with a value by itself: not an allowed literal, not of the type, out of range.
import { type Json, type JsonSchema, readLargeInteger } from "../contracts/index.js";
import { describeSchema, quoteValue } from "./describe-schema.js";
import { knownTypes, readLiterals, type SchemaObject, typeOf } from "./read-schema.js";

/** Where a value is: its key, and the path of what holds it. */
export interface ValuePath {
  readonly parent: ValuePath | undefined;
  readonly key: string | number;
}

export interface Problem {
  /** Undefined is the whole value. */
  readonly path: ValuePath | undefined;
  readonly kind: "value" | "missing" | "unknown";
  /** What follows the value's name in a message. A function, because most problems are never shown. */
  readonly describe: () => string;
  /** How much it speaks against a branch of a union: the branch with the smallest sum was meant. */
  readonly weight: number;
  /** The allowed values, if the value is none of them. */
  readonly literals?: { readonly found: Json; readonly allowed: readonly unknown[] } | undefined;
}

/** The type is wrong, the literal is wrong, or something smaller is. */
export const weights = { type: 100, literal: 10, detail: 1 } as const;

/** One value and the schema that it should fit. */
export interface Inspected {
  readonly root: JsonSchema;
  /** At zero the rest is taken as fitting: the server has the last word anyway. */
  readonly budget: { stepsLeft: number };
  readonly schema: unknown;
  readonly value: Json;
  readonly path: ValuePath | undefined;
  readonly depth: number;
}

type InspectedValue = Inspected & { readonly schema: SchemaObject };

/** `a string`, `an array`, `null`. */
export const nameTypeOf = (value: Json): string => {
  const type = typeOf(value);
  if (type === "null") return type;
  return /^[ao]/.test(type) ? `an ${type}` : `a ${type}`;
};

export const isPrimitive = (value: unknown): boolean =>
  typeof value !== "object" || value === null || readLargeInteger(value) !== undefined;

/** A type that no draft defines fits everything. */
const isOfType = (value: Json, type: unknown): boolean => {
  if (type === "integer") return Number.isInteger(value) || readLargeInteger(value) !== undefined;
  return !knownTypes.includes(type) || typeOf(value) === type;
};

/** Lists with objects in them are not compared: they are rare, and comparing them is unbounded work. */
const readPrimitives = (schema: SchemaObject): readonly unknown[] | undefined => {
  const literals = readLiterals(schema) ?? [];
  return literals.length > 0 && literals.every(isPrimitive) ? literals : undefined;
};

const findTypeProblem = ({ root, schema, value, path }: InspectedValue): Problem | undefined => {
  const { type } = schema;
  if (type === undefined || [type].flat().some((one) => isOfType(value, one))) return undefined;
  const found = type === "integer" && typeof value === "number" ? String(value) : nameTypeOf(value);
  const describe = (): string => `is ${found}, expected ${describeSchema(schema, root)}`;
  return { path, kind: "value", weight: weights.type, describe };
};

const findNumberProblem = (schema: SchemaObject, value: number): string | undefined => {
  const read = (keyword: string): number | undefined =>
    typeof schema[keyword] === "number" ? schema[keyword] : undefined;
  const [min, max] = [read("minimum"), read("maximum")];
  // In draft 4 these two are booleans that modify the other two.
  const above = schema.exclusiveMinimum === true ? min : read("exclusiveMinimum");
  const below = schema.exclusiveMaximum === true ? max : read("exclusiveMaximum");
  if (above !== undefined && value <= above) return `is ${value}, expected more than ${above}`;
  if (below !== undefined && value >= below) return `is ${value}, expected less than ${below}`;
  if (min !== undefined && value < min) return `is ${value}, expected at least ${min}`;
  if (max !== undefined && value > max) return `is ${value}, expected at most ${max}`;
  return undefined;
};

const findSizeProblem = (schema: SchemaObject, value: string | readonly Json[]): string | undefined => {
  const isText = typeof value === "string";
  const [min, max] = isText ? [schema.minLength, schema.maxLength] : [schema.minItems, schema.maxItems];
  const found = `has ${value.length} ${isText ? "characters" : "items"}`;
  if (typeof min === "number" && value.length < min) return `${found}, expected at least ${min}`;
  if (typeof max !== "number" || value.length <= max) return undefined;
  // A character may take two code units, and schemas count characters.
  const isTooLong = !isText || value.length > 2 * max || [...value].length > max;
  return isTooLong ? `${found}, expected at most ${max}` : undefined;
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
    return `is ${text}, expected ${describeSchema({ enum: allowed }, true)}`;
  };
  return { path, kind: "value", weight: weights.literal, literals: { found, allowed }, describe };
};

/** The first thing wrong with the value itself, without what it holds. */
export const findValueProblem = (inspected: InspectedValue): Problem | undefined => {
  const { budget, schema, value, path } = inspected;
  const literals = readPrimitives(schema);
  if (literals === undefined) return findTypeProblem(inspected) ?? findBoundProblem(inspected);
  budget.stepsLeft -= Math.ceil(literals.length / 16);
  // A list of allowed values says more than a type that contradicts it.
  return literals.includes(value) ? undefined : toLiteralProblem(path, value, literals);
};
