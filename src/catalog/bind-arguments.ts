// The values of a call, as a program wrote them → the one arguments object that the wire knows.
import { CoordinatorError, type Json, type JsonObject, type Tool } from "../contracts/index.js";
import {
  acceptsType,
  describeFields,
  listFields,
  quote,
  quoteTool,
  type SchemaField,
  typeOf,
} from "../schema/index.js";

const isPlainObject = (value: Json | undefined): value is JsonObject =>
  value !== undefined && typeOf(value) === "object";

const hasKnownKeys = (value: JsonObject, fields: readonly SchemaField[]): boolean => {
  const names = new Set(fields.map(({ name }) => name));
  return Object.keys(value).every((key) => names.has(key));
};

const isArgumentsObject = (tool: Tool, value: JsonObject, fields: readonly SchemaField[]): boolean => {
  const [first] = fields;
  const keys = Object.keys(value);
  if (first === undefined || keys.length === 0) return true;
  return (
    fields.some(({ name }) => Object.hasOwn(value, name)) ||
    !acceptsType(first.schema, tool.inputSchema, "object")
  );
};

const refuse = (tool: Tool, count: number, fields: readonly SchemaField[]): CoordinatorError => {
  const names = fields.map(({ name }) => quote(name)).slice(0, 20);
  const wanted = fields.length === 0 ? "no arguments" : `at most ${fields.length} (${names.join(", ")})`;
  return new CoordinatorError(
    "ARGUMENTS_INVALID",
    `Cannot call ${quoteTool(tool)}: ${count} values were given, expected one object or ${wanted}`,
    { hint: describeFields(tool.inputSchema) },
  );
};

const bindPositional = (tool: Tool, values: readonly Json[], fields: readonly SchemaField[]): JsonObject => {
  const last = values.at(-1);
  const lastField = fields[values.length - 1];
  const rest = fields.slice(values.length - 1);
  const isOptions =
    values.length > 1 &&
    isPlainObject(last) &&
    hasKnownKeys(last, rest) &&
    // Python's keywords come so too: an object that names the parameter itself is not its value.
    (lastField === undefined ||
      Object.hasOwn(last, lastField.name) ||
      !acceptsType(lastField.schema, tool.inputSchema, "object"));
  const options = isOptions && isPlainObject(last) ? Object.entries(last) : [];
  const positional = isOptions ? values.slice(0, -1) : values;
  if (positional.length > fields.length) throw refuse(tool, values.length, fields);
  const entries = fields.flatMap(({ name, schema }, index): [string, Json][] => {
    const value = positional[index];
    // JSON has no `undefined`: a null is an argument left out, unless the tool takes null there.
    if (value === undefined) return [];
    return value === null && !acceptsType(schema, tool.inputSchema, "null") ? [] : [[name, value]];
  });
  return Object.fromEntries([...entries, ...options]);
};

const dropTrailingNulls = (values: readonly Json[], most: number): readonly Json[] => {
  let length = values.length;
  while (length > most && values[length - 1] === null) length -= 1;
  return values.slice(0, length);
};

/** A list or an object in the place of a text, as JSON text. */
const writeTexts = (tool: Tool, value: JsonObject, contents: ReadonlySet<Json>): JsonObject => {
  const schemas = new Map(listFields(tool.inputSchema).map(({ name, schema }) => [name, schema]));
  const accepts = (name: string, type: "string" | "object" | "array"): boolean =>
    schemas.has(name) && acceptsType(schemas.get(name), tool.inputSchema, type);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const type = typeOf(item);
      const isTree = (type === "object" || type === "array") && contents.has(item);
      return [name, isTree && accepts(name, "string") && !accepts(name, type) ? JSON.stringify(item) : item];
    }),
  );
};

/**
 * One plain object is the arguments; other values go to the tool's parameters in the order its schema lists them,
 * and an object of parameter names may come last: `listTables(["public"])`, `listIssues("owner", "repo", { state })`.
 * `contents` are those of the values that a program only holds handles of: it cannot turn them into text itself.
 */
export const bindArguments = (
  tool: Tool,
  values: readonly Json[],
  contents?: ReadonlySet<Json>,
): JsonObject => {
  const bound = bindValues(tool, values);
  return contents === undefined || contents.size === 0 ? bound : writeTexts(tool, bound, contents);
};

const bindValues = (tool: Tool, values: readonly Json[]): JsonObject => {
  if (values.length === 0) return {};
  const fields = listFields(tool.inputSchema);
  const given = dropTrailingNulls(values, Math.max(fields.length, 1));
  const [first] = given;
  const isAlone = given.slice(1).every((value) => value === null);
  if (isAlone && isPlainObject(first) && isArgumentsObject(tool, first, fields)) return first;
  // `call(undefined)` of a tool that takes nothing.
  if (isAlone && first === null && fields.length === 0) return {};
  return bindPositional(tool, given, fields);
};
