// Questions to the schema of a tool's answer: what kinds of values it allows, its fields, its items.
import type { JsonSchema } from "../../../contracts/index.js";
import { isOpen } from "../../rules/find-schema-problems.js";
import {
  isClosed,
  isSchemaObject,
  listFields,
  listParts,
  readList,
  type SchemaObject,
} from "../../tools/schema.js";

/** A schema together with the document its references point into. */
export interface ResultSchema {
  readonly root: JsonSchema;
  readonly schema: unknown;
}

const composing = ["$ref", "allOf", "anyOf", "oneOf"];

/** The parts that say something themselves, besides what they are composed of. */
const listOwnParts = ({ root, schema }: ResultSchema): readonly SchemaObject[] =>
  listParts(root, schema).filter(
    (part) =>
      part.type !== undefined ||
      part.properties !== undefined ||
      !composing.some((keyword) => Object.hasOwn(part, keyword)),
  );

const kindsOf = (part: SchemaObject): readonly string[] => {
  if (part.type !== undefined) return [part.type].flat().filter((type) => typeof type === "string");
  if (part.properties !== undefined) return ["object"];
  const literals = Object.hasOwn(part, "const") ? [part.const] : readList(part.enum);
  if (literals.length === 0) return ["unknown"];
  return literals.map((literal) =>
    literal === null ? "null" : Array.isArray(literal) ? "array" : typeof literal,
  );
};

/** Every kind of value it allows besides null; "unknown" among them when it may be anything. */
export const listKinds = (result: ResultSchema): ReadonlySet<string> => {
  const parts = listOwnParts(result);
  const kinds = new Set(parts.length === 0 ? ["unknown"] : parts.flatMap(kindsOf));
  kinds.delete("null");
  return kinds;
};

/** Whether it is certainly of one kind, or null. */
export const isOnly = (result: ResultSchema, kind: "object" | "array" | "string"): boolean => {
  const kinds = listKinds(result);
  return kinds.size === 1 && kinds.has(kind);
};

export const listResultFields = ({ root, schema }: ResultSchema): readonly string[] =>
  listFields(root, schema).map(({ name }) => name);

/** Whether it is certain to have no other fields than it names. */
export const isClosedResult = ({ root, schema }: ResultSchema): boolean => isClosed(root, schema);

/** Whether it says that it may have fields that it does not name. */
export const hasOtherFields = ({ root, schema }: ResultSchema): boolean => {
  const parts = listParts(root, schema);
  return isOpen(parts) || listFields(root, schema).length === 0;
};

const combine = (root: JsonSchema, schemas: readonly unknown[]): ResultSchema | undefined => {
  const [only] = schemas;
  if (schemas.length === 0) return undefined;
  return { root, schema: schemas.length === 1 ? only : { anyOf: schemas } };
};

/** Undefined when nothing is declared for the field. */
export const toField = ({ root, schema }: ResultSchema, name: string): ResultSchema | undefined =>
  combine(
    root,
    listParts(root, schema).flatMap(({ properties }) =>
      isSchemaObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
    ),
  );

/** What a list holds; undefined where its items differ by their place, or nothing is declared. */
export const toItem = ({ root, schema }: ResultSchema): ResultSchema | undefined => {
  const parts = listParts(root, schema).filter(({ type }) => [type].flat().includes("array"));
  const isTuple = parts.some(({ items, prefixItems }) => Array.isArray(items) || prefixItems !== undefined);
  const items = parts.map((part) => part.items);
  return isTuple || items.includes(undefined) ? undefined : combine(root, items);
};
