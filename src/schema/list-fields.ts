// The fields of an object schema and the items of an array schema.
import type { JsonSchema } from "../contracts/index.js";
import { isSchemaObject, listParts, readList, readReference, type SchemaObject } from "./resolve-schema.js";

export interface SchemaField {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

const maxVisited = 5000;
const maxItems = 500;

/** Some generators list fields with a default as required: a call can leave them out all the same. */
export const hasDefault = (field: unknown): boolean =>
  isSchemaObject(field) && Object.hasOwn(field, "default");

/** The fields of an object schema in the order they are written, those of its parts included. */
export const listFields = (
  schema: unknown,
  root: JsonSchema = schema as JsonSchema,
): readonly SchemaField[] => {
  const fields = new Map<string, SchemaField>();
  for (const { properties, required } of listParts(schema, root)) {
    if (!isSchemaObject(properties)) continue;
    const needed = new Set(readList(required));
    for (const [name, field] of Object.entries(properties)) {
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
