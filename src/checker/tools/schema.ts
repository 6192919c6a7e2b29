// Reads what servers write as JSON Schema, bounded: references followed, fields listed, a type told in words.
import type { JsonSchema } from "../../contracts/index.js";

export type SchemaObject = { readonly [keyword: string]: unknown };

export interface SchemaField {
  readonly name: string;
  readonly schema: unknown;
}

const longestChain = 32;
const maxSchemas = 500;

export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const readPointer = (root: unknown, pointer: string): unknown => {
  let found = root;
  for (const segment of pointer.split("/").slice(1)) {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as SchemaObject)[key];
  }
  return found;
};

/** The schema with its leading local references followed; what leads elsewhere allows anything. */
export const resolveSchema = (root: JsonSchema, schema: unknown): unknown => {
  let found = schema;
  for (let hops = 0; isSchemaObject(found) && typeof found.$ref === "string"; hops += 1) {
    if (hops === longestChain || !found.$ref.startsWith("#")) return undefined;
    found = found.$ref === "#" ? root : readPointer(root, found.$ref);
  }
  return found;
};

/** A schema and everything it is composed of, each once. */
export const listParts = (root: JsonSchema, schema: unknown): readonly SchemaObject[] => {
  const seen = new Set<SchemaObject>();
  const add = (part: unknown): void => {
    if (!isSchemaObject(part) || seen.has(part) || seen.size >= maxSchemas) return;
    seen.add(part);
    if (part.$ref !== undefined) add(resolveSchema(root, part));
    for (const inner of [part.allOf, part.anyOf, part.oneOf].flatMap(readList)) add(inner);
  };
  add(schema);
  return [...seen];
};

/** The fields of an object schema in the order they are written, those of its parts included. */
export const listFields = (root: JsonSchema, schema: unknown = root): readonly SchemaField[] => {
  const fields = new Map<string, SchemaField>();
  for (const { properties } of listParts(root, schema)) {
    if (!isSchemaObject(properties)) continue;
    for (const [name, field] of Object.entries(properties))
      if (!fields.has(name)) fields.set(name, { name, schema: field });
  }
  return [...fields.values()];
};

/** Whether it forbids every field that is not named. */
export const forbidsOthers = ({ additionalProperties, unevaluatedProperties }: SchemaObject): boolean =>
  additionalProperties === false || unevaluatedProperties === false;

/** Whether no object of this schema can have a field that it does not name. */
export const isClosed = (root: JsonSchema, schema: unknown): boolean => {
  const objects = listParts(root, schema).filter(({ properties }) => isSchemaObject(properties));
  return objects.length > 0 && objects.every(forbidsOthers);
};

/** Whether some object, at any depth, may have a field that the schema does not name. When in doubt it may. */
export const hasOpenObjects = (root: JsonSchema): boolean => {
  const waiting: unknown[] = [root];
  for (let seen = 0; waiting.length > 0; seen += 1) {
    const part = waiting.pop();
    if (seen > maxSchemas * 10) return true;
    if (Array.isArray(part)) waiting.push(...part.slice(0, maxSchemas));
    if (!isSchemaObject(part)) continue;
    if (isSchemaObject(part.properties) && !forbidsOthers(part)) return true;
    waiting.push(...Object.values(part));
  }
  return false;
};

export const acceptsObject = (root: JsonSchema, schema: unknown): boolean =>
  listParts(root, schema).some(
    (part) =>
      [part.type].flat().includes("object") ||
      (part.type === undefined && !("enum" in part) && !("const" in part)),
  );

/** Names that a program can write for it: `"open" | "closed"`, `string`, `string[]`. */
export const describeSchema = (root: JsonSchema, schema: unknown, depth = 0): string => {
  const resolved = resolveSchema(root, schema);
  if (!isSchemaObject(resolved) || depth > 3) return "unknown";
  if (Object.hasOwn(resolved, "const")) return JSON.stringify(resolved.const).slice(0, 60);
  if (Array.isArray(resolved.enum)) {
    const shown = resolved.enum.slice(0, 12).map((value) => JSON.stringify(value).slice(0, 60));
    return [...shown, ...(resolved.enum.length > 12 ? ["…"] : [])].join(" | ");
  }
  const types = [resolved.type].flat().filter((type) => typeof type === "string");
  if (types.length > 0) {
    const words = types.map((type) => {
      if (type === "integer") return "integer";
      return type === "array" ? `${toItems(describeSchema(root, resolved.items, depth + 1))}[]` : type;
    });
    return [...new Set(words)].join(" | ");
  }
  const branches = [resolved.anyOf, resolved.oneOf].flatMap(readList).slice(0, 6);
  return (
    [...new Set(branches.map((branch) => describeSchema(root, branch, depth + 1)))].join(" | ") || "unknown"
  );
};

const toItems = (text: string): string => (text.includes(" | ") ? `(${text})` : text);
