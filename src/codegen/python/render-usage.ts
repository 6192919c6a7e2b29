// One-line Python that shows how to use a tool: its signature, a call, its import.
import { type Json, type JsonObject, readLargeInteger } from "../../contracts/index.js";
import {
  countOmitted,
  fitSignature,
  type InlineDialect,
  type InlineOptions,
  printInlineType,
  selectFields,
} from "../fit-signature.js";
import { readToolTypes } from "../type-tree/read-type-tree.js";
import type { ObjectNode, TypeNode } from "../type-tree/type-node.js";
import type { ResultOptions, ShortSignatureOptions } from "../typescript/render-usage.js";
import { quoteText, toParameterName } from "./python-names.js";

const toLiteral = (value: string | number | boolean): string => {
  if (typeof value === "string") return quoteText(value);
  return typeof value === "boolean" ? (value ? "True" : "False") : String(value);
};

/** Dictionaries are shown with their keys, which no Python annotation can do. */
const pythonDialect: InlineDialect = {
  words: {
    string: "str",
    number: "float",
    integer: "int",
    boolean: "bool",
    null: "None",
    unknown: "Any",
    never: "NoReturn",
  },
  literal: toLiteral,
  widened: (value) => (typeof value === "string" ? "str" : typeof value === "boolean" ? "bool" : "float"),
  array: (items) => `list[${items}]`,
  tuple: (items, _minimum, rest) =>
    `list[${[...new Set([...items, ...(rest === undefined ? [] : [rest])])].join(" | ") || "Any"}]`,
  field: (name, isRequired, type, fallback) =>
    `${quoteText(name)}${isRequired ? "" : "?"}${type === "" ? "" : `: ${type}`}${fallback === undefined ? "" : ` = ${fallback}`}`,
  others: (type) => `str: ${type}`,
  object: (parts) => `{${parts.join(", ")}}`,
  anyObject: "dict",
  hasBrackets: false,
};

/** Keyword parameters; undefined if some printed field cannot be one. */
const printParameters = (root: ObjectNode, options: InlineOptions): string | undefined => {
  const shown = selectFields(root, options);
  if (shown.some(({ name }) => toParameterName(name) === undefined)) return undefined;
  const inner = { ...options, levels: Math.max(0, options.levels - 1), isArguments: false };
  const ordered = [
    ...shown.filter(({ isRequired }) => isRequired),
    ...shown.filter(({ isRequired }) => !isRequired),
  ];
  const parts = ordered.map(({ name, type, isRequired, fallback }) => {
    const parameter = toParameterName(name);
    const value = isRequired ? "" : ` = ${fallback === undefined ? "..." : toLiteral(fallback)}`;
    return `${parameter}${options.isNamesOnly === true ? "" : `: ${printInlineType(type, inner)}`}${value}`;
  });
  return [...parts, ...countOmitted(root.fields, shown, options)].join(", ");
};

const printArguments = (root: TypeNode, options: InlineOptions): string => {
  if (root.kind === "object" && (root.fields.length > 0 || root.rest === undefined)) {
    const parameters = printParameters(root, options);
    if (parameters !== undefined) return parameters;
  }
  return printInlineType(root, options);
};

/** `create_issue(owner: str, labels: list[str] = ...) -> {"number": int}`. */
export const renderPythonSignature = ({ tool, name, maxLength, isPlain }: ShortSignatureOptions): string => {
  const types = readToolTypes(tool);
  return fitSignature({
    types,
    dialect: pythonDialect,
    maxLength,
    isBrief: true,
    isPlain,
    render: ({ arguments: options, result = "Any" }) =>
      `${name}(${printArguments(types.arguments.root, options)}) -> ${result}`,
  });
};

/** The result type alone: `list[{"number": int}]`. */
export const renderPythonResult = ({ tool, maxLength }: ResultOptions): string =>
  fitSignature({
    types: readToolTypes(tool),
    dialect: pythonDialect,
    maxLength,
    isBrief: true,
    render: ({ result }) => result ?? "Any",
  });

const renderValue = (value: Json): string => {
  if (typeof value === "string") return quoteText(value);
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return JSON.stringify(value);
  const digits = readLargeInteger(value);
  if (digits !== undefined) return digits;
  if (Array.isArray(value)) return `[${value.map(renderValue).join(", ")}]`;
  const fields = Object.entries(value).map(([name, inner]) => `${quoteText(name)}: ${renderValue(inner)}`);
  return `{${fields.join(", ")}}`;
};

interface CallOptions {
  /** The function in the call. */
  readonly name: string;
  readonly arguments: JsonObject;
}

/** `create_issue(title="Example")`; with a dictionary if a field cannot be a keyword. */
export const renderPythonCall = ({ name, arguments: given }: CallOptions): string => {
  const fields = Object.entries(given).map(([field, value]) => [toParameterName(field), renderValue(value)]);
  if (fields.some(([field]) => field === undefined)) return `${name}(${renderValue(given)})`;
  return `${name}(${fields.map(([field, value]) => `${field}=${value}`).join(", ")})`;
};

interface ImportOptions {
  /** The server's package. */
  readonly identifier: string;
  /** The function's name in Python. */
  readonly functionName: string;
}

/** `from mcp_tools.github import create_issue` */
export const renderPythonImport = ({ identifier, functionName }: ImportOptions): string =>
  `from mcp_tools.${identifier} import ${functionName}`;
