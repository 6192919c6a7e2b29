// Parses `key=value` words into a tool's arguments. The tool's schema decides how to read an ambiguous value.
import {
  CoordinatorError,
  type Json,
  type JsonObject,
  type JsonSchema,
  parseJson,
} from "../../contracts/index.js";
import { isSchemaObject, listFields, listTypes } from "../../schema/index.js";

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
  if (at < 1) throw refuse(`"${word}" has no key, expected key=value`);
  return { key: word.slice(0, at), text: word.slice(at + 1) };
};

// A parameter that accepts only strings gets the text as typed, including "42", "true" and "null".
const toValue = ({ key, text }: Pair, schema: JsonSchema | undefined): Json => {
  const parsed = parse(text);
  if (parsed === undefined) return text;
  const field = schema === undefined ? undefined : listFields(schema).find(({ name }) => name === key);
  if (schema === undefined || field === undefined) return parsed;
  const types = listTypes(field.schema, schema);
  const isTextOnly = [...types].every((type) => type === "string" || (type === "null" && parsed !== null));
  return isTextOnly ? text : parsed;
};

const readDocument = (text: string): JsonObject => {
  const value = parse(text);
  if (!isSchemaObject(value)) throw refuse("--arguments is not a JSON object");
  return value as JsonObject;
};

/** The arguments of a call. `loadSchema` is called only if a value is ambiguous. */
export const readArguments = async (
  words: readonly string[],
  document: string | undefined,
  loadSchema: () => Promise<JsonSchema>,
): Promise<JsonObject> => {
  const pairs = words.map(readPair);
  const repeated = pairs.find(({ key }, index) => pairs.findIndex((pair) => pair.key === key) !== index);
  if (repeated !== undefined) throw refuse(`"${repeated.key}" is given twice, expected once`);
  const isAmbiguous = pairs.some(({ text }) => parse(text) !== undefined);
  const schema = isAmbiguous ? await loadSchema() : undefined;
  return {
    ...(document === undefined ? {} : readDocument(document)),
    ...Object.fromEntries(pairs.map((pair) => [pair.key, toValue(pair, schema)])),
  };
};
