// Finds coroutines of the program's own functions that are tested, compared or printed without `await`.
import type { Finding } from "../check.js";
import { quote, show } from "../diagnostics.js";
import type { PythonContext } from "./dialect.js";
import type { Expression, PythonNode } from "./syntax/node.js";

/** Built-in functions that inspect their argument. */
const inspectors = new Set([
  ...["str", "repr", "bool", "len", "int", "float", "format", "list", "sorted", "sum", "print"],
]);

export const checkAwaits = (context: PythonContext): readonly Finding[] => {
  const { syntax, tree } = context;
  // Names with exactly one binding.
  const holders = new Map(
    syntax.bindings.flatMap((binding) => {
      const [site, ...others] = binding.sites;
      const isWhole = site?.kind === "assign" && (site.path ?? []).length === 0 && others.length === 0;
      return isWhole ? [[site.value, binding]] : [];
    }),
  );
  return syntax.nodes.flatMap((node): readonly Finding[] => {
    const sites = node.kind === "call" ? syntax.referenceOf(node.callee)?.binding?.sites : undefined;
    const found =
      sites?.length === 1 && sites[0] !== undefined ? tree.functionOf(sites[0].holder) : undefined;
    if (node.kind !== "call" || found?.isAsync !== true || !found.isPlain) return [];
    const name = syntax.text.slice(node.callee.start, node.callee.end);
    if (isMistaken(context, node)) return [toMistake(node, `${name}(…)`, name)];
    const used = holders.get(node)?.references.find((reference) => isMistaken(context, reference.node));
    return used === undefined ? [] : [toMistake(used.node, used.node.name, name)];
  });
};

const isMistaken = ({ syntax }: PythonContext, node: Expression): boolean => {
  const parent = syntax.parentOf(node);
  switch (parent?.kind) {
    case "format":
      return true;
    case "choice":
      return parent.test === node;
    case "while":
      return true;
    case "branch":
      // A `match` does not test whether its subject is true.
      return parent.tests.includes(node) && parent.captures.length === 0 && !isMatch(syntax.text, parent);
    case "clause":
      return parent.conditions.includes(node);
    case "subscript":
      return parent.object === node;
    case "operation":
      if (/^(?:is|in|not in|is not)$/.test(parent.operator)) return false;
      // The last operand is passed on: `ready and load()`.
      return !/^(?:and|or)$/.test(parent.operator) || parent.operands.at(-1) !== node;
    case "call":
      return (
        parent.callee.kind === "name" &&
        inspectors.has(parent.callee.name) &&
        syntax.referenceOf(parent.callee)?.binding === undefined &&
        parent.values.includes(node)
      );
    default:
      return false;
  }
};

const isMatch = (text: string, { start }: PythonNode): boolean =>
  /^match\b/.test(text.slice(start, start + 6));

const toMistake = ({ start }: PythonNode, used: string, name: string): Finding => ({
  severity: "error",
  code: "AWAIT_MISSING",
  offset: start,
  message: `Cannot use ${quote(used)} as a value: it is a coroutine, the "await" before ${quote(`${name}(…)`)} is missing`,
  hint: `Write (await ${show(used)})`,
});
