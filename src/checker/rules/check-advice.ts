// Advice, not a boundary: text that is run as code is where programs go wrong and reviewers cannot look.
import type { Finding } from "../check.js";
import type { Reference } from "../syntax/scope.js";
import type { Context } from "./context.js";

const advised = new Map([
  ["eval", "eval() runs text as code: the check cannot see what it does"],
  ["Function", "Function() makes code out of text: the check cannot see what it does"],
]);

/** Warns of calls of the engine's own `eval` and `Function`; names that only look alike are left alone. */
export const checkAdvice = ({ syntax }: Context): readonly Finding[] =>
  syntax.references.flatMap((reference) => {
    const message = reference.binding === undefined ? advised.get(reference.name) : undefined;
    if (message === undefined || !isCalled(syntax, reference)) return [];
    return [{ severity: "warning", code: "ADVICE", offset: reference.node.start, message }] as const;
  });

const isCalled = (syntax: Context["syntax"], { node }: Reference): boolean => {
  const parent = syntax.parentOf(node);
  return (parent?.type === "CallExpression" || parent?.type === "NewExpression") && parent.callee === node;
};
