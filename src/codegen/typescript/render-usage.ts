// One-line TypeScript that shows how to use a tool: its signature, a call, its import.
import { type Json, type JsonObject, readLargeInteger, type Tool } from "../../contracts/index.js";
import { fitSignature, type InlineDialect, printInlineType } from "../fit-signature.js";
import { readToolTypes } from "../type-tree/read-type-tree.js";
import { printLiteral, quoteText, renderName } from "./print-type.js";

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
