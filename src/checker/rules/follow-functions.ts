// Follows values through the functions of a program: what they return and what they are called with.
import type { FunctionFacts, Node, ParameterOrigin, Tree } from "./tree.js";

/** The one function that an expression refers to; undefined if it may refer to another. */
export const findFunction = (tree: Tree, callee: Node): FunctionFacts | undefined => {
  if (tree.read(callee).kind !== "name") return undefined;
  const origin = tree.lookUp(callee)?.origin;
  if (origin?.kind === "function") return tree.functionOf(origin.node);
  return origin?.kind === "value" && origin.path.length === 0 ? tree.functionOf(origin.value) : undefined;
};

/** Every possible result; undefined for a `return` without a value. */
export const listReturned = ({ returns, mayFallThrough }: FunctionFacts): readonly (Node | undefined)[] =>
  mayFallThrough ? [...returns, undefined] : returns;

/**
 * The values of a parameter in all calls of its function, with undefined for an omitted one; empty if unknown. A function
 * that uses its parameter elsewhere may branch on it, so other uses may only print it or interpolate it.
 */
export const listArguments = (
  tree: Tree,
  { function: owner, index, name, fallback }: ParameterOrigin,
  used: Node,
): readonly (Node | undefined)[] => {
  const callers = tree.functionOf(owner)?.uses;
  const isOnlyUse = tree.lookUp(used)?.uses.every((one) => one === used || tree.isShown(one));
  if (callers === undefined || isOnlyUse !== true) return [];
  const given = callers.map((caller) => {
    const parent = tree.parentOf(caller);
    const call = parent === undefined ? undefined : tree.read(parent);
    if (call?.kind !== "call" || call.callee !== caller) return undefined;
    const isSpread =
      call.values.slice(0, index + 1).some((value) => tree.read(value).kind === "spread") ||
      call.named.some((one) => one.name === undefined);
    if (isSpread) return undefined;
    const named = name === undefined ? undefined : call.named.find((one) => one.name === name)?.value;
    return { value: named ?? call.values[index] ?? fallback };
  });
  return given.every((one) => one !== undefined) ? given.map(({ value }) => value) : [];
};
