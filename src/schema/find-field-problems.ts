// What is wrong with the fields of an object: missing, unknown, or holding the wrong thing.
import type { JsonObject } from "../contracts/index.js";
import { describeSchema, quote } from "./describe-schema.js";
import { type Inspect, type Inspected, mostProblems, type Problem, weights } from "./inspection.js";
import { nearestNames } from "./nearest-names.js";
import { isSchemaObject, type SchemaObject } from "./resolve-schema.js";

type InspectedObject = Inspected & {
  readonly schema: SchemaObject;
  readonly value: JsonObject;
  readonly inspect: Inspect;
};

const noFields: SchemaObject = {};

/** What one comparison of names costs, in steps. */
const comparisonSteps = 8;

const composed = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"];

/** Keys beyond the named ones are refused only where nothing but the names can allow them. */
const isClosed = (schema: SchemaObject): boolean => {
  if (isSchemaObject(schema.patternProperties)) return false;
  if (schema.additionalProperties === false) return true;
  return (
    schema.unevaluatedProperties === false && !composed.some((keyword) => Object.hasOwn(schema, keyword))
  );
};

const listMissing = (schema: SchemaObject, fields: SchemaObject, value: JsonObject): string[] => {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return required.filter((name): name is string => {
    if (typeof name !== "string" || Object.hasOwn(value, name)) return false;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    // What has a default can be left out, whatever `required` says.
    return !(isSchemaObject(field) && Object.hasOwn(field, "default"));
  });
};

const describeUnknown = (near: string | undefined, names: readonly string[]): string => {
  if (near !== undefined) return `, did you mean ${quote(near)}?`;
  const shown = names.slice(0, mostProblems).map((name) => quote(name));
  return names.length === 0
    ? ", expected none"
    : `, expected ${shown.join(", ")}${shown.length < names.length ? ", …" : ""}`;
};

/** Unknown keys as problems; a missing field that one of them was meant to be is taken off the list. */
const findUnknown = (inspected: InspectedObject, fields: SchemaObject, missing: Set<string>): Problem[] => {
  const { inspection, schema, value, path } = inspected;
  const closed = isClosed(schema);
  if (!closed && missing.size === 0) return [];
  const problems: Problem[] = [];
  for (const key of Object.keys(value)) {
    inspection.stepsLeft -= 1;
    if (problems.length >= mostProblems || inspection.stepsLeft <= 0) break;
    if (Object.hasOwn(fields, key)) continue;
    const names = closed ? Object.keys(fields).filter((name) => !Object.hasOwn(value, name)) : [...missing];
    inspection.stepsLeft -= comparisonSteps * names.length;
    const [near] = nearestNames(key, names, 1);
    if (!closed && near === undefined) continue;
    if (near !== undefined) missing.delete(near);
    const describe = (): string => describeUnknown(near, Object.keys(fields));
    problems.push({ path: { parent: path, key }, kind: "unknown", weight: weights.detail, describe });
  }
  return problems;
};

/** Every problem of the object's fields, and of what they hold. */
export const findFieldProblems = (inspected: InspectedObject): readonly Problem[] => {
  const { inspection, schema, value, path, depth, inspect } = inspected;
  const fields = isSchemaObject(schema.properties) ? schema.properties : noFields;
  const missing = new Set(listMissing(schema, fields, value));
  inspection.stepsLeft -= missing.size;
  const problems = findUnknown(inspected, fields, missing);
  for (const name of missing) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const describe = (): string => `is missing, expected ${describeSchema(inspection.root, field)}`;
    problems.push({ path: { parent: path, key: name }, kind: "missing", weight: weights.detail, describe });
  }
  // A key may belong to a pattern, and patterns are not evaluated.
  const others = isSchemaObject(schema.patternProperties) ? undefined : schema.additionalProperties;
  for (const key of Object.keys(value)) {
    if (problems.length >= mostProblems || inspection.stepsLeft <= 0) break;
    const field = Object.hasOwn(fields, key) ? fields[key] : others;
    const held = value[key];
    if (held === undefined || !isSchemaObject(field)) continue;
    problems.push(
      ...inspect({ inspection, schema: field, value: held, path: { parent: path, key }, depth: depth + 1 }),
    );
  }
  return problems;
};
