// Reads sequences in the parser's tree: comma-separated items and the contents of brackets.
import type { Expression, Name } from "./node.js";
import type { TreeNode } from "./syntax-tree.js";

/** The program's text and a function that reads one of its expressions. */
export interface Source {
  readonly text: string;
  readonly read: (node: TreeNode) => Expression;
}

const brackets = new Set(["(", ")", "[", "]", "{", "}"]);

export const placeOf = ({ from, to }: TreeNode): { start: number; end: number } => ({ start: from, end: to });

export const toName = (source: Source, node: TreeNode): Name => ({
  kind: "name",
  name: source.text.slice(node.from, node.to).normalize("NFKC"),
  ...placeOf(node),
});

export const toOther = (node: TreeNode, parts: readonly Expression[]): Expression => ({
  kind: "other",
  parts,
  ...placeOf(node),
});

/** The parts between separators. */
export const splitNodes = (
  nodes: readonly TreeNode[],
  isSeparator: (node: TreeNode) => boolean,
): readonly (readonly TreeNode[])[] => {
  const groups: TreeNode[][] = [[]];
  for (const node of nodes) {
    if (isSeparator(node)) groups.push([]);
    else groups.at(-1)?.push(node);
  }
  return groups;
};

export const isComma = ({ name }: TreeNode): boolean => name === ",";

export const withoutBrackets = (nodes: readonly TreeNode[]): readonly TreeNode[] =>
  nodes.filter(({ name }, index) => !brackets.has(name) || (index > 0 && index < nodes.length - 1));

/** One item of a list: `value`, `*value`, `name := value`. */
export const readItem = (source: Source, nodes: readonly TreeNode[]): Expression | undefined => {
  const [first, second, third] = nodes;
  if (first === undefined) return undefined;
  if ((first.name === "*" || first.name === "**") && second !== undefined)
    return {
      kind: "starred",
      value: source.read(second),
      start: first.from,
      end: second.to,
    };
  if (second?.name === "AssignOp" && third !== undefined)
    return {
      kind: "assigning",
      target: source.read(first),
      value: source.read(third),
      start: first.from,
      end: third.to,
    };
  return source.read(first);
};

export const readItems = (source: Source, nodes: readonly TreeNode[]): readonly Expression[] =>
  splitNodes(nodes, isComma).flatMap((group) => readItem(source, group) ?? []);

/** One expression, or the tuple that commas form. */
export const readGroup = (source: Source, nodes: readonly TreeNode[]): Expression | undefined => {
  const items = readItems(source, nodes);
  const [first] = nodes;
  const last = nodes.at(-1);
  if (first === undefined || last === undefined) return undefined;
  if (!nodes.some(isComma)) return items[0];
  return { kind: "tuple", items, start: first.from, end: last.to };
};
