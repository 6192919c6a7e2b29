// Warns about text run as code. This is advice, not a security boundary: such code is error-prone and hard to review.
import type { Finding } from "../../check.js";
import type { PythonContext } from "../context.js";

const advised = new Set(["eval", "exec"]);

/** Warns about calls of the built-in `eval` and `exec`, not of functions with the same name. */
export const checkAdvice = ({ syntax }: PythonContext): readonly Finding[] =>
  syntax.references.flatMap(({ node, binding }) => {
    const parent = syntax.parentOf(node);
    const isCalled = parent?.kind === "call" && parent.callee === node;
    if (!isCalled || binding !== undefined || !advised.has(node.name)) return [];
    const message = `${node.name}() runs text as code: the check cannot see what it does`;
    return [{ severity: "warning", code: "ADVICE", offset: node.start, message }] as const;
  });
