// The full TypeScript of one tool: its types with comments, and the function.
import type { Tool } from "../../contracts/index.js";
import { openTypeNames, type TypeNames, toPointerName } from "../type-names.js";
import { readToolTypes, type ToolTypes } from "../type-tree/tool-types.js";
import type { Documentation, TypeTree } from "../type-tree/type-node.js";
import { printType } from "./print-type.js";
import { quoteText } from "./quote-text.js";
import { renderComment } from "./render-comment.js";

interface DeclarationOptions {
  readonly tool: Tool;
  /** The server's name in programs. */
  readonly identifier: string;
}

interface ToolNames {
  readonly arguments: string;
  readonly result: string;
}

const longestComment = 4000;
const longestTypeComment = 600;

/** Type names that a module uses without declaring them. */
export const usedTypeNames: readonly string[] = ["Promise"];

/** The names of a tool's own two types. */
export const claimToolNames = (tool: Tool, names: TypeNames): ToolNames => {
  const base = tool.functionName.charAt(0).toUpperCase() + tool.functionName.slice(1);
  return { arguments: names.claim(`${base}Arguments`), result: names.claim(`${base}Result`) };
};

const renderType = (name: string, text: string, documentation?: Documentation): string => {
  const comment =
    documentation === undefined
      ? ""
      : renderComment({ documentation, indent: "", longest: longestTypeComment });
  return `${comment}export type ${name} = ${text};\n`;
};

const renderTree = (
  tree: TypeTree,
  rootName: string,
  base: string,
  claim: TypeNames["claim"],
  note?: string,
): string => {
  const names = new Map([["#", rootName]]);
  for (const pointer of tree.definitions.keys())
    names.set(pointer, claim(`${base}${toPointerName(pointer)}`));
  const options = { names, indent: "" };
  const definitions = [...tree.definitions].map(([pointer, { type, documentation }]) =>
    renderType(names.get(pointer) ?? "", printType(type, options), documentation),
  );
  const documentation = { notes: note === undefined ? [] : [note] };
  return [...definitions, renderType(rootName, printType(tree.root, options), documentation)].join("\n");
};

interface ToolParts {
  readonly types: string;
  readonly comment: string;
  /** `function createIssue(args: CreateIssueArguments): Promise<CreateIssueResult>`. */
  readonly head: string;
  /** The name of the result's type, or `unknown`. */
  readonly result: string;
}

/** The pieces of a tool's source: its types under names that are still free, and its function's head. */
export const renderToolParts = (
  tool: Tool,
  types: ToolTypes,
  own: ToolNames,
  names: TypeNames,
): ToolParts => {
  const base = tool.functionName.charAt(0).toUpperCase() + tool.functionName.slice(1);
  const trees = [renderTree(types.arguments, own.arguments, base, names.claim)];
  if (types.result !== undefined)
    trees.push(renderTree(types.result, own.result, `${base}Result`, names.claim, types.learnedNote));
  const documentation = { description: tool.description, notes: [] };
  const result = types.result === undefined ? "unknown" : own.result;
  const mark = types.isCallableWithNothing ? "?" : "";
  return {
    types: trees.join("\n"),
    comment: renderComment({ documentation, indent: "", longest: longestComment }),
    head: `function ${tool.functionName}(args${mark}: ${own.arguments}): Promise<${result}>`,
    result,
  };
};

/** What a tool adds to a module of declarations. */
export const renderTool = (tool: Tool, types: ToolTypes, own: ToolNames, names: TypeNames): string => {
  const parts = renderToolParts(tool, types, own, names);
  return `${parts.types}\n${parts.comment}export declare ${parts.head};\n`;
};

/** One tool as people and models read it. */
export const renderDeclaration = ({ tool, identifier }: DeclarationOptions): string => {
  const names = openTypeNames(usedTypeNames);
  const own = claimToolNames(tool, names);
  const module = quoteText(`servers/${identifier}`).slice(1, -1);
  return `// ${module}\n\n${renderTool(tool, readToolTypes(tool), own, names)}`;
};
