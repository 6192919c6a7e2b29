// Finds the single return value of a Python function.
import { childrenOf, type Expression, type FunctionDefinition, type PythonNode } from "../syntax/node.js";

/** The function's own `return` statements. */
export const listReturns = (node: PythonNode): readonly PythonNode[] =>
  childrenOf(node).flatMap((child) => {
    if (child.kind === "return") return [child];
    // Nested functions have their own returns.
    return child.kind === "function" || child.kind === "class" || child.kind === "lambda"
      ? []
      : listReturns(child);
  });

/** Undefined for a generator and for a function with several exits. */
export const findOnlyReturn = (text: string, definition: FunctionDefinition): Expression | undefined => {
  if (/\byield\b/.test(text.slice(definition.start, definition.end))) return undefined;
  const [only, ...others] = definition.blocks.flatMap(listReturns);
  return only?.kind === "return" && others.length === 0 ? only.value : undefined;
};
