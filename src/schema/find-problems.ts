// Compares a value with a schema and tells what does not fit, with bounded work and without any regular expression.
import type { Json, JsonObject, JsonSchema } from "../contracts/index.js";
import { findFieldProblems } from "./find-field-problems.js";
import { findUnionProblems } from "./find-union-problems.js";
import { findValueProblem, isPrimitive } from "./find-value-problem.js";
import { type Inspect, type Inspected, mostProblems, noProblems, type Problem } from "./inspection.js";
import { isSchemaObject, readReference, type SchemaObject } from "./resolve-schema.js";

const mostSteps = 100_000;
const deepestLevel = 64;

const findItemProblems = (
  inspected: Inspected,
  schema: SchemaObject,
  values: readonly Json[],
): readonly Problem[] => {
  const { inspection, path, depth } = inspected;
  const { prefixItems, items, additionalItems } = schema;
  const first = [prefixItems, items].find(Array.isArray) ?? [];
  const rest = Array.isArray(items) ? additionalItems : items;
  if (first.length === 0 && !isSchemaObject(rest)) return noProblems;
  const problems: Problem[] = [];
  for (const [index, value] of values.entries()) {
    if (problems.length >= mostProblems || inspection.stepsLeft <= 0) break;
    const itemSchema = index < first.length ? first[index] : rest;
    const itemPath = { parent: path, key: index };
    problems.push(...inspect({ inspection, schema: itemSchema, value, path: itemPath, depth: depth + 1 }));
  }
  return problems;
};

const isObject = (value: Json): value is JsonObject => typeof value === "object" && value !== null;

const findHeldProblems = (inspected: Inspected, schema: SchemaObject): readonly Problem[] => {
  const { value } = inspected;
  if (Array.isArray(value)) return findItemProblems(inspected, schema, value);
  return isObject(value) ? findFieldProblems({ ...inspected, schema, value, inspect }) : noProblems;
};

/** Keywords that would take back what others say (`not`, `if`) are left to the server, and so is every pattern. */
const inspect: Inspect = (inspected) => {
  const { inspection, schema, value, depth } = inspected;
  inspection.stepsLeft -= 1;
  if (inspection.stepsLeft <= 0 || depth > deepestLevel || !isSchemaObject(schema)) return noProblems;
  if (value === null && schema.nullable === true) return noProblems;
  const wrong = findValueProblem({ ...inspected, schema });
  if (wrong !== undefined) return [wrong];
  if (isPrimitive(value) && !composing.some((keyword) => schema[keyword] !== undefined)) return noProblems;
  const problems = [...findHeldProblems(inspected, schema)];
  // A long pointer takes its time.
  if (typeof schema.$ref === "string") inspection.stepsLeft -= Math.ceil(schema.$ref.length / 16);
  const also = Array.isArray(schema.allOf) ? schema.allOf : [];
  const parts = schema.$ref === undefined ? also : [readReference(inspection.root, schema.$ref), ...also];
  for (const part of parts) problems.push(...inspect({ ...inspected, schema: part, depth: depth + 1 }));
  problems.push(...findUnionProblems({ ...inspected, branches: schema.anyOf, inspect }));
  problems.push(...findUnionProblems({ ...inspected, branches: schema.oneOf, inspect }));
  return problems;
};

const composing = ["$ref", "allOf", "anyOf", "oneOf"];

/** Everything about a value that its schema forbids, as far as a bounded look can tell. */
export const findProblems = (root: JsonSchema, value: Json): readonly Problem[] =>
  inspect({ inspection: { root, stepsLeft: mostSteps }, schema: root, value, path: undefined, depth: 0 });
