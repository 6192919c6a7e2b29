// What a schema allows, in a few words: in plain English, or as the type that a program would write.
import type { JsonSchema, Tool } from "../contracts/index.js";
import {
  isSchemaObject,
  listFields,
  listUnions,
  readList,
  readLiterals,
  resolveSchema,
  type SchemaObject,
} from "./read-schema.js";

const maxText = 60;
const maxDescription = 300;
const maxHint = 1500;
const maxValues = 8;
const maxFields = 20;
const maxUnion = { values: 12, branches: 6 };

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  null: "null",
  object: "an object",
  array: "an array",
};

/** Untrusted text in quotes, on one line and bounded. */
export const quote = (text: string, max = maxText): string => {
  const points = [...text.slice(0, 2 * max)];
  const isLong = text.length > 2 * max || points.length > max;
  // Invisible characters could reorder or hide the rest of the message.
  const visible = (isLong ? `${points.slice(0, max).join("")}…` : text).replace(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    "",
  );
  return JSON.stringify(visible);
};

/** A tool's name in messages. A function of the guest itself has no server. */
export const quoteTool = ({ server, name }: Pick<Tool, "server" | "name">): string =>
  quote(server === "" ? name : `${server}.${name}`, 160);

/** A value in messages. Objects and arrays are only named as such. */
export const quoteValue = (value: unknown): string => {
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "an array" : "an object";
};

const shorten = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text);

const joinWords = (words: readonly string[]): string =>
  shorten([...new Set(words)].join(" or "), maxDescription);

const describeValues = (values: readonly unknown[]): string => {
  const shown = values.slice(0, maxValues).map(quoteValue);
  const more = values.length > maxValues ? `, … (${values.length - maxValues} more)` : "";
  return values.length === 1 ? shown.join("") : `one of ${shown.join(", ")}${more}`;
};

const listTypeNames = ({ type }: SchemaObject): readonly string[] =>
  [type].flat().filter((name) => typeof name === "string");

const describeType = (type: string, schema: SchemaObject, root: JsonSchema, depth: number): string => {
  const words = Object.hasOwn(typeWords, type) ? typeWords[type] : undefined;
  if (type !== "array" || schema.items === undefined || depth > 1) return words ?? "a value";
  const items = describeSchema(schema.items, root, depth + 1);
  return items === "a value" ? "an array" : `an array, each item ${items}`;
};

/** Of `allOf`, the first part that says something. */
const describeAll = (
  { allOf }: SchemaObject,
  describe: (part: unknown) => string,
  nothing: string,
): string => {
  const texts = readList(allOf).slice(0, maxValues).map(describe);
  return texts.find((text) => text !== nothing) ?? nothing;
};

/** `a string`, `one of "fast", "safe"`, `a number or null`. */
export const describeSchema = (schema: unknown, root: JsonSchema, depth = 0): string => {
  const resolved = resolveSchema(schema, root);
  if (!isSchemaObject(resolved) || depth > 4) return "a value";
  const literals = readLiterals(resolved) ?? [];
  if (literals.length > 0) return describeValues(literals);
  const types = listTypeNames(resolved);
  if (types.length > 0) return joinWords(types.map((type) => describeType(type, resolved, root, depth)));
  if (isSchemaObject(resolved.properties)) return "an object";
  const describe = (part: unknown): string => describeSchema(part, root, depth + 1);
  const branches = listUnions(resolved).flat().slice(0, maxValues);
  return branches.length > 0 ? joinWords(branches.map(describe)) : describeAll(resolved, describe, "a value");
};

/** One line that lists a tool's arguments: `Arguments: owner (a string), labels (an array, optional)`. */
export const describeFields = (root: JsonSchema): string => {
  const fields = listFields(root);
  if (fields.length === 0) return "The tool takes no arguments";
  const inOrder = [
    ...fields.filter((field) => field.isRequired),
    ...fields.filter((field) => !field.isRequired),
  ];
  const shown = inOrder.slice(0, maxFields).map(({ name, schema, isRequired }) => {
    const plainName = quote(name).slice(1, -1);
    return `${plainName} (${describeSchema(schema, root, 2)}${isRequired ? "" : ", optional"})`;
  });
  const more = fields.length > maxFields ? `, … (${fields.length - maxFields} more)` : "";
  return shorten(`Arguments: ${shown.join(", ")}${more}`, maxHint);
};

const quoteLiteral = (value: unknown): string => JSON.stringify(value).slice(0, maxText);

const inBrackets = (text: string): string => (text.includes(" | ") ? `(${text})` : text);

const joinUnion = (members: readonly string[]): string => [...new Set(members)].join(" | ");

/** The schema as a program's type: `"open" | "closed"`, `string`, `string[]`. */
export const describeAsType = (schema: unknown, root: JsonSchema, depth = 0): string => {
  const resolved = resolveSchema(schema, root);
  if (!isSchemaObject(resolved) || depth > 3) return "unknown";
  if (Object.hasOwn(resolved, "const")) return quoteLiteral(resolved.const);
  if (Array.isArray(resolved.enum)) {
    const shown = resolved.enum.slice(0, maxUnion.values).map(quoteLiteral);
    return [...shown, ...(resolved.enum.length > maxUnion.values ? ["…"] : [])].join(" | ");
  }
  const types = listTypeNames(resolved);
  if (types.length > 0) {
    const items = (): string => inBrackets(describeAsType(resolved.items, root, depth + 1));
    return joinUnion(types.map((type) => (type === "array" ? `${items()}[]` : type)));
  }
  if (isSchemaObject(resolved.properties)) return "object";
  const describe = (part: unknown): string => describeAsType(part, root, depth + 1);
  const branches = listUnions(resolved).flat().slice(0, maxUnion.branches);
  return branches.length > 0 ? joinUnion(branches.map(describe)) : describeAll(resolved, describe, "unknown");
};
