// Finds types that are nothing but themselves (`A = A | B`), which no language can declare.
import { type Definition, type Fallback, type TypeNode, type TypeTree, unknownNode } from "./type-node.js";

/** What a type is without looking into anything it holds. */
const listAliases = (node: TypeNode): readonly string[] => {
  if (node.kind === "reference") return [node.pointer];
  return node.kind === "union" || node.kind === "intersection" ? node.members.flatMap(listAliases) : [];
};

/** The tree with every such type replaced by `unknown` and reported. */
export const breakAliasCycles = (tree: TypeTree, path: string): TypeTree => {
  const nodes = new Map<string, TypeNode>([["#", tree.root]]);
  for (const [pointer, { type }] of tree.definitions) nodes.set(pointer, type);
  const reachesItself = (start: string): boolean => {
    const seen = new Set<string>();
    const waiting = [start];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const next of listAliases(nodes.get(at) ?? unknownNode)) {
        if (next === start) return true;
        if (!seen.has(next)) waiting.push(next);
        seen.add(next);
      }
    }
    return false;
  };
  const broken = new Set([...nodes.keys()].filter(reachesItself));
  if (broken.size === 0) return tree;
  const definitions = new Map<string, Definition>();
  for (const [pointer, definition] of tree.definitions) {
    definitions.set(pointer, broken.has(pointer) ? { ...definition, type: unknownNode } : definition);
  }
  const reason = "a type that refers only to itself";
  const added = [...broken].map((pointer): Fallback => ({ path: `${path}${pointer}`.slice(0, 300), reason }));
  return {
    root: broken.has("#") ? unknownNode : tree.root,
    definitions,
    fallbacks: [...tree.fallbacks, ...added],
  };
};
