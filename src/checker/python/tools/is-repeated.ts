// Detects whether a place in a Python program may run more than once.
import type { PythonSyntax } from "../names/scope.js";
import type { FunctionDefinition, PythonNode } from "../syntax/node.js";

const maxDepth = 10;

/** In a loop, or in a function that may be called more than once. */
export const isRepeated = (syntax: PythonSyntax, start: PythonNode, depth = 0): boolean => {
  if (depth > maxDepth) return true;
  for (let node = start; ; ) {
    const parent = syntax.parentOf(node);
    if (parent === undefined) return false;
    if (parent.kind === "while" || parent.kind === "lambda" || parent.kind === "class") return true;
    if (parent.kind === "for" && parent.iterated !== node) return true;
    // Only the first source of a comprehension is evaluated once.
    if (parent.kind === "comprehension" && parent.clauses[0] !== node) return true;
    if (parent.kind === "clause" && parent.iterated !== node) return true;
    if (parent.kind === "function") {
      const caller = findOnlyCall(syntax, parent);
      return caller === undefined || isRepeated(syntax, caller, depth + 1);
    }
    node = parent;
  }
};

/** The only call of a function, if there is exactly one and the function is not passed on. */
const findOnlyCall = (syntax: PythonSyntax, definition: FunctionDefinition): PythonNode | undefined => {
  const references = syntax.bindingOf(definition)?.references ?? [];
  const [only] = references;
  const call = only === undefined ? undefined : syntax.parentOf(only.node);
  const isCalled = call?.kind === "call" && call.callee === only?.node;
  return references.length === 1 && isCalled && definition.decorators.length === 0 ? call : undefined;
};
