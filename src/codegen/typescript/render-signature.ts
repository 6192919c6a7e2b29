// One line that shows how a tool is called, short enough for a list of search results.
import type { Tool } from "../../contracts/index.js";
import type { TypeTree } from "../type-tree/type-node.js";
import { printInlineType } from "./print-inline-type.js";
import { readToolTypes, type ToolTypes } from "./tool-types.js";

interface SignatureOptions {
  readonly tool: Tool;
  /** The server's name in programs. */
  readonly identifier: string;
}

/** How much of a type is written out. */
interface Detail {
  readonly levels: number;
  readonly mostFields: number;
}

const longestSignature = 300;

const full: Detail = { levels: 6, mostFields: 100 };
const toShort = (mostFields: number): Detail => ({ levels: 1, mostFields });
const nothing: Detail = { levels: 0, mostFields: 0 };

/** Arguments and result, from everything to nearly nothing; the first that fits is taken. */
const details: readonly (readonly [wanted: Detail, result: Detail])[] = [
  [full, full],
  [full, toShort(100)],
  [full, toShort(8)],
  [{ levels: 2, mostFields: 100 }, toShort(8)],
  [toShort(100), toShort(8)],
  [toShort(100), toShort(4)],
  [toShort(100), nothing],
  ...[16, 12, 8, 6, 4, 2].map((most) => [toShort(most), nothing] as const),
];

const renderCall = (
  { tool, identifier }: SignatureOptions,
  types: ToolTypes,
  [wanted, result]: readonly [Detail, Detail],
) => {
  // A line of that length holds fewer nodes; one that ran out of them is too long by itself.
  const budget = { left: longestSignature };
  const print = ({ root, definitions }: TypeTree, detail: Detail): string =>
    printInlineType(root, { definitions, budget, ...detail });
  const mark = types.isCallableWithNothing ? "?" : "";
  const parameters = `args${mark}: ${print(types.arguments, wanted)}`;
  const promised = types.result === undefined ? "unknown" : print(types.result, result);
  const text = `${identifier}.${tool.functionName}(${parameters}): Promise<${promised}>`;
  return { text, fits: budget.left >= 0 && text.length <= longestSignature };
};

/** `github.createIssue(args: { owner: string; labels?: string[] }): Promise<{ number: number }>`. */
export const renderSignature = (options: SignatureOptions): string => {
  const types = readToolTypes(options.tool);
  for (const detail of details) {
    const { text, fits } = renderCall(options, types, detail);
    if (fits) return text;
  }
  return renderCall(options, types, [nothing, nothing]).text;
};
