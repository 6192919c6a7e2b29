// Finds the binding that a use of a name sees: the only one, or the last one on its path.
import {
  type Binding,
  maxSites,
  type PythonSyntax,
  type Reference,
  type Scope,
  type Site,
} from "./collect-names.js";
import type { Block, PythonNode } from "./syntax/node.js";

interface SiteOptions {
  /** A top-level name may have a value from an earlier program of the session. */
  readonly isSession: boolean;
  /** Remaining lookup steps. A crafted program could need an unreasonable number. */
  readonly budget: { left: number };
}

type IsInside = (node: PythonNode, around: PythonNode) => boolean;

/** Comprehensions run in place, functions when they are called. */
const homeOf = (scope: Scope): Scope =>
  scope.kind === "comprehension" && scope.parent !== undefined ? homeOf(scope.parent) : scope;

const plain: readonly string[] = ["assign", "import", "function", "class"];

/** The last binding before a statement of a block; "unsure" if one may or may not have run. */
const findBefore = (
  isInside: IsInside,
  statements: readonly PythonNode[],
  before: PythonNode,
  sites: readonly Site[],
): Site | "unsure" | undefined => {
  for (let at = statements.indexOf(before) - 1; at >= 0; at--) {
    const statement = statements[at] ?? before;
    const inside = sites.filter(({ holder }) => isInside(holder, statement));
    const last = inside.at(-1);
    if (last === undefined) continue;
    return last.holder === statement && plain.includes(last.holder.kind) ? last : "unsure";
  }
  return undefined;
};

const walkBack = (
  { statements: top, parentOf }: PythonSyntax,
  isInside: IsInside,
  { node: start }: Reference,
  { sites }: Binding,
): Site | undefined => {
  const isInBlock = (node: PythonNode, blocks: readonly Block[]): boolean =>
    blocks.some((block) => isInside(node, block));
  let node: PythonNode = start;
  for (;;) {
    const parent = parentOf(node);
    const statements = parent === undefined ? top : parent.kind === "block" ? parent.statements : undefined;
    if (statements !== undefined) {
      const found = findBefore(isInside, statements, node, sites);
      if (found !== undefined) return found === "unsure" ? undefined : found;
    }
    if (parent === undefined) return undefined;
    const inner = node;
    const passed = sites.filter(({ holder }) => {
      if (!isInside(holder, parent) || isInside(holder, inner)) return false;
      // The other branch of an `if` is never on the path.
      return !(parent.kind === "branch" && inner.kind === "block" && isInBlock(holder, parent.blocks));
    });
    const own = passed.find(({ holder }) => holder === parent);
    const isInner = sites.some(({ holder }) => isInside(holder, inner));
    if (parent.kind === "for" && inner.kind === "block" && own !== undefined)
      return passed.length === 1 && !isInner ? own : undefined;
    // The assigned value and the iterated value are evaluated before the name is bound.
    const isBefore = parent.kind === "assign" || parent.kind === "for";
    if (passed.some((site) => site !== own || !isBefore)) return undefined;
    if ((parent.kind === "for" || parent.kind === "while") && isInner) return undefined;
    node = parent;
  }
};

/** Undefined if it cannot be determined statically. */
export const findSite = (
  syntax: PythonSyntax,
  reference: Reference,
  { isSession, budget }: SiteOptions,
): Site | undefined => {
  const { binding } = reference;
  const only = binding?.sites[0];
  if (binding === undefined || only === undefined || binding.sites.length > maxSites) return undefined;
  const isSessionName = isSession && binding.scope.kind === "module";
  if (binding.sites.length === 1 && !isSessionName) return only;
  // A function that rebinds a name of another scope does so at every call.
  if (binding.sites.some(({ scope }) => scope !== binding.scope)) return undefined;
  if (homeOf(reference.scope) !== homeOf(binding.scope)) return undefined;
  const isInside: IsInside = (node, around) => {
    budget.left -= 1;
    // Comparing positions is enough, because every binding statement has one.
    return around.start <= node.start && node.end <= around.end;
  };
  budget.left -= syntax.statements.length >> 4;
  if (budget.left <= 0) return undefined;
  return walkBack(syntax, isInside, reference, binding);
};
