// The Python function of one tool, called with keyword arguments or with one dictionary.
import type { Tool } from "../../contracts/index.js";
import { type ObjectNode, type TypeNode, toUnion } from "../type-tree/type-node.js";
import { toParameterName } from "./python-names.js";
import { quoteText, renderDocstring } from "./quote-text.js";

interface Parameters {
  /** `owner: str`, `labels: Sequence[str] = ...`, `**others: object`; required ones first. */
  readonly texts: readonly string[];
  /** Fields that only a dictionary can name. */
  readonly dictionaryOnly: readonly string[];
}

interface Parameter {
  readonly field: string;
  readonly type: TypeNode;
  readonly isRequired: boolean;
}

/** If the arguments can be one of several objects, a parameter is required if all of them require it. */
const listParameters = (objects: readonly ObjectNode[]): readonly Parameter[] => {
  const byName = objects.map(({ fields }) => new Map(fields.map((field) => [field.name, field])));
  const names = new Set(byName.flatMap((fields) => [...fields.keys()]));
  return [...names].map((field) => {
    const found = byName.map((fields) => fields.get(field));
    const present = found.filter((one) => one !== undefined);
    return {
      field,
      type: toUnion(present.map(({ type }) => type)),
      isRequired: found.every((one) => one?.isRequired === true),
    };
  });
};

/** Undefined if no parameter can have the name of a required field. */
export const renderParameters = (
  objects: readonly ObjectNode[],
  toType: (field: string, type: TypeNode) => string,
): Parameters | undefined => {
  const all = listParameters(objects);
  if (all.some(({ field, isRequired }) => isRequired && toParameterName(field) === undefined))
    return undefined;
  const named = all.filter(({ field }) => toParameterName(field) !== undefined);
  const texts = [
    ...named.filter(({ isRequired }) => isRequired),
    ...named.filter((one) => !one.isRequired),
  ].map(
    ({ field, type, isRequired }) =>
      `${toParameterName(field)}: ${toType(field, type)}${isRequired ? "" : " = ..."}`,
  );
  const isOpen = objects.some(({ rest }) => rest !== undefined);
  const taken = new Set(named.map(({ field }) => field));
  let others = "others";
  while (taken.has(others)) others += "_";
  return {
    texts: [...(texts.length > 0 ? ["*"] : []), ...texts, ...(isOpen ? [`**${others}: object`] : [])],
    dictionaryOnly: all.map(({ field }) => field).filter((field) => toParameterName(field) === undefined),
  };
};

interface FunctionOptions {
  readonly tool: Tool;
  readonly functionName: string;
  /** The type of a dictionary of arguments. */
  readonly dictionary: string;
  /** Undefined if only a dictionary can name the required fields. */
  readonly parameters: Parameters | undefined;
  readonly result: string;
}

const maxComment = 4000;
const maxLine = 100;

const renderHead = (name: string, parameters: readonly string[], result: string): string => {
  const line = `def ${name}(${parameters.join(", ")}) -> ${result}:`;
  if (line.length <= maxLine) return line;
  return `def ${name}(\n${parameters.map((text) => `    ${text},\n`).join("")}) -> ${result}:`;
};

const renderOverload = (name: string, parameters: readonly string[], result: string): string =>
  `@overload\n${renderHead(name, parameters, result)} ...\n`;

const toDocstring = ({ tool, parameters }: FunctionOptions): string => {
  const fields = (parameters?.dictionaryOnly ?? []).slice(0, 20).map(quoteText);
  const notes = fields.length > 0 ? [`Only in a dictionary of arguments: ${fields.join(", ")}`] : [];
  const documentation = { description: tool.description, notes };
  return renderDocstring({ documentation, indent: "    ", maxLength: maxComment });
};

/** The function for reading: head and docstring, no body. */
export const renderStub = (options: FunctionOptions): string => {
  const { functionName, dictionary, parameters, result } = options;
  const taken = parameters?.texts ?? [`arguments: ${dictionary}`, "/"];
  return `${renderHead(functionName, taken, result)}\n${toDocstring(options)}    ...\n`;
};

/** Calls the tool by its names on the server, not by the function's name. */
export const renderFunction = (options: FunctionOptions): string => {
  const { tool, functionName, dictionary, parameters } = options;
  const result = `Answer[${options.result}]`;
  const docstring = toDocstring(options);
  const [server, name] = [quoteText(tool.server), quoteText(tool.name)];
  if (parameters === undefined) {
    const head = renderHead(functionName, [`arguments: ${dictionary}`, "/"], result);
    const call = `_call(${server}, ${name}, (arguments,), {})`;
    return `${head}\n${docstring}    return cast(${quoteText(result)}, ${call})\n`;
  }
  return [
    renderOverload(functionName, parameters.texts, result),
    renderOverload(functionName, [`arguments: ${dictionary}`, "/"], result),
    `${renderHead(functionName, ["*values: Any", "**fields: Any"], "Any")}\n${docstring}`,
    `    return _call(${server}, ${name}, values, fields)\n`,
  ].join("");
};
