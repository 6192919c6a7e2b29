// One tool in a Python module: its types, and the function that calls it.
import type { Tool } from "../../contracts/index.js";
import { type TypeNames, toPointerName } from "../type-names.js";
import { readToolTypes } from "../type-tree/tool-types.js";
import {
  type Documentation,
  type Fallback,
  type ObjectNode,
  type TypeNode,
  type TypeTree,
  toUnion,
} from "../type-tree/type-node.js";
import { listObjects } from "./flatten-intersection.js";
import { type Printing, printClass, printType, stepInto } from "./print-type.js";
import { toTypeName } from "./python-names.js";
import { renderComment } from "./quote-text.js";
import { renderFunction, renderParameters, renderStub } from "./render-function.js";

interface ToolOptions {
  readonly tool: Tool;
  readonly functionName: string;
  readonly own: ToolNames;
  readonly names: TypeNames;
}

interface ToolNames {
  readonly arguments: string;
  readonly result: string;
}

interface RenderedTool {
  readonly source: string;
  /** The same for reading, without the function's body. */
  readonly stub: string;
  readonly fallbacks: readonly Fallback[];
}

const maxTypeComment = 600;

const toBase = ({ functionName }: Tool): string =>
  toTypeName(functionName.charAt(0).toUpperCase() + functionName.slice(1));

/** Claims the names of a tool's arguments and result types. */
export const claimToolNames = (tool: Tool, names: TypeNames): ToolNames => ({
  arguments: names.claim(`${toBase(tool)}Arguments`),
  result: names.claim(`${toBase(tool)}Result`),
});

const openPrinting = (
  tree: TypeTree,
  side: Printing["side"],
  rootName: string,
  base: string,
  { claim }: TypeNames,
): Printing => {
  const names = new Map([["#", rootName]]);
  for (const pointer of tree.definitions.keys())
    names.set(pointer, claim(toTypeName(`${base}${toPointerName(pointer)}`)));
  const { definitions } = tree;
  return {
    side,
    definitions,
    names,
    claim,
    classes: [],
    classNames: new Map(),
    flattened: new Map(),
    fallbacks: [...tree.fallbacks],
  };
};

/** A type under a claimed name: a class, or an alias of an expression. */
const printNamed = (node: TypeNode, name: string, path: string, printing: Printing): void => {
  const place = { name, path, isEvaluated: true };
  if (node.kind === "object" && node.fields.length > 0) {
    // An argument with other keys is more than the class.
    if (node.rest === undefined || printing.side === "result") printing.classNames.set(node, name);
  }
  const isClass = printing.classNames.has(node);
  const text = printType(node, isClass ? place : { ...place, name: `${name}Value` }, printing);
  if (isClass && node.kind === "object") printClass(node, place, printing);
  // A quoted name alone would be a string, not a type.
  else printing.classes.push(`${name} = ${text.startsWith('"') ? `Union[${text}]` : text}\n`);
};

/** Adds a comment above the last class. */
const addComment = ({ classes }: Printing, documentation: Documentation): void => {
  const comment = renderComment({ documentation, indent: "", maxLength: maxTypeComment });
  classes.push(`${comment}${classes.pop() ?? ""}`);
};

const printDefinitions = (tree: TypeTree, path: string, printing: Printing): void => {
  for (const [pointer, { type, documentation }] of tree.definitions) {
    printNamed(type, printing.names.get(pointer) ?? "", `${path}${pointer.slice(1)}`, printing);
    addComment(printing, documentation);
  }
};

/** The type of a dictionary of arguments. The root's class has the name even if other keys are allowed. */
const printRoot = (root: TypeNode, name: string, printing: Printing): string => {
  if (root.kind !== "object" || root.fields.length === 0) {
    printNamed(root, name, "inputSchema", printing);
    return name;
  }
  printClass(root, { name, path: "inputSchema", isEvaluated: true }, printing);
  return root.rest === undefined ? name : `Union[${name}, Mapping[str, object]]`;
};

const uniqueFallbacks = (fallbacks: readonly Fallback[]): readonly Fallback[] => [
  ...new Map(fallbacks.map((fallback) => [`${fallback.path}\n${fallback.reason}`, fallback])).values(),
];

export const renderTool = ({ tool, functionName, own, names }: ToolOptions): RenderedTool => {
  const types = readToolTypes(tool);
  const taken = openPrinting(types.arguments, "arguments", own.arguments, toBase(tool), names);
  const objects: readonly ObjectNode[] | undefined = listObjects(types.arguments.root, taken.definitions);
  const root = objects === undefined ? types.arguments.root : toUnion(objects);
  printDefinitions(types.arguments, "inputSchema", taken);
  const dictionary = printRoot(root, own.arguments, taken);
  const place = { name: own.arguments, path: "inputSchema", isEvaluated: false };
  const parameters =
    objects === undefined
      ? undefined
      : renderParameters(objects, (field, type) => printType(type, stepInto(place, field), taken));
  const given =
    types.result && openPrinting(types.result, "result", own.result, `${toBase(tool)}Result`, names);
  if (types.result !== undefined && given !== undefined) {
    printDefinitions(types.result, "outputSchema", given);
    printNamed(types.result.root, own.result, "outputSchema", given);
    addComment(given, { notes: types.learnedNote === undefined ? [] : [types.learnedNote] });
  }
  const result = given === undefined ? "Any" : own.result;
  const parts = { tool, functionName, dictionary, parameters, result };
  const classes = [...taken.classes, ...(given?.classes ?? [])];
  return {
    source: [...classes, renderFunction(parts)].join("\n\n"),
    stub: [...classes, renderStub(parts)].join("\n\n"),
    fallbacks: uniqueFallbacks([...taken.fallbacks, ...(given?.fallbacks ?? [])]),
  };
};
