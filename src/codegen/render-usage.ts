// One-line source that shows how to use a tool, in TypeScript and in Python: its signature, a call, its import.
import { type Json, type JsonObject, readLargeInteger, type Tool } from "../contracts/index.js";
import {
  countOmitted,
  fitSignature,
  type InlineDialect,
  type InlineOptions,
  printInlineType,
  selectFields,
} from "./fit-signature.js";
import { quoteText as quotePython, toParameterName } from "./python/python-names.js";
import { readToolTypes } from "./type-tree/read-type-tree.js";
import type { LiteralValue, ObjectNode, TypeNode } from "./type-tree/type-node.js";
import { printLiteral, quoteText, renderName } from "./typescript/print-type.js";

const typescriptDialect: InlineDialect = {
  words: {
    string: "string",
    number: "number",
    integer: "number",
    boolean: "boolean",
    null: "null",
    unknown: "unknown",
    never: "never",
  },
  literal: printLiteral,
  widened: (value) => typeof value,
  array: (items) => `${items}[]`,
  tuple: (items, minimum, rest) =>
    `[${items
      .map((item, index) => `${item}${index < minimum ? "" : "?"}`)
      .concat(rest === undefined ? [] : [`...${rest}[]`])
      .join(", ")}]`,
  field: (name, isRequired, type, fallback) =>
    `${renderName(name)}${isRequired ? "" : "?"}${type === "" ? "" : `: ${type}`}${fallback === undefined ? "" : ` = ${fallback}`}`,
  others: (type) => `[key: string]: ${type}`,
  object: (parts) => `{ ${parts.join("; ")} }`,
  anyObject: "{…}",
  hasBrackets: true,
};

interface SignatureOptions {
  readonly tool: Tool;
  /** The server's identifier in programs. */
  readonly identifier: string;
}

export interface ShortSignatureOptions {
  readonly tool: Tool;
  /** The function in the signature: `createIssue`, `github.createIssue`. */
  readonly name: string;
  readonly maxLength: number;
  /** Only names and values that cannot be read as sentences. */
  readonly isPlain?: boolean | undefined;
}

const maxSignature = 300;

/** `github.createIssue(args: { owner: string; labels?: string[] }): Promise<{ number: number }>`. */
export const renderSignature = ({ tool, identifier }: SignatureOptions): string => {
  const types = readToolTypes(tool);
  const mark = types.canOmitArguments ? "?" : "";
  return fitSignature({
    types,
    dialect: typescriptDialect,
    maxLength: maxSignature,
    render: ({ arguments: options, result = "unknown" }) =>
      `${identifier}.${tool.functionName}(args${mark}: ${printInlineType(types.arguments.root, options)}): Promise<${result}>`,
  });
};

/** `createIssue({ owner: string; labels?: string[] }): { number: number }`. For lists that say once that calls are awaited. */
export const renderShortSignature = ({ tool, name, maxLength, isPlain }: ShortSignatureOptions): string => {
  const types = readToolTypes(tool);
  const { root } = types.arguments;
  const hasNone = root.kind === "object" && root.fields.length === 0 && root.rest === undefined;
  return fitSignature({
    types,
    dialect: typescriptDialect,
    maxLength,
    isBrief: true,
    isPlain,
    render: ({ arguments: options, result }) => {
      const given = result ?? (isPlain === true ? undefined : "unknown");
      return `${name}(${hasNone ? "" : printInlineType(root, options)})${given === undefined ? "" : `: ${given}`}`;
    },
  });
};

export interface ResultOptions {
  readonly tool: Tool;
  readonly maxLength: number;
}

/** The result type alone: `{ number: number }[]`. */
export const renderResult = ({ tool, maxLength }: ResultOptions): string =>
  fitSignature({
    types: readToolTypes(tool),
    dialect: typescriptDialect,
    maxLength,
    isBrief: true,
    render: ({ result }) => result ?? "unknown",
  });

const renderValue = (value: Json): string => {
  if (typeof value === "string") return quoteText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const digits = readLargeInteger(value);
  if (digits !== undefined) return `${digits}n`;
  if (Array.isArray(value)) return `[${value.map(renderValue).join(", ")}]`;
  const fields = Object.entries(value).map(([name, inner]) => `${renderName(name)}: ${renderValue(inner)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
};

interface CallOptions {
  /** The function in the call. */
  readonly name: string;
  readonly arguments: JsonObject;
}

/** `await createIssue({ title: "Example" })`. */
export const renderCall = ({ name, arguments: given }: CallOptions): string =>
  `await ${name}(${Object.keys(given).length === 0 ? "" : renderValue(given)})`;

interface ImportOptions {
  readonly tool: Tool;
  /** The server's identifier in programs. */
  readonly identifier: string;
}

/** `import { createIssue } from "servers/github";` */
export const renderImportLine = ({ tool, identifier }: ImportOptions): string =>
  `import { ${tool.functionName} } from ${quoteText(`servers/${identifier}`)};`;

const toPythonLiteral = (value: LiteralValue): string => {
  if (typeof value === "string") return quotePython(value);
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
  literal: toPythonLiteral,
  widened: (value) => (typeof value === "string" ? "str" : typeof value === "boolean" ? "bool" : "float"),
  array: (items) => `list[${items}]`,
  tuple: (items, _minimum, rest) =>
    `list[${[...new Set([...items, ...(rest === undefined ? [] : [rest])])].join(" | ") || "Any"}]`,
  field: (name, isRequired, type, fallback) =>
    `${quotePython(name)}${isRequired ? "" : "?"}${type === "" ? "" : `: ${type}`}${fallback === undefined ? "" : ` = ${fallback}`}`,
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
    const value = isRequired ? "" : ` = ${fallback === undefined ? "..." : toPythonLiteral(fallback)}`;
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

const renderPythonValue = (value: Json): string => {
  if (typeof value === "string") return quotePython(value);
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return JSON.stringify(value);
  const digits = readLargeInteger(value);
  if (digits !== undefined) return digits;
  if (Array.isArray(value)) return `[${value.map(renderPythonValue).join(", ")}]`;
  const fields = Object.entries(value).map(
    ([name, inner]) => `${quotePython(name)}: ${renderPythonValue(inner)}`,
  );
  return `{${fields.join(", ")}}`;
};

/** `create_issue(title="Example")`; with a dictionary if a field cannot be a keyword. */
export const renderPythonCall = ({ name, arguments: given }: CallOptions): string => {
  const fields = Object.entries(given).map(([field, value]) => [
    toParameterName(field),
    renderPythonValue(value),
  ]);
  if (fields.some(([field]) => field === undefined)) return `${name}(${renderPythonValue(given)})`;
  return `${name}(${fields.map(([field, value]) => `${field}=${value}`).join(", ")})`;
};

interface PythonImportOptions {
  /** The server's package. */
  readonly identifier: string;
  /** The function's name in Python. */
  readonly functionName: string;
}

/** `from mcp_tools.github import create_issue` */
export const renderPythonImport = ({ identifier, functionName }: PythonImportOptions): string =>
  `from mcp_tools.${identifier} import ${functionName}`;
