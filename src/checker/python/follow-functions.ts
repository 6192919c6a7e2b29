// Follows values through the functions of a Python program: what they return and what they are called with.

import { findSite, type SiteOptions } from "./find-site.js";
import type { PythonSyntax, Reference } from "./scope.js";
import {
  childrenOf,
  type Expression,
  type FunctionDefinition,
  type Parameter,
  type PythonNode,
} from "./syntax/node.js";

export interface FollowOptions {
  readonly syntax: PythonSyntax;
  readonly sites: SiteOptions;
}

interface FoundFunction {
  readonly definition: FunctionDefinition;
  readonly isAsync: boolean;
}

/** The header of a definition, up to the colon. */
const readHead = ({ text }: PythonSyntax, { start, name, blocks }: FunctionDefinition): string =>
  text.slice(start, blocks[0]?.start ?? name.end);

/** The one function that a name refers to; undefined for a generator and for a decorated function. */
export const findFunction = (
  { syntax, sites }: FollowOptions,
  callee: Expression,
): FoundFunction | undefined => {
  const reference = callee.kind === "name" ? syntax.referenceOf(callee) : undefined;
  const definition = reference === undefined ? undefined : findSite(syntax, reference, sites)?.holder;
  if (definition?.kind !== "function" || definition.decorators.length > 0) return undefined;
  if (/\byield\b/.test(syntax.text.slice(definition.start, definition.end))) return undefined;
  return { definition, isAsync: readHead(syntax, definition).startsWith("async") };
};

/** The function's own `return` statements. */
const listReturns = (node: PythonNode): readonly PythonNode[] =>
  childrenOf(node).flatMap((child) => {
    if (child.kind === "return") return [child];
    // Nested functions have their own returns.
    return child.kind === "function" || child.kind === "class" || child.kind === "lambda"
      ? []
      : listReturns(child);
  });

/** The single return value of a function; undefined for a generator and for a function with several exits. */
export const findOnlyReturn = (text: string, definition: FunctionDefinition): Expression | undefined => {
  if (/\byield\b/.test(text.slice(definition.start, definition.end))) return undefined;
  const [only, ...others] = definition.blocks.flatMap(listReturns);
  return only?.kind === "return" && others.length === 0 ? only.value : undefined;
};

/** Every possible return value; includes `undefined` if it may return None. */
export const listReturned = ({ blocks }: FunctionDefinition): readonly (Expression | undefined)[] => {
  const returned = blocks
    .flatMap(listReturns)
    .map((node) => (node.kind === "return" ? node.value : undefined));
  const last = blocks.at(-1)?.statements.at(-1);
  return last?.kind === "return" ? returned : [...returned, undefined];
};

/**
 * The values of a parameter in all calls of its function; empty if unknown. A function that uses its parameter
 * elsewhere may branch on it, so other uses may only print it or interpolate it.
 */
export const listArguments = (
  { syntax, sites }: FollowOptions,
  parameter: Parameter,
  used: Reference,
): readonly Expression[] => {
  const definition = syntax.parentOf(parameter);
  if (definition?.kind !== "function" || definition.decorators.length > 0) return [];
  // Stars shift values to other parameters.
  if (readHead(syntax, definition).includes("*")) return [];
  const own = syntax.bindingOf(definition);
  const isOnlyUse = used.binding?.references.every((one) => one === used || isShown(syntax, one.node));
  if (own === undefined || own.sites.length !== 1 || isOnlyUse !== true) return [];
  // A later program of the session may call it, and an earlier one may have stored it.
  if (sites.isSession || own.scope.kind === "class") return [];
  const at = definition.parameters.indexOf(parameter);
  const given = own.references.map(({ node }) => {
    const call = syntax.parentOf(node);
    if (call?.kind !== "call" || call.callee !== node) return undefined;
    const isSpread =
      call.values.some(({ kind }) => kind === "starred") || call.named.some(({ name }) => name === undefined);
    if (isSpread) return undefined;
    const named = call.named.find(({ name }) => name === parameter.name.name)?.value;
    return named ?? call.values[at] ?? parameter.fallback;
  });
  return given.every((one) => one !== undefined) ? given : [];
};

/** `print(value)`, `f"{value}"`. */
const isShown = (syntax: PythonSyntax, node: Expression): boolean => {
  const parent = syntax.parentOf(node);
  if (parent?.kind === "format") return true;
  if (parent?.kind !== "call" || parent.callee.kind !== "name" || parent.callee.name !== "print")
    return false;
  return syntax.referenceOf(parent.callee)?.binding === undefined;
};
