// Reads patterns of a match statement: the names they bind and the expressions they look up.
import type { Expression, Name } from "./node.js";
import { type Source, toName } from "./read-list.js";
import { listChildren, type TreeNode } from "./syntax-tree.js";

/** Names that a pattern binds, and expressions that it looks up. */
export const readPattern = (
  source: Source,
  node: TreeNode,
): { captures: readonly Name[]; tests: readonly Expression[] } => {
  const children = listChildren(node);
  if (node.name === "CapturePattern") {
    const [name] = children;
    return { captures: name === undefined ? [] : [toName(source, name)], tests: [] };
  }
  const inner = children
    .filter(({ name }) => name.endsWith("Pattern") || name === "PatternArgList")
    .map((child) => readPattern(source, child));
  const at = children.findIndex(({ name }) => name === "as");
  const bound = at < 0 ? undefined : children[at + 1];
  const looked = /^(?:Class|Attribute)Pattern$/.test(node.name) ? children[0] : undefined;
  return {
    captures: [
      ...inner.flatMap(({ captures }) => captures),
      ...(bound === undefined ? [] : [toName(source, bound)]),
    ],
    tests: [...inner.flatMap(({ tests }) => tests), ...(looked === undefined ? [] : [source.read(looked)])],
  };
};
