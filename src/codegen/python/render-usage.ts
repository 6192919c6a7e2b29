// One line that shows how a tool is called from Python.
import { fitSignature } from "../fit-signature.js";
import { type InlineOptions, leftOut, printInlineType, selectFields } from "../inline/print-inline-type.js";
import { readToolTypes } from "../type-tree/tool-types.js";
import type { ObjectNode, TypeNode } from "../type-tree/type-node.js";
import type { ShortSignatureOptions } from "../typescript/render-usage.js";
import { pythonDialect } from "./inline-dialect.js";
import { toParameterName } from "./python-names.js";

/** Keyword parameters, where every field that is written out can be one. */
const printParameters = (root: ObjectNode, options: InlineOptions): string | undefined => {
  const shown = selectFields(root, options);
  if (shown.some(({ name }) => toParameterName(name) === undefined)) return undefined;
  const inner = { ...options, levels: Math.max(0, options.levels - 1) };
  const ordered = [
    ...shown.filter(({ isRequired }) => isRequired),
    ...shown.filter(({ isRequired }) => !isRequired),
  ];
  const parts = ordered.map(
    ({ name, type, isRequired }) =>
      `${toParameterName(name)}: ${printInlineType(type, inner)}${isRequired ? "" : " = ..."}`,
  );
  return [...parts, ...(shown.length < root.fields.length ? [leftOut] : [])].join(", ");
};

const printArguments = (root: TypeNode, options: InlineOptions): string => {
  if (root.kind === "object" && (root.fields.length > 0 || root.rest === undefined)) {
    const parameters = printParameters(root, options);
    if (parameters !== undefined) return parameters;
  }
  return printInlineType(root, options);
};

/** `create_issue(owner: str, labels: list[str] = ...) -> {"number": int}`. */
export const renderPythonSignature = ({ tool, name, longest, isPlain }: ShortSignatureOptions): string => {
  const types = readToolTypes(tool);
  return fitSignature({
    types,
    dialect: pythonDialect,
    longest,
    isBrief: true,
    ...(isPlain === undefined ? {} : { isPlain }),
    render: ({ arguments: options, result = "Any" }) =>
      `${name}(${printArguments(types.arguments.root, options)}) -> ${result}`,
  });
};
