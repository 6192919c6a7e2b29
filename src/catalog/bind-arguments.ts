// Binds the values of a call to the one arguments object that MCP knows, and validates it before the server is called.
import { CoordinatorError, type Json, type JsonObject, type Tool } from "../contracts/index.js";
import {
  acceptsType,
  describeFields,
  findProblems,
  listFields,
  type Problem,
  quote,
  quoteTool,
  type SchemaField,
  typeOf,
  type ValuePath,
} from "../schema/index.js";

const isPlainObject = (value: Json | undefined): value is JsonObject =>
  value !== undefined && typeOf(value) === "object";

const hasKnownKeys = (value: JsonObject, fields: readonly SchemaField[]): boolean => {
  const names = new Set(fields.map(({ name }) => name));
  return Object.keys(value).every((key) => names.has(key));
};

const isArgumentsObject = (tool: Tool, value: JsonObject, fields: readonly SchemaField[]): boolean => {
  const [first] = fields;
  if (first === undefined || Object.keys(value).length === 0) return true;
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
  const options =
    values.length > 1 &&
    isPlainObject(last) &&
    hasKnownKeys(last, rest) &&
    // Python's keyword arguments arrive like this too: an object that names the parameter is not its value.
    (lastField === undefined ||
      Object.hasOwn(last, lastField.name) ||
      !acceptsType(lastField.schema, tool.inputSchema, "object"))
      ? last
      : undefined;
  const positional = options === undefined ? values : values.slice(0, -1);
  if (positional.length > fields.length) throw refuse(tool, values.length, fields);
  const entries = fields.flatMap(({ name, schema }, index): [string, Json][] => {
    const value = positional[index];
    // JSON has no `undefined`: null means left out, unless the parameter accepts null.
    if (value === undefined) return [];
    return value === null && !acceptsType(schema, tool.inputSchema, "null") ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(entries), ...options };
};

const dropTrailingNulls = (values: readonly Json[], max: number): readonly Json[] => {
  let length = values.length;
  while (length > max && values[length - 1] === null) length -= 1;
  return values.slice(0, length);
};

/** Writes a list or object as JSON text where the parameter accepts only text. */
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
 * One plain object is the arguments. Other values go to the tool's parameters in the order of its schema, and an object
 * of named parameters may come last: `listTables(["public"])`, `listIssues("owner", "repo", { state })`.
 * `contents` are the values behind the program's handles, which it cannot turn into text itself.
 */
export const bindArguments = (
  tool: Tool,
  values: readonly Json[],
  contents?: ReadonlySet<Json>,
): JsonObject => {
  const bound = omitNulls(tool, bindValues(tool, values));
  return contents === undefined || contents.size === 0 ? bound : writeTexts(tool, bound, contents);
};

/** Leaves out an optional argument that is null and must not be: many languages have no other way to say that it is absent. */
export const omitNulls = (tool: Tool, value: JsonObject): JsonObject => {
  if (!Object.values(value).includes(null)) return value;
  const isOmitted = ({ name, schema, isRequired }: SchemaField): boolean =>
    value[name] === null && !isRequired && !acceptsType(schema, tool.inputSchema, "null");
  const omitted = new Set(
    listFields(tool.inputSchema)
      .filter(isOmitted)
      .map(({ name }) => name),
  );
  return Object.fromEntries(Object.entries(value).filter(([name]) => !omitted.has(name)));
};

const bindValues = (tool: Tool, values: readonly Json[]): JsonObject => {
  if (values.length === 0) return {};
  const fields = listFields(tool.inputSchema);
  const given = dropTrailingNulls(values, Math.max(fields.length, 1));
  const [first] = given;
  const isAlone = given.slice(1).every((value) => value === null);
  if (isAlone && isPlainObject(first) && isArgumentsObject(tool, first, fields)) return first;
  // `call(undefined)` of a tool without parameters.
  if (isAlone && first === null && fields.length === 0) return {};
  return bindPositional(tool, given, fields);
};

const maxListed = 3;

const plainKey = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u;

/** `items[2].price`, `headers["content type"]`. */
const renderPath = (path: ValuePath | undefined): string => {
  const keys: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.parent) keys.unshift(at.key);
  return keys
    .map((key, index) => {
      if (typeof key === "number") return `[${key}]`;
      if (!plainKey.test(key)) return index === 0 ? key : `[${quote(key)}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join("");
};

const renderProblem = ({ path, kind, describe }: Problem): string => {
  if (path === undefined) return `the arguments object ${describe()}`;
  const name = quote(renderPath(path));
  return kind === "unknown" ? `unknown argument ${name}${describe()}` : `argument ${name} ${describe()}`;
};

/**
 * Throws ARGUMENTS_INVALID if the arguments do not fit the tool's schema. Patterns, formats, remote schemas and
 * anything beyond the budget of steps are left to the server.
 */
export const validateArguments = (tool: Tool, value: JsonObject): void => {
  const problems = findProblems(tool.inputSchema, value);
  if (problems.length === 0) return;
  const listed = problems.slice(0, maxListed).map(renderProblem);
  const more = problems.length > maxListed ? "; and more" : "";
  throw new CoordinatorError(
    "ARGUMENTS_INVALID",
    `Cannot call ${quoteTool(tool)}: ${listed.join("; ")}${more}`,
    { hint: describeFields(tool.inputSchema) },
  );
};
