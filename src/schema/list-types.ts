// The JSON types that a schema allows, as far as it says.
import { type Json, type JsonSchema, readLargeInteger } from "../contracts/index.js";
import {
  isSchemaObject,
  readList,
  readReference,
  resolveSchema,
  type SchemaObject,
} from "./resolve-schema.js";

type JsonType = "string" | "number" | "boolean" | "null" | "object" | "array";

const maxSchemas = 500;

const knownTypes: readonly unknown[] = ["string", "number", "integer", "boolean", "null", "object", "array"];
const unknownTypes: ReadonlySet<string> = new Set(["unknown"]);

const typicalKeywords: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ["object", ["properties", "additionalProperties", "patternProperties"]],
  ["array", ["items", "prefixItems"]],
  ["string", ["minLength", "maxLength", "pattern", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** Keywords that tell the type of a schema without `type`. */
export const typeKeywords: readonly string[] = typicalKeywords.flatMap(([, keywords]) => keywords);

/** The schema's own `type`, or the type that its keywords are for; empty when neither tells. */
export const listOwnTypes = (schema: SchemaObject): readonly unknown[] => {
  if (schema.type !== undefined) return [schema.type].flat();
  const found = typicalKeywords.find(([, keywords]) =>
    keywords.some((keyword) => Object.hasOwn(schema, keyword)),
  );
  return found === undefined ? [] : [found[0]];
};

/** The values that `const` or `enum` allows; undefined when any value fits. */
export const readLiterals = (schema: SchemaObject): readonly unknown[] | undefined => {
  if (Object.hasOwn(schema, "const")) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
};

/** The JSON type of a value. An integer that JavaScript cannot hold is a number too. */
export const typeOf = (value: Json): JsonType => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return readLargeInteger(value) === undefined ? (typeof value as JsonType) : "number";
};

/** What the schema says itself, without the schemas that it is composed of. */
const readOwnTypes = (schema: SchemaObject): ReadonlySet<string> => {
  const literals = readLiterals(schema);
  // A list of allowed values says more than a type that contradicts it.
  if (literals !== undefined) return new Set(literals.map((value) => typeOf(value as Json)));
  const types = listOwnTypes(schema);
  return types.length > 0 && types.every((type) => knownTypes.includes(type))
    ? new Set(types.map(String))
    : unknownTypes;
};

const includes = (types: ReadonlySet<string>, type: string): boolean =>
  types.has(type) || types.has("unknown") || (type === "integer" && types.has("number"));

const intersect = (left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([
    ...[...left].filter((type) => includes(right, type)),
    ...[...right].filter((type) => includes(left, type)),
  ]);

/** Every type that the schema allows; "unknown" is among them when it may be any type. */
export const listTypes = (schema: unknown, root: JsonSchema): ReadonlySet<string> => {
  const known = new Map<SchemaObject, ReadonlySet<string>>();
  const started = new Set<SchemaObject>();
  // A schema that refers to itself adds nothing to itself.
  const isOpen = (part: unknown): boolean => {
    const target = resolveSchema(part, root);
    return isSchemaObject(target) && started.has(target) && !known.has(target);
  };
  const readEach = (parts: readonly unknown[]) => parts.filter((part) => !isOpen(part)).map(read);
  const readUnion = (branches: unknown): readonly ReadonlySet<string>[] => {
    const list = readList(branches);
    return list.length === 0 ? [] : [new Set(readEach(list).flatMap((types) => [...types]))];
  };
  const read = (part: unknown): ReadonlySet<string> => {
    if (part === false) return new Set();
    if (!isSchemaObject(part)) return unknownTypes;
    if (known.has(part) || started.size >= maxSchemas) return known.get(part) ?? unknownTypes;
    started.add(part);
    const also = part.$ref === undefined ? [] : [readReference(root, part.$ref)];
    const types = [
      ...readEach([...also, ...readList(part.allOf)]),
      ...readUnion(part.anyOf),
      ...readUnion(part.oneOf),
    ].reduce(intersect, readOwnTypes(part));
    const result = part.nullable === true ? new Set([...types, "null"]) : types;
    known.set(part, result);
    return result;
  };
  return read(schema);
};

/** Whether the schema allows a value of the type. One that does not say allows every type but null. */
export const acceptsType = (
  schema: unknown,
  root: JsonSchema,
  type: "string" | "null" | "object" | "array",
): boolean => {
  const types = listTypes(schema, root);
  return types.has(type) || (type !== "null" && types.has("unknown"));
};
