// What a schema wants, in a few words of plain English.
import type { JsonSchema, Tool } from "../contracts/index.js";
import { isSchemaObject, listFields, resolveSchema, type SchemaObject } from "./resolve-schema.js";

const longestText = 60;
const longestDescription = 300;
const longestHint = 1500;
const mostValues = 8;
const mostFields = 20;

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  null: "null",
  object: "an object",
  array: "an array",
};

/** A server's or program's text in quotes, on one line and bounded. */
export const quote = (text: string, longest = longestText): string => {
  const points = [...text.slice(0, 2 * longest)];
  const isLong = text.length > 2 * longest || points.length > longest;
  // Invisible characters could reorder or hide the rest of the message.
  const visible = (isLong ? `${points.slice(0, longest).join("")}…` : text).replace(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    "",
  );
  return JSON.stringify(visible);
};

/** A tool as messages name it; what belongs to no server is a function of the program's world. */
export const quoteTool = ({ server, name }: Pick<Tool, "server" | "name">): string =>
  quote(server === "" ? name : `${server}.${name}`, 160);

/** A value as messages show it; of objects and arrays only what they are. */
export const quoteValue = (value: unknown): string => {
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "an array" : "an object";
};

const shorten = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text;

const joinWords = (words: readonly string[]): string =>
  shorten([...new Set(words)].join(" or "), longestDescription);

const describeValues = (values: readonly unknown[]): string => {
  const shown = values.slice(0, mostValues).map(quoteValue);
  const more = values.length > mostValues ? `, … (${values.length - mostValues} more)` : "";
  return values.length === 1 ? shown.join("") : `one of ${shown.join(", ")}${more}`;
};

const describeType = (type: string, schema: SchemaObject, root: JsonSchema, depth: number): string => {
  const words = Object.hasOwn(typeWords, type) ? typeWords[type] : undefined;
  if (type !== "array" || schema.items === undefined || depth > 1) return words ?? "a value";
  const items = describeSchema(root, schema.items, depth + 1);
  return items === "a value" ? "an array" : `an array, each item ${items}`;
};

/** `a string`, `one of "fast", "safe"`, `a number or null`. */
export const describeSchema = (root: JsonSchema, schema: unknown, depth = 0): string => {
  const resolved = resolveSchema(root, schema);
  if (!isSchemaObject(resolved) || depth > 4) return "a value";
  if (Object.hasOwn(resolved, "const")) return describeValues([resolved.const]);
  if (Array.isArray(resolved.enum) && resolved.enum.length > 0) return describeValues(resolved.enum);
  const types = [resolved.type].flat().filter((type) => typeof type === "string");
  if (types.length > 0) return joinWords(types.map((type) => describeType(type, resolved, root, depth)));
  if (isSchemaObject(resolved.properties)) return "an object";
  const branches = [resolved.anyOf, resolved.oneOf, resolved.allOf].find(Array.isArray);
  if (branches === undefined || branches.length === 0) return "a value";
  return joinWords(branches.slice(0, mostValues).map((branch) => describeSchema(root, branch, depth + 1)));
};

/** One line that lists a tool's arguments: `Arguments: owner (a string), labels (an array, optional)`. */
export const describeFields = (root: JsonSchema): string => {
  const fields = listFields(root);
  if (fields.length === 0) return "The tool takes no arguments";
  const inOrder = [
    ...fields.filter((field) => field.isRequired),
    ...fields.filter((field) => !field.isRequired),
  ];
  const shown = inOrder.slice(0, mostFields).map(({ name, schema, isRequired }) => {
    const plainName = quote(name).slice(1, -1);
    return `${plainName} (${describeSchema(root, schema, 2)}${isRequired ? "" : ", optional"})`;
  });
  const more = fields.length > mostFields ? `, … (${fields.length - mostFields} more)` : "";
  return shorten(`Arguments: ${shown.join(", ")}${more}`, longestHint);
};
