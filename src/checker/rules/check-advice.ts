// Warns about text run as code. This is advice, not a security boundary: such code is error-prone and hard to review.
import type { Finding } from "../check.js";
import type { Reference } from "../typescript/read-syntax.js";
import type { Context, PythonContext } from "./context.js";

const advised = new Map([
  ["eval", "eval() runs text as code: the check cannot see what it does"],
  ["Function", "Function() turns text into code: the check cannot see what it does"],
]);

const isCalled = (syntax: Context["syntax"], { node }: Reference): boolean => {
  const parent = syntax.parentOf(node);
  return (parent?.type === "CallExpression" || parent?.type === "NewExpression") && parent.callee === node;
};

/** Warns about calls of the built-in `eval` and `Function`, not of functions with the same name. */
export const checkAdvice = ({ syntax }: Context): readonly Finding[] =>
  syntax.references.flatMap((reference) => {
    const message = reference.binding === undefined ? advised.get(reference.name) : undefined;
    if (message === undefined || !isCalled(syntax, reference)) return [];
    return [{ severity: "warning", code: "ADVICE", offset: reference.node.start, message }] as const;
  });

const advisedInPython = new Set(["eval", "exec"]);

/** Warns about calls of the built-in `eval` and `exec`, not of functions with the same name. */
export const checkPythonAdvice = ({ syntax }: PythonContext): readonly Finding[] =>
  syntax.references.flatMap(({ node, binding }) => {
    const parent = syntax.parentOf(node);
    const isCall = parent?.kind === "call" && parent.callee === node;
    if (!isCall || binding !== undefined || !advisedInPython.has(node.name)) return [];
    const message = `${node.name}() runs text as code: the check cannot see what it does`;
    return [{ severity: "warning", code: "ADVICE", offset: node.start, message }] as const;
  });
