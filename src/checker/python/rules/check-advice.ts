// Advice, not a boundary: text that is run as code is where programs go wrong and reviewers cannot look.
import type { Finding } from "../../check.js";
import type { PythonContext } from "../context.js";

const advised = new Set(["eval", "exec"]);

/** Warns of calls of Python's own `eval` and `exec`; names that only look alike are left alone. */
export const checkAdvice = ({ syntax }: PythonContext): readonly Finding[] =>
  syntax.references.flatMap(({ node, binding }) => {
    const parent = syntax.parentOf(node);
    const isCalled = parent?.kind === "call" && parent.callee === node;
    if (!isCalled || binding !== undefined || !advised.has(node.name)) return [];
    const message = `${node.name}() runs text as code: the check cannot see what it does`;
    return [{ severity: "warning", code: "ADVICE", offset: node.start, message }] as const;
  });
