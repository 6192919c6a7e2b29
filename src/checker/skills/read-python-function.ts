// Finds the function that a Python skill module exports and reads its parameters. The guest compiles it.
import type { Json, JsonObject } from "../../contracts/index.js";
import { type SkillFunction, toOneLine } from "../program.js";

const plain: Readonly<Record<string, JsonObject>> = {
  str: { type: "string" },
  int: { type: "integer" },
  float: { type: "number" },
  bool: { type: "boolean" },
  None: { type: "null" },
  dict: { type: "object" },
  list: { type: "array" },
};

/** Splits at separators outside brackets and strings. */
const splitOutside = (text: string, separator: string): readonly string[] => {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote !== "") {
      if (character === "\\") at++;
      else if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    else if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(from, at));
      from = at + separator.length;
      at = from - 1;
    }
  }
  return [...parts, text.slice(from)];
};

/** Replaces comments by blanks: an apostrophe in a comment does not begin a string. */
const blankComments = (text: string): string => {
  let blanked = "";
  let quote = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote !== "") {
      if (character === "\\") at++;
      else if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === "#") {
      const lineEnd = text.indexOf("\n", at);
      const end = lineEnd < 0 ? text.length : lineEnd;
      blanked += text.slice(from, at) + " ".repeat(end - at);
      from = end;
      at = end;
    }
  }
  return blanked + text.slice(from);
};

/** `'a'` → a constant; also numbers and booleans. */
const toConstant = (text: string): Json | undefined => {
  const [, , inner] = /^(["'])([^"'\\]*)\1$/.exec(text) ?? [];
  if (inner !== undefined) return inner;
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return text === "True" ? true : text === "False" ? false : undefined;
};

const toSchema = (written: string, depth = 0): JsonObject => {
  const text = written.trim();
  const known = Object.hasOwn(plain, text) ? plain[text] : undefined;
  if (known !== undefined) return known;
  if (depth > 8) return {};
  const union = splitOutside(text, "|");
  if (union.length > 1) return { anyOf: union.map((part) => toSchema(part, depth + 1)) as Json };
  const [, name = "", inner = ""] = /^([\w.]+)\[([\s\S]*)\]$/.exec(text) ?? [];
  const parts = splitOutside(inner, ",");
  switch (name.replace(/^typing\./, "")) {
    case "list":
    case "List":
    case "Sequence":
    case "Iterable":
      return { type: "array", items: toSchema(parts[0] ?? "", depth + 1) };
    case "dict":
    case "Dict":
    case "Mapping":
      return { type: "object", additionalProperties: toSchema(parts[1] ?? "", depth + 1) };
    case "Optional":
      return { anyOf: [toSchema(inner, depth + 1) as Json, { type: "null" }] };
    case "Union":
      return { anyOf: parts.map((part) => toSchema(part, depth + 1)) as Json };
    case "Literal": {
      const constants = parts.map((part) => toConstant(part.trim()));
      return constants.every((one) => one !== undefined) ? { enum: constants as Json[] } : {};
    }
    default:
      return {};
  }
};

const readParameters = (text: string): JsonObject => {
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  let isOpen = false;
  for (const part of splitOutside(text, ",")) {
    const [head = "", fallback] = splitOutside(part, "=");
    const [name = "", type = ""] = splitOutside(head.trim(), ":");
    if (name === "" || name === "*" || name === "/") continue;
    if (name.startsWith("*")) {
      isOpen = true;
      continue;
    }
    properties[name.trim()] = toSchema(type);
    if (fallback === undefined) required.push(name.trim());
  }
  return {
    type: "object",
    properties: properties as Json,
    ...(required.length === 0 ? {} : { required }),
    ...(isOpen ? {} : { additionalProperties: false }),
  };
};

const definition = /^(async[ \t]+)?def[ \t]+([A-Za-z]\w*)[ \t]*\(/gm;

/** Undefined if the module defines no function. `wanted` is its expected name. */
export const readPythonFunction = (text: string, wanted: string): SkillFunction | undefined => {
  const found = [...text.matchAll(definition)];
  const chosen = found.find(([, , name]) => name === wanted) ?? found[0];
  if (chosen === undefined) return undefined;
  const [head, asynchronous, name = ""] = chosen;
  const rest = text.slice(chosen.index + head.length);
  // Up to the bracket that closes the first one.
  const taken = splitOutside(`(${blankComments(rest)}`, ":")[0] ?? "";
  const parameters = taken.slice(1, taken.lastIndexOf(")"));
  const result = /->\s*([\s\S]*)$/.exec(taken.slice(taken.lastIndexOf(")")))?.[1]?.trim();
  const body = rest.slice(taken.length);
  const [, comment = ""] = /^\s*(?:"""|''')([\s\S]*?)(?:"""|''')/.exec(body) ?? [];
  return {
    name,
    isDefault: false,
    isAsync: asynchronous !== undefined,
    takes: "object",
    parameters: readParameters(parameters),
    signature: toOneLine(`${name}(${parameters})${result === undefined ? "" : ` -> ${result}`}`),
    description: toOneLine(comment),
  };
};
