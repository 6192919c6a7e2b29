// One tool in a Python module: its types, and the function that calls it.
import type { Tool } from "../../contracts/index.js";
import { readToolTypes } from "../type-tree/read-type-tree.js";
import {
  type Documentation,
  type Fallback,
  type ObjectNode,
  type ToolTypeNames,
  type TypeNames,
  type TypeNode,
  type TypeTree,
  toPointerName,
  toTypeBase,
  toUnion,
} from "../type-tree/type-node.js";
import { listObjects, type PrintContext, printClass, printType, stepInto } from "./print-type.js";
import { quoteText, renderComment, renderDocstring, toParameterName, toTypeName } from "./python-names.js";

interface ToolOptions {
  readonly tool: Tool;
  readonly functionName: string;
  readonly own: ToolTypeNames;
  readonly names: TypeNames;
  /** Names classes that are printed once for several tools. */
  readonly share?: PrintContext["share"];
}

interface RenderedTool {
  readonly source: string;
  /** The same for reading, without the function's body. */
  readonly stub: string;
  readonly fallbacks: readonly Fallback[];
}

const maxTypeComment = 600;

/** What the names of the tool's types begin with. */
export const toPythonTypeBase = (tool: Tool): string => toTypeName(toTypeBase(tool));

interface PrintingOptions {
  readonly rootName: string;
  /** What the names of its definitions begin with. */
  readonly base: string;
  readonly claim: TypeNames["claim"];
  readonly share: PrintContext["share"];
}

const openPrinting = (
  { definitions, fallbacks }: TypeTree,
  side: PrintContext["side"],
  { rootName, base, claim, share }: PrintingOptions,
): PrintContext => {
  const names = new Map([["#", rootName]]);
  for (const pointer of definitions.keys())
    names.set(pointer, claim(toTypeName(`${base}${toPointerName(pointer)}`)));
  return {
    side,
    definitions,
    names,
    claim,
    classes: [],
    classNames: new Map(),
    flattened: new Map(),
    fallbacks: [...fallbacks],
    share,
  };
};

/** A type under a claimed name: a class, or an alias of an expression. */
const printNamed = (node: TypeNode, name: string, path: string, context: PrintContext): void => {
  const place = { name, path, isEvaluated: true };
  // An argument with other keys is more than the class.
  const fitsClass = node.kind === "object" && (node.rest === undefined || context.side === "result");
  if (fitsClass && node.fields.length > 0) context.classNames.set(node, name);
  const isClass = context.classNames.has(node);
  const text = printType(node, isClass ? place : { ...place, name: `${name}Value` }, context);
  if (isClass && node.kind === "object") printClass(node, place, context);
  // A quoted name alone would be a string, not a type.
  else context.classes.push(`${name} = ${text.startsWith('"') ? `Union[${text}]` : text}\n`);
};

/** Adds a comment above the last class. */
const addComment = ({ classes }: PrintContext, documentation: Documentation): void => {
  const comment = renderComment({ documentation, indent: "", maxLength: maxTypeComment });
  classes.push(`${comment}${classes.pop() ?? ""}`);
};

const printDefinitions = (tree: TypeTree, path: string, context: PrintContext): void => {
  for (const [pointer, { type, documentation }] of tree.definitions) {
    printNamed(type, context.names.get(pointer) ?? "", `${path}${pointer.slice(1)}`, context);
    addComment(context, documentation);
  }
};

/** The type of a dictionary of arguments. The root's class has the name even if other keys are allowed. */
const printRoot = (root: TypeNode, name: string, context: PrintContext): string => {
  if (root.kind !== "object" || root.fields.length === 0) {
    printNamed(root, name, "inputSchema", context);
    return name;
  }
  printClass(root, { name, path: "inputSchema", isEvaluated: true }, context);
  return root.rest === undefined ? name : `Union[${name}, Mapping[str, object]]`;
};

const uniqueFallbacks = (fallbacks: readonly Fallback[]): readonly Fallback[] => [
  ...new Map(fallbacks.map((fallback) => [`${fallback.path}\n${fallback.reason}`, fallback])).values(),
];

const printArguments = (tree: TypeTree, options: PrintingOptions) => {
  const context = openPrinting(tree, "arguments", options);
  const objects = listObjects(tree.root, tree.definitions);
  printDefinitions(tree, "inputSchema", context);
  const root = objects === undefined ? tree.root : toUnion(objects);
  const dictionary = printRoot(root, options.rootName, context);
  const place = { name: options.rootName, path: "inputSchema", isEvaluated: false };
  const parameters =
    objects && renderParameters(objects, (field, type) => printType(type, stepInto(place, field), context));
  return { dictionary, parameters, context };
};

const printResult = (tree: TypeTree, note: string | undefined, options: PrintingOptions): PrintContext => {
  const context = openPrinting(tree, "result", options);
  printDefinitions(tree, "outputSchema", context);
  printNamed(tree.root, options.rootName, "outputSchema", context);
  addComment(context, { notes: note === undefined ? [] : [note] });
  return context;
};

export const renderTool = ({ tool, functionName, own, names, share }: ToolOptions): RenderedTool => {
  const types = readToolTypes(tool);
  const base = toPythonTypeBase(tool);
  const options = { base, rootName: own.arguments, claim: names.claim, share };
  const { dictionary, parameters, context } = printArguments(types.arguments, options);
  const ofResult = { ...options, base: `${base}Result`, rootName: own.result };
  const printed = types.result && printResult(types.result, types.learnedNote, ofResult);
  const result = printed === undefined ? "Any" : own.result;
  const parts = { tool, functionName, dictionary, parameters, result };
  const classes = [...context.classes, ...(printed?.classes ?? [])];
  return {
    source: [...classes, renderFunction(parts)].join("\n\n"),
    stub: [...classes, renderStub(parts)].join("\n\n"),
    fallbacks: uniqueFallbacks([...context.fallbacks, ...(printed?.fallbacks ?? [])]),
  };
};

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
const renderParameters = (
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
const renderStub = (options: FunctionOptions): string => {
  const { functionName, dictionary, parameters, result } = options;
  const texts = parameters?.texts ?? [`arguments: ${dictionary}`, "/"];
  return `${renderHead(functionName, texts, result)}\n${toDocstring(options)}    ...\n`;
};

/** Calls the tool by its names on the server, not by the function's name. */
const renderFunction = (options: FunctionOptions): string => {
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
