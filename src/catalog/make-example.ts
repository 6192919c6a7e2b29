// Example arguments for a tool, from its schema and the names of its parameters. The same tool gets the same example.
import type { Json, JsonObject, Tool } from "../contracts/index.js";
import {
  findProblems,
  hasDefault,
  isSchemaObject,
  listOwnTypes,
  readItems,
  readList,
  readOwn,
  type SchemaObject,
} from "../schema/index.js";
import { makeText } from "./simulate/make-text.js";
import { type Making, makeValue } from "./simulate/make-value.js";
import { mergeSchemas } from "./simulate/merge-schemas.js";
import type { RandomSource } from "./simulate/random-source.js";

/** The first pattern that fits decides, so specific words come first. */
const textsByName: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/\b(?:e ?mails?|recipients?)\b/, "ada@example.com"],
  [/\b(?:urls?|uris?|links?|endpoint|website|webhook|href)\b/, "https://example.com"],
  [/\b(?:domain|host|hostname)\b/, "example.com"],
  [/\b(?:ip|ip address)\b/, "192.0.2.1"],
  [/\b(?:dir|directory|folder|cwd|root)\b/, "."],
  [/\b(?:path|paths|file|files|filename|filepath)\b/, "notes.txt"],
  [/\b(?:sql|statement)\b/, "SELECT 1"],
  [/\b(?:regex|regexp|pattern|glob)\b/, "*.txt"],
  [
    /\b(?:timestamp|datetime|date time|time|(?:created|updated|since|until|start|end|due) at)\b/,
    "2025-01-31T09:00:00Z",
  ],
  [/\b(?:date|day|since|until|from date|to date|start date|end date)\b/, "2025-01-31"],
  [/\b(?:month)\b/, "2025-01"],
  [/\b(?:year)\b/, "2025"],
  [/\b(?:time ?zone|tz)\b/, "Europe/Berlin"],
  [/\b(?:branch|ref|base|head)\b/, "main"],
  [/\b(?:sha|commit|hash)\b/, "a1b2c3d"],
  [/\b(?:repo|repository)\b/, "hello-world"],
  [/\b(?:owner|org|organization|user|username|login|author|assignee)\b/, "octocat"],
  [/\b(?:selector|xpath)\b/, "#main"],
  [/\b(?:command|cmd)\b/, "ls"],
  [/\b(?:phone|tel)\b/, "+15550100"],
  [/\b(?:currency)\b/, "EUR"],
  [/\b(?:port)\b/, "8080"],
  [/\b(?:slug)\b/, "example"],
  [/\b(?:country|region)\b/, "DE"],
  [/\b(?:city|location|place|address)\b/, "Berlin"],
  [/\b(?:lang|language|locale)\b/, "en"],
  [/\b(?:symbol|ticker)\b/, "ACME"],
  [/\b(?:colou?r)\b/, "#3366cc"],
  [/\b(?:version|tag)\b/, "1.0.0"],
  [/\b(?:latitude|lat)\b/, "52.5"],
  [/\b(?:longitude|lng|lon)\b/, "13.4"],
  [/\b(?:ids?|key|keys|number|num|uuid|guid|uid|iid|sid)\b/, "123"],
  [/\b(?:query|search|keywords?|terms?|q|question|prompt)\b/, "example"],
  [/\b(?:message|text|body|content|contents|comment|note|description|summary|markdown|html)\b/, "Hello"],
  [/\b(?:title|name|label|subject)\b/, "Example"],
];

const toWords = (name: string): string =>
  name
    .slice(0, 80)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();

/** A plausible text for a parameter: `repo_owner` → `octocat`, else `example`. It reaches nobody and harms nothing. */
const toExampleText = (name: string, tool = ""): string => {
  const words = toWords(name);
  if (/\bpath$/.test(words) && /\b(?:dir|directory|directories|folders?|tree)\b/.test(toWords(tool)))
    return ".";
  if (/^(?:(?:source )?code|script|expression|function)$/.test(words)) return "1 + 1";
  // The last word says what it is: `user email` is an email, `file id` is an id.
  const last = words.slice(words.lastIndexOf(" ") + 1);
  const find = (text: string): string | undefined => textsByName.find(([pattern]) => pattern.test(text))?.[1];
  return find(last) ?? find(words) ?? "example";
};

const maxDepth = 8;
const maxItems = 10;
/** A longer value would hide the call around it. */
const maxSuggestion = 80;
const maxValues = 200;

interface ExampleMaking extends Making {
  readonly tool: string;
}

const isNull = (item: unknown): boolean => item === "null" || (isSchemaObject(item) && item.type === "null");

/** Always the first choice; null only if there is nothing else. */
const firstChoice: RandomSource = {
  next: () => 1,
  integer: (min) => min,
  pick: (items) => items.find((item) => !isNull(item)) ?? items[0],
};

const isJson = (value: unknown): value is Json => value !== undefined;

/** A value that the schema itself offers: better than any guess. */
const findSuggestion = (schema: SchemaObject, { root }: Making): Json | undefined => {
  if (isJson(schema.const)) return schema.const;
  const { const: _constant, examples, example, default: fallback, ...rest } = schema;
  const offered = [...readList(examples), example, fallback, ...readList(schema.enum)];
  return offered.filter(isJson).find((value) => {
    const text = JSON.stringify(value);
    if (value === null || text === '""' || text === "{}" || text === "[]") return false;
    return text.length <= maxSuggestion && findProblems(rest, value, root).length === 0;
  });
};

const toNumber = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

const manyNames = /limit|count|size|max|top|first|per.?page|timeout/i;

const makeNumber = (schema: SchemaObject, name: string, making: Making): Json => {
  const bounds = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"];
  const wanted = manyNames.test(name) ? 10 : 1;
  const isFree = bounds.every((keyword) => toNumber(schema[keyword]) === undefined);
  return isFree || findProblems(schema, wanted, making.root).length === 0
    ? wanted
    : makeValue(schema, making);
};

const makeString = (schema: SchemaObject, name: string, making: ExampleMaking): Json => {
  const isFormed = typeof schema.format === "string" || typeof schema.pattern === "string";
  const text = toExampleText(name, making.tool);
  if (!isFormed)
    return findProblems(schema, text, making.root).length === 0 ? text : makeText(schema, making.random);
  const formed = makeText(schema, making.random);
  // The format or pattern is not one we can generate.
  return /^simulated /.test(formed) ? text : formed;
};

const listTypes = (schema: SchemaObject): readonly unknown[] => {
  const types = listOwnTypes(schema);
  return types.length > 0 ? types : ["string"];
};

const makeItems = (schema: SchemaObject, name: string, making: ExampleMaking, depth: number): Json => {
  const { first: fixed, rest } = readItems(schema);
  const min = Math.min(toNumber(schema.minItems) ?? 0, maxItems);
  const max = toNumber(schema.maxItems) ?? maxItems;
  const length = Math.min(Math.max(1, min, fixed.length), max);
  const singular = name.replace(/(?<=\w\w)s$/, "");
  return Array.from({ length }, (_, at) =>
    makeExampleValue(at < fixed.length ? fixed[at] : rest, singular, making, depth + 1),
  );
};

/** Required fields only. */
const makeFields = (schema: SchemaObject, making: ExampleMaking, depth: number): Json => {
  const properties = isSchemaObject(schema.properties) ? schema.properties : {};
  const required = readList(schema.required).filter((name): name is string => typeof name === "string");
  const needed = new Set(required.filter((name) => !hasDefault(readOwn(properties, name))));
  const order = [...Object.keys(properties).filter((name) => needed.has(name)), ...needed];
  return Object.fromEntries(
    [...new Set(order)].map((name) => [
      name,
      makeExampleValue(Object.hasOwn(properties, name) ? properties[name] : true, name, making, depth + 1),
    ]),
  );
};

const makeExampleValue = (schema: unknown, name: string, making: ExampleMaking, depth: number): Json => {
  making.budget.left -= 1;
  if (depth > maxDepth || making.budget.left < 0) return null;
  const merged = mergeSchemas(schema, making, false).schema;
  const suggestion = depth === 0 ? undefined : findSuggestion(merged, making);
  if (suggestion !== undefined) return suggestion;
  const types = listTypes(merged);
  switch (types.find((type) => !isNull(type)) ?? "null") {
    case "object":
      return makeFields(merged, making, depth);
    case "array":
      return makeItems(merged, name, making, depth);
    case "integer":
    case "number":
      return makeNumber(merged, name, making);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return makeString(merged, name, making);
  }
};

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Arguments that `validateArguments` accepts; undefined if none were found. */
export const makeExample = ({ name, inputSchema }: Tool): JsonObject | undefined => {
  const open = (): ExampleMaking => ({
    root: inputSchema,
    random: firstChoice,
    budget: { left: maxValues },
    tool: name,
  });
  const made = [
    () => makeExampleValue(inputSchema, "", open(), 0),
    // Meets conditions too, but without plausible texts.
    () => makeValue(inputSchema, open()),
    () => ({}),
  ];
  for (const make of made) {
    const value = make();
    if (isObject(value) && findProblems(inputSchema, value).length === 0) return value;
  }
  return undefined;
};
