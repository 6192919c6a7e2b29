// Parses a program and resolves its names. Positions are those of the text.
import type { Node } from "oxc-parser";
import { parseSync } from "oxc-parser";
import { collectNames } from "./collect-names.js";
import type { Binding, Syntax } from "./scope.js";

/** The text was parsed before and has no syntax error. A top-level `return` is allowed. */
export const readSyntax = (text: string): Syntax => {
  const { program } = parseSync("program.ts", text, {
    lang: "ts",
    sourceType: "module",
    preserveParens: false,
  });
  const { references, bindings, imports, calls, parents } = collectNames(program);
  const byNode = new Map<Node, Binding | undefined>(references.map(({ node, binding }) => [node, binding]));
  return {
    text,
    statements: program.body,
    references,
    bindings,
    imports,
    calls,
    nodes: () => parents.keys(),
    parentOf: (node) => parents.get(node),
    bindingOf: (node) => byNode.get(node),
  };
};
