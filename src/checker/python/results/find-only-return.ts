// The one value that a function of a Python program gives back, where it has just one.
import { childrenOf, type Expression, type FunctionDefinition, type PythonNode } from "../syntax/node.js";

/** The `return` statements of a function's own. */
export const listReturns = (node: PythonNode): readonly PythonNode[] =>
  childrenOf(node).flatMap((child) => {
    if (child.kind === "return") return [child];
    // Functions inside of it give back their own.
    return child.kind === "function" || child.kind === "class" || child.kind === "lambda"
      ? []
      : listReturns(child);
  });

/** Undefined for a generator, and for a function with several ways out. */
export const findOnlyReturn = (text: string, definition: FunctionDefinition): Expression | undefined => {
  if (/\byield\b/.test(text.slice(definition.start, definition.end))) return undefined;
  const [only, ...others] = definition.blocks.flatMap(listReturns);
  return only?.kind === "return" && others.length === 0 ? only.value : undefined;
};
