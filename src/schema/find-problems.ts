// Compares a value with a schema, with bounded work and without evaluating the schema's patterns.
import type { Json, JsonObject, JsonSchema } from "../contracts/index.js";
import { describeSchema, quote, quoteValue } from "./describe-schema.js";
import {
  findValueProblem,
  type Inspected,
  isPrimitive,
  nameTypeOf,
  type Problem,
  toLiteralProblem,
  type ValuePath,
  weights,
} from "./find-value-problem.js";
import { nearestNames } from "./nearest-names.js";
import {
  forbidsOthers,
  hasDefault,
  isSchemaObject,
  listAlso,
  listRequired,
  listUnions,
  readField,
  readItems,
  readOwn,
  readProperties,
  type SchemaObject,
} from "./read-schema.js";

const maxSteps = 100_000;
const maxDepth = 64;
const maxProblems = 10;
/** What one comparison of names costs, in steps. */
const comparisonSteps = 8;

const noProblems: readonly Problem[] = [];
const composing = ["$ref", "allOf", "anyOf", "oneOf"];

type InspectedObject = Inspected & { readonly schema: SchemaObject; readonly value: JsonObject };

/** Whether keys beyond the named ones are certainly wrong: no other keyword can allow them. */
const refusesOthers = (schema: SchemaObject): boolean =>
  forbidsOthers(schema) &&
  (schema.additionalProperties === false ||
    ![...composing, "if", "dependentSchemas"].some((keyword) => Object.hasOwn(schema, keyword)));

const listMissing = (schema: SchemaObject, fields: SchemaObject, value: JsonObject): string[] =>
  listRequired(schema).filter((name) => !Object.hasOwn(value, name) && !hasDefault(readOwn(fields, name)));

const describeUnknown = (near: string | undefined, names: readonly string[]): string => {
  if (near !== undefined) return `, did you mean ${quote(near)}?`;
  const shown = names.slice(0, maxProblems).map((name) => quote(name));
  return names.length === 0
    ? ", expected none"
    : `, expected ${shown.join(", ")}${shown.length < names.length ? ", …" : ""}`;
};

/** Unknown keys as problems. A missing field that one of them is a misspelling of is taken off the list. */
const findUnknown = (inspected: InspectedObject, fields: SchemaObject, missing: Set<string>): Problem[] => {
  const { budget, schema, value, path } = inspected;
  const isClosed = refusesOthers(schema);
  if (!isClosed && missing.size === 0) return [];
  const problems: Problem[] = [];
  for (const key of Object.keys(value)) {
    budget.stepsLeft -= 1;
    if (problems.length >= maxProblems || budget.stepsLeft <= 0) break;
    if (Object.hasOwn(fields, key)) continue;
    const names = isClosed ? Object.keys(fields).filter((name) => !Object.hasOwn(value, name)) : [...missing];
    budget.stepsLeft -= comparisonSteps * names.length;
    const [near] = nearestNames(key, names, 1);
    if (!isClosed && near === undefined) continue;
    if (near !== undefined) missing.delete(near);
    const describe = (): string => describeUnknown(near, Object.keys(fields));
    problems.push({ path: { parent: path, key }, kind: "unknown", weight: weights.detail, describe });
  }
  return problems;
};

const findFieldProblems = (inspected: InspectedObject): readonly Problem[] => {
  const { root, budget, schema, value, path, depth } = inspected;
  const fields = readProperties(schema);
  const missing = new Set(listMissing(schema, fields, value));
  budget.stepsLeft -= missing.size;
  const problems = findUnknown(inspected, fields, missing);
  for (const name of missing) {
    const describe = (): string => `is missing, expected ${describeSchema(readOwn(fields, name), root)}`;
    problems.push({ path: { parent: path, key: name }, kind: "missing", weight: weights.detail, describe });
  }
  for (const key of Object.keys(value)) {
    if (problems.length >= maxProblems || budget.stepsLeft <= 0) break;
    const field = readField(schema, key);
    const held = value[key];
    if (held === undefined || !isSchemaObject(field)) continue;
    const at = { parent: path, key };
    problems.push(...inspect({ root, budget, schema: field, value: held, path: at, depth: depth + 1 }));
  }
  return problems;
};

const findItemProblems = (
  { root, budget, path, depth }: Inspected,
  schema: SchemaObject,
  values: readonly Json[],
): readonly Problem[] => {
  const { first, rest } = readItems(schema);
  if (first.length === 0 && !isSchemaObject(rest)) return noProblems;
  const problems: Problem[] = [];
  for (const [index, value] of values.entries()) {
    if (problems.length >= maxProblems || budget.stepsLeft <= 0) break;
    const itemSchema = index < first.length ? first[index] : rest;
    const at = { parent: path, key: index };
    problems.push(...inspect({ root, budget, schema: itemSchema, value, path: at, depth: depth + 1 }));
  }
  return problems;
};

const sumWeights = (problems: readonly Problem[]): number =>
  problems.reduce((sum, { weight }) => sum + weight, 0);

const isSamePath = (left: ValuePath | undefined, right: ValuePath | undefined): boolean =>
  left === right || (left?.key === right?.key && isSamePath(left?.parent, right?.parent));

/** If each branch allows one value of `kind`, all of them together were expected. */
const mergeLiterals = (best: Problem, all: readonly Problem[]): Problem => {
  if (best.literals === undefined) return best;
  const alike = all.filter(({ path }) => isSamePath(path, best.path));
  const allowed = new Set(alike.flatMap(({ literals }) => literals?.allowed ?? []));
  return toLiteralProblem(best.path, best.literals.found, [...allowed]);
};

/** When the value as a whole fits no branch, all branches are named. */
const describeUnion = (
  { root, value, path }: Inspected,
  branches: readonly unknown[],
  weight: number,
): Problem => {
  const found = isPrimitive(value) && weight < weights.type ? quoteValue(value) : nameTypeOf(value);
  const describe = (): string => `is ${found}, expected ${describeSchema({ anyOf: branches }, root)}`;
  return { path, kind: "value", weight, describe };
};

/**
 * The problems of the branch that was most likely meant. `oneOf` counts as `anyOf`: without patterns and formats two
 * branches can look alike that the server tells apart.
 */
const findUnionProblems = (inspected: Inspected, branches: readonly unknown[]): readonly Problem[] => {
  const { path, depth } = inspected;
  const found: (readonly Problem[])[] = [];
  for (const schema of branches) {
    const problems = inspect({ ...inspected, schema, depth: depth + 1 });
    if (problems.length === 0) return noProblems;
    found.push(problems);
  }
  const weighed = found.map((problems) => ({ problems, weight: sumWeights(problems) }));
  const best = weighed.reduce((left, right) => (right.weight < left.weight ? right : left));
  const isWhole = best.problems.some((problem) => problem.path === path && problem.kind === "value");
  if (isWhole && best.weight >= weights.literal) return [describeUnion(inspected, branches, best.weight)];
  return best.problems.map((problem) => mergeLiterals(problem, found.flat()));
};

const isObject = (value: Json): value is JsonObject => typeof value === "object" && value !== null;

const findHeldProblems = (inspected: Inspected, schema: SchemaObject): readonly Problem[] => {
  const { value } = inspected;
  if (Array.isArray(value)) return findItemProblems(inspected, schema, value);
  return isObject(value) ? findFieldProblems({ ...inspected, schema, value }) : noProblems;
};

/** Keywords that would take back what others say (`not`, `if`) are left to the server, and so is every pattern. */
const inspect = (inspected: Inspected): readonly Problem[] => {
  const { root, budget, schema, value, depth } = inspected;
  budget.stepsLeft -= 1;
  if (budget.stepsLeft <= 0 || depth > maxDepth || !isSchemaObject(schema)) return noProblems;
  if (value === null && schema.nullable === true) return noProblems;
  const wrong = findValueProblem({ ...inspected, schema });
  if (wrong !== undefined) return [wrong];
  if (isPrimitive(value) && !composing.some((keyword) => schema[keyword] !== undefined)) return noProblems;
  const problems = [...findHeldProblems(inspected, schema)];
  // Resolving a long pointer takes time.
  if (typeof schema.$ref === "string") budget.stepsLeft -= Math.ceil(schema.$ref.length / 16);
  for (const part of listAlso(schema, root))
    problems.push(...inspect({ ...inspected, schema: part, depth: depth + 1 }));
  for (const branches of listUnions(schema)) problems.push(...findUnionProblems(inspected, branches));
  return problems;
};

/** Everything about a value that its schema forbids, as far as a bounded look can tell. */
export const findProblems = (
  schema: unknown,
  value: Json,
  root: JsonSchema = schema as JsonSchema,
): readonly Problem[] =>
  inspect({ root, budget: { stepsLeft: maxSteps }, schema, value, path: undefined, depth: 0 });
