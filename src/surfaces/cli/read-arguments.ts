// `key=value` words → a tool's arguments; the tool's schema decides what an ambiguous value is.
import {
  CoordinatorError,
  type Json,
  type JsonObject,
  type JsonSchema,
  parseJson,
} from "../../contracts/index.js";

interface Pair {
  readonly key: string;
  readonly text: string;
}

const refuse = (state: string): CoordinatorError =>
  new CoordinatorError("USAGE", `Cannot read the arguments: ${state}`, {
    hint: 'Give each as key=value, or all of them as --arguments \'{"key": "value"}\'.',
  });

const parse = (text: string): Json | undefined => {
  try {
    return parseJson(text) as Json;
  } catch {
    return undefined;
  }
};

const readPair = (word: string): Pair => {
  const at = word.indexOf("=");
  if (at < 1) throw refuse(`"${word}" has no key, wanted key=value`);
  return { key: word.slice(0, at), text: word.slice(at + 1) };
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The types a schema allows; undefined when it does not say. */
const typesOf = (schema: unknown, root: JsonSchema, depth = 0): ReadonlySet<string> | undefined => {
  if (!isRecord(schema) || depth > 8) return undefined;
  const reference = schema.$ref;
  if (typeof reference === "string") {
    const path = reference.replace(/^#\//, "").split("/");
    const target = path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), root);
    return typesOf(target, root, depth + 1);
  }
  const { type, anyOf, oneOf } = schema;
  if (typeof type === "string") return new Set([type]);
  if (Array.isArray(type)) return new Set(type.map(String));
  const values: readonly unknown[] | undefined = Array.isArray(schema.enum)
    ? schema.enum
    : "const" in schema
      ? [schema.const]
      : undefined;
  if (values?.every((value) => typeof value === "string")) return new Set(["string"]);
  const branches: readonly unknown[] = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  const types = branches.map((branch) => typesOf(branch, root, depth + 1));
  if (types.length === 0 || types.includes(undefined)) return undefined;
  return new Set(types.flatMap((set) => [...(set ?? [])]));
};

// A parameter that takes strings and nothing else gets the text as it was typed: "42", "true" and "null" too.
const toValue = ({ key, text }: Pair, schema: JsonSchema | undefined): Json => {
  const parsed = parse(text);
  if (parsed === undefined) return text;
  if (schema === undefined || typeof schema === "boolean") return parsed;
  const properties = schema.properties;
  const property = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const types = typesOf(property, schema);
  if (types === undefined) return parsed;
  const isTextOnly = [...types].every((type) => type === "string" || (type === "null" && parsed !== null));
  return isTextOnly ? text : parsed;
};

const readDocument = (text: string): JsonObject => {
  const value = parse(text);
  if (!isRecord(value)) throw refuse("--arguments is no JSON object");
  return value as JsonObject;
};

/** The arguments of a call. `loadSchema` is asked only when a value could be read in two ways. */
export const readArguments = async (
  words: readonly string[],
  document: string | undefined,
  loadSchema: () => Promise<JsonSchema>,
): Promise<JsonObject> => {
  const pairs = words.map(readPair);
  const repeated = pairs.find(({ key }, index) => pairs.findIndex((pair) => pair.key === key) !== index);
  if (repeated !== undefined) throw refuse(`"${repeated.key}" is given twice, wanted once`);
  const isAmbiguous = pairs.some(({ text }) => parse(text) !== undefined);
  const schema = isAmbiguous ? await loadSchema() : undefined;
  return {
    ...(document === undefined ? {} : readDocument(document)),
    ...Object.fromEntries(pairs.map((pair) => [pair.key, toValue(pair, schema)])),
  };
};
