// Reads what servers write as JSON Schema: follows local references and lists the fields of an object.
import type { JsonSchema } from "../contracts/index.js";

export type SchemaObject = { readonly [keyword: string]: unknown };

export interface SchemaField {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

/** Far more than a sane schema chains; a longer chain is a loop. */
const longestChain = 32;

export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return segment;
  }
};

const readPointer = (root: unknown, pointer: string): unknown => {
  let found = root;
  for (const segment of pointer.split("/").slice(1).map(decodeSegment)) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, segment)) return undefined;
    found = (found as SchemaObject)[segment];
  }
  return found;
};

/** What a local `$ref` points at; a remote one, or one that leads nowhere, is undefined and never fetched. */
export const readReference = (root: JsonSchema, reference: unknown): unknown => {
  if (reference === "#") return root;
  return typeof reference === "string" && reference.startsWith("#/")
    ? readPointer(root, reference)
    : undefined;
};

/** The schema itself with its leading references followed. */
export const resolveSchema = (root: JsonSchema, schema: unknown): unknown => {
  let found = schema;
  for (let hops = 0; isSchemaObject(found) && typeof found.$ref === "string"; hops += 1) {
    if (hops === longestChain) return undefined;
    found = readReference(root, found.$ref);
  }
  return found;
};

const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

interface Collection {
  readonly root: JsonSchema;
  readonly fields: Map<string, SchemaField>;
  /** Each schema is looked at once: branches that refer to each other would otherwise never end. */
  readonly seen: Set<SchemaObject>;
}

const collectFields = (collection: Collection, schema: unknown, depth: number): void => {
  const { root, fields, seen } = collection;
  const resolved = resolveSchema(root, schema);
  if (!isSchemaObject(resolved) || seen.has(resolved) || depth > longestChain) return;
  seen.add(resolved);
  const required = new Set(readList(resolved.required));
  if (isSchemaObject(resolved.properties)) {
    for (const [name, field] of Object.entries(resolved.properties)) {
      if (fields.has(name)) continue;
      // What has a default can be left out, whatever `required` says: some generators list it there.
      const hasDefault = isSchemaObject(field) && Object.hasOwn(field, "default");
      fields.set(name, { name, schema: field, isRequired: required.has(name) && !hasDefault });
    }
  }
  for (const branch of [resolved.allOf, resolved.anyOf, resolved.oneOf].flatMap(readList)) {
    collectFields(collection, branch, depth + 1);
  }
};

/** Of schemas that were looked at: every call of a tool asks, and a schema is never changed. */
const listed = new WeakMap<SchemaObject, readonly SchemaField[]>();

/** The fields of an object schema in the order they are written, those of its branches included. */
export const listFields = (root: JsonSchema): readonly SchemaField[] => {
  if (!isSchemaObject(root)) return [];
  const known = listed.get(root);
  if (known !== undefined) return known;
  const found = new Map<string, SchemaField>();
  collectFields({ root, fields: found, seen: new Set() }, root, 0);
  const fields = [...found.values()];
  listed.set(root, fields);
  return fields;
};
