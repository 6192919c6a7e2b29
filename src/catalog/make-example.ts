// Example arguments for a tool: what its schema offers, what works anywhere, or a placeholder. The same tool gets the same example.
import { isFields, type Json, type JsonObject, type Tool } from "../contracts/index.js";
import {
  findProblems,
  hasDefault,
  isSchemaObject,
  listRequired,
  mergeParts,
  readItems,
  readList,
  readOwn,
  readProperties,
  type SchemaObject,
} from "../schema/index.js";
import { makeText, type RandomSource } from "./simulate/make-text.js";
import {
  chooseBranch,
  listPossibleTypes,
  makeValue,
  toNumber,
  type ValueContext,
} from "./simulate/simulate-answer.js";

/** Texts that work on any server. The first pattern that fits decides, so specific words come first. */
const textsByName: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/\b(?:e ?mails?|recipients?)\b/, "ada@example.com"],
  [/\b(?:urls?|uris?|links?|endpoint|website|webhook|href)\b/, "https://example.com"],
  [/\b(?:domain|host|hostname)\b/, "example.com"],
  [/\bip\b/, "192.0.2.1"],
  [/\b(?:sql|statement)\b/, "SELECT 1"],
  [/\b(?:regex|regexp|pattern|glob)\b/, "*.txt"],
  [
    /\b(?:timestamp|datetime|date time|time|(?:created|updated|since|until|start|end|due) at)\b/,
    "2025-01-31T09:00:00Z",
  ],
  [/\b(?:date|day|since|until)\b/, "2025-01-31"],
  [/\bmonth\b/, "2025-01"],
  [/\byear\b/, "2025"],
  [/\b(?:time ?zone|tz)\b/, "Europe/Berlin"],
  [/\bcurrency\b/, "EUR"],
  [/\b(?:country|region)\b/, "DE"],
  [/\b(?:city|location|place)\b/, "Berlin"],
  [/\b(?:lang|language|locale)\b/, "en"],
  [/\bcolou?r\b/, "#3366cc"],
  [/\b(?:latitude|lat)\b/, "52.5"],
  [/\b(?:longitude|lng|lon)\b/, "13.4"],
  [/\b(?:query|search|keywords?|terms?|q|question|prompt)\b/, "example"],
  [/\b(?:message|text|body|content|contents|comment|note|description|summary|markdown|html)\b/, "Hello"],
  [/\b(?:title|subject)\b/, "Example"],
];

const folderWords = /\b(?:dir|directory|directories|folders?|tree|cwd|root)\b/;

const toWords = (name: string): string =>
  name
    .slice(0, 80)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();

const maxPlaceholder = 60;

/** Reads as something to be filled in: `<absolute path of the workbook>`, from the description if it has one. */
const toPlaceholder = (words: string, description: unknown): string => {
  const text = typeof description === "string" ? description.slice(0, 400) : "";
  const phrase = (text.split(/[.;:,(\n]/)[0] ?? "").replace(/[<>"'`\s]+/g, " ").trim();
  const isPhrase = phrase.length > 2 && phrase.length <= maxPlaceholder;
  return `<${isPhrase ? phrase.replace(/^(?:the|an?) /i, "").replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase()) : words || "text"}>`;
};

const filePath = /^(?:(?:source|destination|target|file|absolute|full|old|new|input|output) )*paths?$/;

/** Whether a parameter takes the whole path of a file, not one inside a repository, a URL or a document. */
const isFilePath = (words: string, description: unknown, tool: string): boolean =>
  (filePath.test(words) || (/^(?:source|destination)$/.test(words) && /\bfiles?\b/.test(tool))) &&
  !(typeof description === "string" && /\brelative\b|\burl\b/i.test(description.slice(0, 400)));

/** A text that works anywhere, one of the server's own folders, a placeholder in that folder, or a placeholder. */
const toExampleText = (name: string, description: unknown, { tool, folder }: ExampleContext): string => {
  const words = toWords(name);
  const isFolder =
    folderWords.test(words) ||
    /^(?:repo|repository|project) path$/.test(words) ||
    (/\bpath$/.test(words) && folderWords.test(toWords(tool)));
  if (isFolder) return folder ?? toPlaceholder(words, description);
  if (folder !== undefined && isFilePath(words, description, toWords(tool)))
    return `${folder.replace(/[/\\]$/, "")}${folder.includes("\\") ? "\\" : "/"}<${/paths?$/.test(words) ? "file" : words}>`;
  if (/^(?:(?:source )?code|script|expression)$/.test(words)) return "1 + 1";
  // The last word says what it is: `user email` is an email, `file id` is an id.
  const last = words.slice(words.lastIndexOf(" ") + 1);
  const find = (text: string): string | undefined => textsByName.find(([pattern]) => pattern.test(text))?.[1];
  const isOwn = /\b(?:ids?|keys?|path|paths|file|files|name|number|uuid|token|slug|ref)$/.test(words);
  return (isOwn ? undefined : (find(last) ?? find(words))) ?? toPlaceholder(words, description);
};

const maxDepth = 8;
const maxItems = 10;
/** A longer value would hide the call around it. */
const maxSuggestion = 80;
const maxValues = 200;

interface ExampleContext extends ValueContext {
  readonly tool: string;
  /** A folder that the server may use. */
  readonly folder: string | undefined;
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
const findSuggestion = (schema: SchemaObject, { root }: ValueContext): Json | undefined => {
  if (isJson(schema.const)) return schema.const;
  const { const: _constant, examples, example, default: fallback, ...rest } = schema;
  const offered = [...readList(examples), example, fallback, ...readList(schema.enum)];
  return offered.filter(isJson).find((value) => {
    const text = JSON.stringify(value);
    if (value === null || text === '""' || text === "{}" || text === "[]") return false;
    return text.length <= maxSuggestion && findProblems(rest, value, root).length === 0;
  });
};

const manyNames = /limit|count|size|max|top|first|per.?page|timeout/i;

const makeNumber = (schema: SchemaObject, name: string, context: ValueContext): Json => {
  const bounds = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"];
  const wanted = manyNames.test(name) ? 10 : 1;
  const isFree = bounds.every((keyword) => toNumber(schema[keyword]) === undefined);
  return isFree || findProblems(schema, wanted, context.root).length === 0
    ? wanted
    : makeValue(schema, context);
};

const makeString = (schema: SchemaObject, name: string, context: ExampleContext): Json => {
  const isFormed = typeof schema.format === "string" || typeof schema.pattern === "string";
  const text = toExampleText(name, schema.description, context);
  if (!isFormed)
    return findProblems(schema, text, context.root).length === 0 ? text : makeText(schema, context.random);
  const formed = makeText(schema, context.random);
  // The format or pattern is not one we can generate.
  return /^simulated /.test(formed) ? text : formed;
};

const makeItems = (schema: SchemaObject, name: string, context: ExampleContext, depth: number): Json => {
  const { first: fixed, rest } = readItems(schema);
  const min = Math.min(toNumber(schema.minItems) ?? 0, maxItems);
  const max = toNumber(schema.maxItems) ?? maxItems;
  const length = Math.min(Math.max(1, min, fixed.length), max);
  const singular = name.replace(/(?<=\w\w)s$/, "");
  return Array.from({ length }, (_, at) =>
    makeExampleValue(at < fixed.length ? fixed[at] : rest, singular, context, depth + 1),
  );
};

/** Required fields only. */
const makeFields = (schema: SchemaObject, context: ExampleContext, depth: number): Json => {
  const properties = readProperties(schema);
  const needed = new Set(listRequired(schema).filter((name) => !hasDefault(readOwn(properties, name))));
  const order = [...Object.keys(properties).filter((name) => needed.has(name)), ...needed];
  return Object.fromEntries(
    [...new Set(order)].map((name) => [
      name,
      makeExampleValue(Object.hasOwn(properties, name) ? properties[name] : true, name, context, depth + 1),
    ]),
  );
};

const makeExampleValue = (schema: unknown, name: string, context: ExampleContext, depth: number): Json => {
  context.budget.left -= 1;
  if (depth > maxDepth || context.budget.left < 0) return null;
  const choose = (branches: readonly unknown[]): unknown => chooseBranch(branches, context, false);
  const merged = mergeParts(schema, context.root, choose).schema;
  const suggestion = depth === 0 ? undefined : findSuggestion(merged, context);
  if (suggestion !== undefined) return suggestion;
  switch (listPossibleTypes(merged).find((type) => type !== "null") ?? "null") {
    case "object":
      return makeFields(merged, context, depth);
    case "array":
      return makeItems(merged, name, context, depth);
    case "integer":
    case "number":
      return makeNumber(merged, name, context);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return makeString(merged, name, context);
  }
};

/**
 * Arguments that `validateArguments` accepts; undefined if none were found. What only a caller can know is a placeholder.
 * `folder`: one that the server may use.
 */
export const makeExample = (
  { name, inputSchema }: Tool,
  folder?: string | undefined,
): JsonObject | undefined => {
  const open = (): ExampleContext => ({
    root: inputSchema,
    random: firstChoice,
    budget: { left: maxValues },
    tool: name,
    folder,
  });
  const made: readonly (() => Json)[] = [
    () => makeExampleValue(inputSchema, "", open(), 0),
    // Meets conditions too, but without plausible texts.
    () => makeValue(inputSchema, open()),
    () => ({}),
  ];
  for (const make of made) {
    const value = make();
    if (isFields(value) && findProblems(inputSchema, value).length === 0) return value;
  }
  return undefined;
};
