// One line that shows how a tool is called, short enough for a list of search results.
import type { Tool } from "../../contracts/index.js";
import { fitSignature } from "../fit-signature.js";
import { printInlineType } from "../inline/print-inline-type.js";
import { readToolTypes } from "../type-tree/tool-types.js";
import { typescriptDialect } from "./inline-dialect.js";

interface SignatureOptions {
  readonly tool: Tool;
  /** The server's name in programs. */
  readonly identifier: string;
}

export interface ShortSignatureOptions {
  readonly tool: Tool;
  /** What it is called by: `createIssue`, `github.createIssue`. */
  readonly name: string;
  readonly longest: number;
  /** Only names and values that cannot be read as sentences. */
  readonly isPlain?: boolean;
}

const longestSignature = 300;

/** `github.createIssue(args: { owner: string; labels?: string[] }): Promise<{ number: number }>`. */
export const renderSignature = ({ tool, identifier }: SignatureOptions): string => {
  const types = readToolTypes(tool);
  const mark = types.isCallableWithNothing ? "?" : "";
  return fitSignature({
    types,
    dialect: typescriptDialect,
    longest: longestSignature,
    render: ({ arguments: options, result = "unknown" }) =>
      `${identifier}.${tool.functionName}(args${mark}: ${printInlineType(types.arguments.root, options)}): Promise<${result}>`,
  });
};

/** `createIssue({ owner: string; labels?: string[] }): { number: number }`: for lists that say once that every call is awaited. */
export const renderShortSignature = ({ tool, name, longest, isPlain }: ShortSignatureOptions): string => {
  const types = readToolTypes(tool);
  const { root } = types.arguments;
  const hasNone = root.kind === "object" && root.fields.length === 0 && root.rest === undefined;
  return fitSignature({
    types,
    dialect: typescriptDialect,
    longest,
    isBrief: true,
    ...(isPlain === undefined ? {} : { isPlain }),
    render: ({ arguments: options, result }) => {
      const given = result ?? (isPlain === true ? undefined : "unknown");
      return `${name}(${hasNone ? "" : printInlineType(root, options)})${given === undefined ? "" : `: ${given}`}`;
    },
  });
};
