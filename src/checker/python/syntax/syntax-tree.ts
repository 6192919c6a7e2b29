// The parser's tree: parsed within a time, and judged whether it can be trusted.
import { parser } from "@lezer/python";

export type TreeNode = ReturnType<typeof parser.parse>["topNode"];

/** A program that takes longer than this is made to. */
const longestMs = 300;

export const listChildren = (node: TreeNode): readonly TreeNode[] => {
  const children: TreeNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.name !== "Comment") children.push(child);
  return children;
};

/** Undefined when it takes too long. */
export const parseTree = (text: string): TreeNode | undefined => {
  // Without a line break at its end the last statement may look cut off.
  const parse = parser.startParse(`${text}\n`);
  const end = performance.now() + longestMs;
  for (let step = 0; ; step++) {
    const tree = parse.advance();
    if (tree !== null) return tree.topNode;
    if (step % 256 === 255 && performance.now() > end) return undefined;
  }
};

/** Python itself gives up on less. */
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

/** What the parser does not know and Python does: a bare `yield`, `1.`, a pattern without arguments. */
const isTolerated = (node: TreeNode): boolean => {
  const { parent } = node;
  if (node.from !== node.to || parent === null) return false;
  if (parent.name === "YieldStatement" || parent.name === "YieldExpression") return true;
  if (parent.name === "LiteralPattern")
    return parent.parent?.name === "PatternArgList" || parent.parent?.name === "SequencePattern";
  return parent.name === "MemberExpression" && parent.firstChild?.name === "Number";
};

/** Whether the parser had to guess somewhere: then nothing of the tree is certain. */
export const isGuessed = (top: TreeNode): boolean => {
  let isFound = false;
  top.cursor().iterate((cursor) => {
    if (cursor.type.isError && !isTolerated(cursor.node)) isFound = true;
    return !isFound;
  });
  return isFound;
};
