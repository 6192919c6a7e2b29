// Checks the arguments of one call against the tool's schema and suggests a fix for each mistake. Only certain rejections are problems.
import type { Json, JsonSchema } from "../../contracts/index.js";
import {
  allowsOthers,
  describeAsType,
  forbidsOthers,
  hasDefault,
  isSchemaObject,
  listAlso,
  listFields,
  listParts,
  listRequired,
  listUnions,
  readField,
  readItems,
  readLiterals,
  readOwn,
  readProperties,
  type SchemaObject,
  typeOf as typeOfLiteral,
} from "../../schema/index.js";
import { type CheckRequest, didYouMean, type Finding, quote } from "../check.js";
import type { Place } from "../program.js";
import type { BoundValues } from "./bind-values.js";
import type { KnownValue } from "./read-literal.js";

interface ArgumentOptions {
  readonly nearestNames: CheckRequest["nearestNames"];
  /** The tool as written in programs. */
  readonly name: string;
  /** The exact signature. */
  readonly toSignature: () => string;
  readonly schema: JsonSchema;
  readonly bound: BoundValues;
  /** How to pass arguments in the program's language. */
  readonly wanted: string;
}

const maxPerCall = 3;

export const findArgumentProblems = (options: ArgumentOptions): readonly Finding[] => {
  const { schema, bound, toSignature, wanted } = options;
  const { value, excess } = bound;
  const name = quote(options.name);
  if (excess !== undefined) {
    const message = `Cannot call ${name}: too many values, it takes at most ${excess.max}, expected ${wanted}`;
    return [
      {
        severity: "error",
        code: "ARGUMENT_UNKNOWN",
        offset: excess.node.start,
        message,
        hint: toSignature(),
      },
    ];
  }
  if (value === undefined) return [];
  const problems = findSchemaProblems(schema, value);
  const unknown = problems.filter(({ kind }) => kind === "unknown");
  // A misspelt name explains the missing one.
  const explained = new Set(
    unknown.flatMap(({ path, candidates }) => nearest(options, path, candidates).slice(0, 1)),
  );
  return problems
    .filter(({ kind, path }) => kind !== "missing" || !explained.has(lastName(path)))
    .slice(0, maxPerCall)
    .map((problem) => ({
      severity: "error",
      code: codes[problem.kind],
      offset: problem.node.start,
      message: `Cannot call ${name}: ${describe(options, problem)}`,
      hint: toSignature(),
    }));
};

const codes = { unknown: "ARGUMENT_UNKNOWN", missing: "ARGUMENT_MISSING", value: "ARGUMENT_WRONG" } as const;

const lastName = (path: string): string => path.split(".").at(-1) ?? path;

const nearest = (
  { nearestNames }: ArgumentOptions,
  path: string,
  candidates: readonly string[],
): readonly string[] => nearestNames(lastName(path), candidates, 3);

const describe = (options: ArgumentOptions, problem: SchemaProblem): string => {
  const name = quote(problem.path);
  if (problem.kind === "missing")
    return `argument ${name} is missing${problem.expected === "unknown" ? "" : `, expected ${problem.expected}`}`;
  const near = nearest(
    options,
    problem.kind === "value" ? (problem.found ?? "") : problem.path,
    problem.candidates,
  );
  const meant = didYouMean(near);
  if (problem.kind === "unknown") {
    const names = problem.candidates.slice(0, 8).map((one) => quote(one, 40));
    return `unknown argument ${name}${meant || (names.length > 0 ? `, it also takes ${names.join(", ")}` : "")}`;
  }
  const what = problem.path === "" ? "the arguments object" : `argument ${name}`;
  return `${what} is ${problem.found}, expected ${problem.expected}${meant}`;
};

interface SchemaProblem {
  readonly kind: "unknown" | "missing" | "value";
  readonly node: Place;
  /** `assignee.login`, `labels[2]`; empty for the arguments object itself. */
  readonly path: string;
  /** What the schema expects there. */
  readonly expected: string;
  /** What was found, for a wrong value. */
  readonly found?: string | undefined;
  /** Names or values that may have been meant. */
  readonly candidates: readonly string[];
}

interface Inspection {
  readonly root: JsonSchema;
  stepsLeft: number;
}

interface Inspected {
  readonly inspection: Inspection;
  readonly schema: unknown;
  readonly value: KnownValue;
  readonly path: string;
  /** Branches of a union do not know each other's fields. */
  readonly isBranch: boolean;
  readonly depth: number;
}

const maxSteps = 20_000;
const maxDepth = 30;
const none: readonly SchemaProblem[] = [];

const typeOf = (value: KnownValue): string | undefined => {
  if (value.kind === "object" || value.kind === "array") return value.kind;
  if (value.kind === "typed") return value.type;
  if (value.kind !== "primitive") return undefined;
  return value.value === null ? "null" : typeof value.value;
};

const showValue = (value: KnownValue): string => {
  if (value.kind === "primitive") return JSON.stringify(value.value).slice(0, 60);
  const type = typeOf(value) ?? "unknown";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
};

const fitsType = (value: KnownValue, type: unknown): boolean => {
  if (type === "integer")
    return value.kind === "typed"
      ? value.type === "number"
      : value.kind === "primitive" && Number.isInteger(value.value);
  const known = ["string", "number", "boolean", "null", "object", "array"];
  return !known.includes(type as string) || typeOf(value) === type;
};

const toWrong = ({ inspection, schema, value, path }: Inspected): SchemaProblem => {
  const literals = listParts(schema, inspection.root).flatMap((part) => readLiterals(part) ?? []);
  return {
    kind: "value",
    node: value.node,
    path,
    expected: describeAsType(schema, inspection.root),
    found: showValue(value),
    candidates: literals.filter((literal) => typeof literal === "string"),
  };
};

const isWrongByItself = (schema: SchemaObject, value: KnownValue): boolean => {
  const literals = readLiterals(schema) ?? [];
  const arePrimitive = literals.every((literal) => typeof literal !== "object" || literal === null);
  // A list of allowed values says more than a type that contradicts it.
  if (literals.length > 0 && arePrimitive)
    return value.kind === "primitive"
      ? !literals.includes(value.value)
      : !literals.some((literal) => typeOfLiteral(literal as Json) === typeOf(value));
  return schema.type !== undefined && ![schema.type].flat().some((type) => fitsType(value, type));
};

const findFieldProblems = (
  inspected: Inspected,
  schema: SchemaObject,
  value: Extract<KnownValue, { kind: "object" }>,
): readonly SchemaProblem[] => {
  const { inspection, path, isBranch, depth } = inspected;
  const { root } = inspection;
  const problems: SchemaProblem[] = [];
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  if (!isBranch) {
    const names = listFields(schema, root).map(({ name }) => name);
    const namesAll = names.length > 0 || listParts(schema, root).some(forbidsOthers);
    // Unknown keys are mistakes unless some part allows additional ones.
    if (namesAll && !allowsOthers(schema, root)) {
      for (const [name, { key }] of value.fields) {
        if (names.includes(name)) continue;
        const candidates = names.filter((other) => !value.fields.has(other));
        problems.push({ kind: "unknown", node: key, path: at(name), expected: "", candidates });
      }
    }
  }
  const fields = readProperties(schema);
  for (const name of value.isOpen ? [] : listRequired(schema)) {
    const given = value.fields.get(name)?.value.kind;
    const field = readOwn(fields, name);
    if ((given !== undefined && given !== "absent") || hasDefault(field)) continue;
    const expected = describeAsType(field, root);
    problems.push({ kind: "missing", node: value.node, path: at(name), expected, candidates: [] });
  }
  for (const [name, { value: held }] of value.fields) {
    problems.push(
      ...inspect({
        inspection,
        schema: readField(schema, name),
        value: held,
        path: at(name),
        isBranch: false,
        depth: depth + 1,
      }),
    );
  }
  return problems;
};

const findItemProblems = (
  { inspection, path, depth }: Inspected,
  schema: SchemaObject,
  items: readonly KnownValue[],
): readonly SchemaProblem[] => {
  const { first, rest } = readItems(schema);
  return items.flatMap((value, index) =>
    inspect({
      inspection,
      schema: index < first.length ? first[index] : rest,
      value,
      path: `${path}[${index}]`,
      isBranch: false,
      depth: depth + 1,
    }),
  );
};

const findUnionProblems = (inspected: Inspected, branches: readonly unknown[]): readonly SchemaProblem[] => {
  const found = branches.map((schema) =>
    inspect({ ...inspected, schema, isBranch: true, depth: inspected.depth + 1 }),
  );
  if (found.some((problems) => problems.length === 0)) return none;
  const isWhole = (problem: SchemaProblem): boolean =>
    problem.path === inspected.path && problem.kind === "value";
  // Report against the branch of the right kind, or against the whole union if there is none.
  const near = found
    .filter((problems) => !problems.some(isWhole))
    .sort((one, other) => one.length - other.length)[0];
  return near ?? [toWrong({ ...inspected, schema: { anyOf: branches } })];
};

/** A value with several alternatives is wrong only if each of them is. */
const findChoiceProblems = (
  inspected: Inspected,
  { options, node }: Extract<KnownValue, { kind: "choice" }>,
): readonly SchemaProblem[] => {
  const found = options.map((option) => inspect({ ...inspected, value: { ...option, node } }));
  return found.some((problems) => problems.length === 0) ? none : (found[0] ?? none);
};

const inspect = (inspected: Inspected): readonly SchemaProblem[] => {
  const { inspection, schema, value, depth } = inspected;
  inspection.stepsLeft -= 1;
  if (inspection.stepsLeft <= 0 || depth > maxDepth || !isSchemaObject(schema)) return none;
  if (value.kind === "open" || value.kind === "absent") return none;
  if (value.kind === "choice") return findChoiceProblems(inspected, value);
  if (value.kind === "primitive" && value.value === null && schema.nullable === true) return none;
  if (isWrongByItself(schema, value)) return [toWrong(inspected)];
  return [
    ...(value.kind === "object" ? findFieldProblems(inspected, schema, value) : none),
    ...(value.kind === "array" ? findItemProblems(inspected, schema, value.items) : none),
    ...listAlso(schema, inspection.root).flatMap((part) =>
      inspect({ ...inspected, schema: part, isBranch: true, depth: depth + 1 }),
    ),
    ...listUnions(schema).flatMap((branches) => findUnionProblems(inspected, branches)),
  ];
};

/** Everything in the known value that the schema forbids. */
export const findSchemaProblems = (root: JsonSchema, value: KnownValue): readonly SchemaProblem[] =>
  inspect({
    inspection: { root, stepsLeft: maxSteps },
    schema: root,
    value,
    path: "",
    isBranch: false,
    depth: 0,
  });
