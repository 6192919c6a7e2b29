// Reads a JSON Schema, with bounded work: its local references, fields, items and types.
import { type Json, type JsonSchema, readLargeInteger } from "../contracts/index.js";

export type SchemaObject = { readonly [keyword: string]: unknown };

/** A longer chain of references is a loop. */
const maxHops = 32;
const maxParts = 500;

export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A field can be called "constructor". */
export const readOwn = (object: SchemaObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const decodePercent = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The names in a JSON pointer: `#/$defs/a~1b` → `$defs`, `a/b`. */
export const listSegments = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((segment) => decodePercent(segment).replaceAll("~1", "/").replaceAll("~0", "~"));

/** What a `$ref` points at. Remote and dangling references are undefined; nothing is fetched. */
export const readReference = (root: JsonSchema, reference: unknown): unknown => {
  if (reference === "#") return root;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let found: unknown = root;
  for (const segment of listSegments(reference)) {
    if (typeof found !== "object" || found === null) return undefined;
    found = readOwn(found as SchemaObject, segment);
  }
  return found;
};

/** The schema that a chain of references ends at. Keywords beside a `$ref` are dropped: see `listParts`. */
export const resolveSchema = (schema: unknown, root: JsonSchema): unknown => {
  let found = schema;
  for (let hops = 0; isSchemaObject(found) && typeof found.$ref === "string"; hops += 1) {
    if (hops === maxHops) return undefined;
    found = readReference(root, found.$ref);
  }
  return found;
};

/** What a value must fit as well: the target of `$ref`, and `allOf`. */
export const listAlso = (schema: SchemaObject, root: JsonSchema): readonly unknown[] => {
  const also = readList(schema.allOf);
  return schema.$ref === undefined ? also : [readReference(root, schema.$ref), ...also];
};

/** The branches of `anyOf` and of `oneOf`: a value must fit one of each list. */
export const listUnions = (schema: SchemaObject): readonly (readonly unknown[])[] =>
  [schema.anyOf, schema.oneOf].map(readList).filter((branches) => branches.length > 0);

/**
 * The schema and everything it is composed of (`$ref`, `allOf`, `anyOf`, `oneOf`), each once.
 * `choose` picks one branch of each union; without it, all are parts.
 */
export const listParts = (
  schema: unknown,
  root: JsonSchema,
  choose?: (branches: readonly unknown[]) => unknown,
): readonly SchemaObject[] => {
  const seen = new Set<SchemaObject>();
  const add = (part: unknown): void => {
    if (!isSchemaObject(part) || seen.has(part) || seen.size >= maxParts) return;
    seen.add(part);
    const unions = listUnions(part);
    const branches = choose === undefined ? unions.flat() : unions.map(choose);
    for (const inner of [...listAlso(part, root), ...branches]) add(inner);
  };
  add(schema);
  return [...seen];
};

export interface SchemaField {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

const maxVisited = 5000;
const maxItems = 500;

/** Some generators list fields with a default as required: a call can still leave them out. */
export const hasDefault = (field: unknown): boolean =>
  isSchemaObject(field) && Object.hasOwn(field, "default");

/** The fields that this schema declares itself, without its parts. */
export const readProperties = ({ properties }: SchemaObject): SchemaObject =>
  isSchemaObject(properties) ? properties : {};

/** The names that this schema requires itself, without its parts. */
export const listRequired = ({ required }: SchemaObject): readonly string[] =>
  readList(required).filter((name) => typeof name === "string");

/** The schema of a field, declared or not. A key may belong to a pattern, and patterns are not evaluated. */
export const readField = (schema: SchemaObject, name: string): unknown => {
  const fields = readProperties(schema);
  if (Object.hasOwn(fields, name)) return fields[name];
  return isSchemaObject(schema.patternProperties) ? undefined : schema.additionalProperties;
};

/** The fields of whole schemas, read once: the arguments of every call are bound by them. */
const fieldsOfRoots = new WeakMap<object, readonly SchemaField[]>();

/** The fields of an object schema in the order they are written, those of its parts included. */
export const listFields = (
  schema: unknown,
  root: JsonSchema = schema as JsonSchema,
): readonly SchemaField[] => {
  if (schema !== root || !isSchemaObject(schema)) return readFields(schema, root);
  const known = fieldsOfRoots.get(schema) ?? readFields(schema, root);
  fieldsOfRoots.set(schema, known);
  return known;
};

const readFields = (schema: unknown, root: JsonSchema): readonly SchemaField[] => {
  const fields = new Map<string, SchemaField>();
  for (const part of listParts(schema, root)) {
    const needed = new Set(listRequired(part));
    for (const [name, field] of Object.entries(readProperties(part))) {
      if (fields.has(name)) continue;
      fields.set(name, { name, schema: field, isRequired: needed.has(name) && !hasDefault(field) });
    }
  }
  return [...fields.values()];
};

/** The schemas of an array's first items, each with its own, and of all items after them, in any draft. */
export const readItems = ({
  prefixItems,
  items,
  additionalItems,
}: SchemaObject): { readonly first: readonly unknown[]; readonly rest: unknown } => ({
  first: readList([prefixItems, items].find(Array.isArray)),
  rest: Array.isArray(items) ? additionalItems : items,
});

/** Whether this schema, without its parts, forbids every field that it does not name. */
export const forbidsOthers = (schema: SchemaObject): boolean =>
  !isSchemaObject(schema.patternProperties) &&
  (schema.additionalProperties === false || schema.unevaluatedProperties === false);

/** Whether no object of this schema can have a field that the schema does not name. */
export const isClosed = (schema: unknown, root: JsonSchema): boolean => {
  const objects = listParts(schema, root).filter(({ properties }) => isSchemaObject(properties));
  return objects.length > 0 && objects.every(forbidsOthers);
};

const openingKeywords = ["if", "then", "else", "dependentSchemas", "not"];

/** Whether some part explicitly allows fields that the schema does not name, or cannot be read. */
export const allowsOthers = (schema: unknown, root: JsonSchema): boolean =>
  listParts(schema, root).some((part) => {
    const { additionalProperties: others, patternProperties, properties, type, $ref } = part;
    return (
      others === true ||
      isSchemaObject(others) ||
      isSchemaObject(patternProperties) ||
      openingKeywords.some((keyword) => Object.hasOwn(part, keyword)) ||
      // An object without fields is any object.
      (type === "object" && properties === undefined && others !== false && $ref === undefined) ||
      ($ref !== undefined && readReference(root, $ref) === undefined)
    );
  });

/** Whether some object, at any depth, may have a field that the schema does not name. When in doubt it may. */
export const hasOpenObjects = (root: JsonSchema): boolean => {
  const waiting: unknown[] = [root];
  for (let visited = 0; waiting.length > 0; visited += 1) {
    const part = waiting.pop();
    if (visited > maxVisited) return true;
    if (Array.isArray(part)) waiting.push(...part.slice(0, maxItems));
    if (!isSchemaObject(part)) continue;
    if (isSchemaObject(part.properties) && !forbidsOthers(part)) return true;
    waiting.push(...Object.values(part));
  }
  return false;
};

type JsonType = "string" | "number" | "boolean" | "null" | "object" | "array";

const maxSchemas = 500;

/** The types that some draft defines. */
export const knownTypes: readonly unknown[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "object",
  "array",
];

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
  const readUnion = (branches: readonly unknown[]): ReadonlySet<string> =>
    new Set(readEach(branches).flatMap((types) => [...types]));
  const read = (part: unknown): ReadonlySet<string> => {
    if (part === false) return new Set();
    if (!isSchemaObject(part)) return unknownTypes;
    if (known.has(part) || started.size >= maxSchemas) return known.get(part) ?? unknownTypes;
    started.add(part);
    const types = [...readEach(listAlso(part, root)), ...listUnions(part).map(readUnion)].reduce(
      intersect,
      readOwnTypes(part),
    );
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
