// Parses a Python program within a time limit and decides whether the tree can be trusted.
import { parser } from "@lezer/python";

export type TreeNode = ReturnType<typeof parser.parse>["topNode"];

/** Only a crafted program takes longer than this. */
const maxMs = 300;

export const listChildren = (node: TreeNode): readonly TreeNode[] => {
  const children: TreeNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.name !== "Comment") children.push(child);
  return children;
};

/** Undefined if it takes too long. */
export const parseTree = (text: string): TreeNode | undefined => {
  // Without a final line break, the last statement may look truncated.
  const parse = parser.startParse(`${text}\n`);
  const end = performance.now() + maxMs;
  for (let step = 0; ; step++) {
    const tree = parse.advance();
    if (tree !== null) return tree.topNode;
    if (step % 256 === 255 && performance.now() > end) return undefined;
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
