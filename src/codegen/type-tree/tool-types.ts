// The types of one tool: its arguments, its result, and whether it can be called without arguments.
import type { Tool } from "../../contracts/index.js";
import { readTypeTree } from "./read-type-tree.js";
import { type Fallback, type TypeNode, type TypeTree, unknownNode } from "./type-node.js";

export interface ToolTypes {
  readonly arguments: TypeTree;
  readonly canOmitArguments: boolean;
  /** Undefined if the server declares no output and none was learned. */
  readonly result: TypeTree | undefined;
  /** A note on a learned result; undefined if the result is declared. */
  readonly learnedNote: string | undefined;
}

/** `known` holds decided definitions, so that each is visited once and cycles end. */
const canBeEmpty = (node: TypeNode, tree: TypeTree, known = new Map<string, boolean>()): boolean => {
  switch (node.kind) {
    case "object":
      return node.fields.every(({ isRequired }) => !isRequired);
    case "union":
      return node.members.some((member) => canBeEmpty(member, tree, known));
    case "intersection":
      return node.members.every((member) => canBeEmpty(member, tree, known));
    case "reference": {
      const decided = known.get(node.pointer);
      if (decided !== undefined) return decided;
      known.set(node.pointer, false);
      const definition = tree.definitions.get(node.pointer);
      const isEmpty = definition !== undefined && canBeEmpty(definition.type, tree, known);
      known.set(node.pointer, isEmpty);
      return isEmpty;
    }
    default:
      return node.kind === "unknown";
  }
};

/** MCP passes arguments as an object, whatever a server's schema says. */
const toArguments = (tree: TypeTree): TypeTree => {
  const { kind } = tree.root;
  if (kind === "object" || kind === "union" || kind === "intersection" || kind === "reference") return tree;
  const fallbacks: readonly Fallback[] =
    kind === "unknown"
      ? tree.fallbacks
      : [...tree.fallbacks, { path: "inputSchema", reason: "not an object" }];
  return { ...tree, root: { kind: "object", fields: [], rest: unknownNode }, fallbacks };
};

/** Reads both schemas of a tool. A result that is not declared may be learned. */
export const readToolTypes = ({ inputSchema, outputSchema, learned }: Tool): ToolTypes => {
  const tree = toArguments(readTypeTree({ schema: inputSchema, side: "arguments" }));
  const schema = outputSchema ?? learned?.schema;
  const isLearned = outputSchema === undefined && learned !== undefined;
  const count = learned?.answers === 1 ? "1 answer" : `${learned?.answers} answers`;
  return {
    arguments: tree,
    canOmitArguments: canBeEmpty(tree.root, tree),
    result: schema === undefined ? undefined : readTypeTree({ schema, side: "result" }),
    learnedNote: isLearned ? `Learned from ${count}, not declared by the server: a hint` : undefined,
  };
};
