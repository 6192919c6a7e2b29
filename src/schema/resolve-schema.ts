// Follows the local references of a JSON Schema, within that schema and with bounded work.
import type { JsonSchema } from "../contracts/index.js";

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

/** The schema and everything it is composed of (`$ref`, `allOf`, `anyOf`, `oneOf`), each once. */
export const listParts = (schema: unknown, root: JsonSchema): readonly SchemaObject[] => {
  const seen = new Set<SchemaObject>();
  const add = (part: unknown): void => {
    if (!isSchemaObject(part) || seen.has(part) || seen.size >= maxParts) return;
    seen.add(part);
    if (part.$ref !== undefined) add(readReference(root, part.$ref));
    for (const inner of [part.allOf, part.anyOf, part.oneOf].flatMap(readList)) add(inner);
  };
  add(schema);
  return [...seen];
};
