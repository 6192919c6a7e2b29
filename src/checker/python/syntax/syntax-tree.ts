// Parses a Python program within a time limit, decides whether the tree can be trusted, and reads sequences in it.
import { parser } from "@lezer/python";
import type { Expression, Name } from "./node.js";

export type TreeNode = ReturnType<typeof parser.parse>["topNode"];

/** Only a crafted program takes more processor time. A busy machine must not decide whether a program is checked. */
const maxMicroseconds = 1_000_000;

export const listChildren = (node: TreeNode): readonly TreeNode[] => {
  const children: TreeNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.name !== "Comment") children.push(child);
  return children;
};

const readProcessorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Undefined if it takes too long. */
export const parseTree = (text: string): TreeNode | undefined => {
  // Without a final line break, the last statement may look truncated.
  const parse = parser.startParse(`${text}\n`);
  const end = readProcessorTime() + maxMicroseconds;
  for (let step = 0; ; step++) {
    const tree = parse.advance();
    if (tree !== null) return tree.topNode;
    if (step % 256 === 255 && readProcessorTime() > end) return undefined;
  }
};

/** Python itself gives up earlier. */
const maxDepth = 1000;

export const isTooDeep = (top: TreeNode): boolean => {
  let depth = 0;
  let isFound = false;
  top.cursor().iterate(
    () => {
      isFound ||= ++depth > maxDepth;
      return !isFound;
    },
    () => void depth--,
  );
  return isFound;
};

/** Valid Python that the parser does not know: a bare `yield`, `1.`, a pattern without arguments. */
const isTolerated = (node: TreeNode): boolean => {
  const { parent } = node;
  if (node.from !== node.to || parent === null) return false;
  if (parent.name === "YieldStatement" || parent.name === "YieldExpression") return true;
  if (parent.name === "LiteralPattern")
    return parent.parent?.name === "PatternArgList" || parent.parent?.name === "SequencePattern";
  return parent.name === "MemberExpression" && parent.firstChild?.name === "Number";
};

/** Whether the parser had to guess somewhere, so that nothing in the tree is certain. */
export const isGuessed = (top: TreeNode): boolean => {
  let isFound = false;
  top.cursor().iterate((cursor) => {
    if (cursor.type.isError && !isTolerated(cursor.node)) isFound = true;
    return !isFound;
  });
  return isFound;
};

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
