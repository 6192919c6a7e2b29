// Queries on the schema of a tool's answer: kinds of values, fields, items.
import type { JsonSchema } from "../../contracts/index.js";
import {
  allowsOthers,
  isClosed,
  isSchemaObject,
  listFields,
  listParts,
  listTypes,
} from "../../schema/index.js";

/** A schema together with the document its references point into. */
export interface ResultSchema {
  readonly root: JsonSchema;
  readonly schema: unknown;
}

/** Every allowed kind of value except null; includes "unknown" if it may be anything. */
export const listKinds = ({ root, schema }: ResultSchema): ReadonlySet<string> =>
  new Set([...listTypes(schema, root)].filter((type) => type !== "null"));

/** Whether it is always of one kind, or null. */
export const isOnly = (result: ResultSchema, kind: "object" | "array" | "string"): boolean => {
  const kinds = listKinds(result);
  return kinds.size === 1 && kinds.has(kind);
};

export const listResultFields = ({ root, schema }: ResultSchema): readonly string[] =>
  listFields(schema, root).map(({ name }) => name);

/** Whether it has no fields other than the declared ones. */
export const isClosedResult = ({ root, schema }: ResultSchema): boolean => isClosed(schema, root);

/** Whether it explicitly allows undeclared fields. */
export const hasOtherFields = ({ root, schema }: ResultSchema): boolean =>
  allowsOthers(schema, root) || listFields(schema, root).length === 0;

const combine = (root: JsonSchema, schemas: readonly unknown[]): ResultSchema | undefined => {
  const [only] = schemas;
  if (schemas.length === 0) return undefined;
  return { root, schema: schemas.length === 1 ? only : { anyOf: schemas } };
};

/** Undefined if the field is not declared. */
export const toField = ({ root, schema }: ResultSchema, name: string): ResultSchema | undefined =>
  combine(
    root,
    listParts(schema, root).flatMap(({ properties }) =>
      isSchemaObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
    ),
  );

/** The schema of a list's items; undefined if it depends on the position or is not declared. */
export const toItem = ({ root, schema }: ResultSchema): ResultSchema | undefined => {
  const parts = listParts(schema, root).filter(({ type }) => [type].flat().includes("array"));
  const isTuple = parts.some(({ items, prefixItems }) => Array.isArray(items) || prefixItems !== undefined);
  const items = parts.map((part) => part.items);
  return isTuple || items.includes(undefined) ? undefined : combine(root, items);
};
