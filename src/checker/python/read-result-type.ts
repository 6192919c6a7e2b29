// Infers the type of a Python expression that is a tool's answer or part of one.

import type { PythonContext } from "../rules/context.js";
import { findSite } from "./find-site.js";
import type { Site } from "./scope.js";
import type { Call, Expression } from "./syntax/node.js";
import type { PythonToolCall } from "./find-tool-uses.js";
import { findOnlyReturn } from "./follow-functions.js";
import { isOnly, type ResultSchema, toField, toItem } from "./result-schema.js";

export interface ResultType extends ResultSchema {
  /** The call that produced the answer. */
  readonly call: PythonToolCall;
  /** The type was learned from answers, not declared. */
  readonly isLearned: boolean;
  /** A key of an iterated object. */
  readonly isKey?: true | undefined;
}

export type ReadResultType = (node: Expression) => ResultType | undefined;

const maxDepth = 40;

/** They return their list argument or a copy of it. */
const listTakers = new Set(["list", "sorted", "reversed", "tuple"]);

export const createResultReader = ({ syntax, uses, sites }: PythonContext): ReadResultType => {
  const isBuiltIn = (node: Expression, name: string): boolean =>
    node.kind === "name" &&
    node.name === name &&
    !sites.isSession &&
    syntax.referenceOf(node)?.binding === undefined;

  const toAnswer = (call: PythonToolCall): ResultType | undefined => {
    if (call.isRaw) return undefined;
    const { outputSchema } = call.tool;
    if (outputSchema !== undefined)
      return { root: outputSchema, schema: outputSchema, call, isLearned: false };
    const learned = call.server.learned?.get(call.tool.name);
    return learned === undefined ? undefined : { root: learned, schema: learned, call, isLearned: true };
  };

  const within = (type: ResultType, part: ResultSchema | undefined): ResultType | undefined =>
    part === undefined ? undefined : { call: type.call, isLearned: type.isLearned, ...part };

  const itemOf = (type: ResultType | undefined): ResultType | undefined => {
    if (type === undefined) return undefined;
    if (isOnly(type, "object")) return { ...type, schema: { type: "string" }, isKey: true };
    return isOnly(type, "array") ? within(type, toItem(type)) : undefined;
  };

  /** `gather(one(), other())` returns the answers in order. */
  const readGathered = (node: Expression, depth: number): readonly (ResultType | undefined)[] | undefined => {
    const call = node.kind === "await" ? node.value : node;
    if (call.kind !== "call" || call.named.length > 0) return undefined;
    const { callee } = call;
    const isGather =
      (callee.kind === "attribute" && callee.name === "gather" && isModule(callee.object, "asyncio")) ||
      (callee.kind === "name" && isImported(callee, "asyncio", "gather"));
    if (!isGather || call.values.some(({ kind }) => kind === "starred")) return undefined;
    return call.values.map((value) => read(value, depth + 1));
  };

  const onlySiteOf = (node: Expression): Site | undefined => {
    const sitesOfName = node.kind === "name" ? syntax.referenceOf(node)?.binding?.sites : undefined;
    return sitesOfName?.length === 1 ? sitesOfName[0] : undefined;
  };

  const isModule = (node: Expression, name: string): boolean => {
    const site = onlySiteOf(node);
    return site?.kind === "import" && site.statement?.module === undefined && site.imported?.name === name;
  };

  const isImported = (node: Expression, module: string, name: string): boolean => {
    const site = onlySiteOf(node);
    return site?.statement?.module === module && site.imported?.name === name;
  };

  const readSite = ({ kind, value, path = [] }: Site, depth: number): ResultType | undefined => {
    if (value === undefined) return undefined;
    const [index, ...rest] = path;
    if (kind === "assign") {
      if (path.length === 0) return read(value, depth + 1);
      const gathered = rest.length === 0 && index !== undefined ? readGathered(value, depth) : undefined;
      return gathered?.[index ?? 0];
    }
    if (kind !== "item") return undefined;
    if (path.length === 0) return itemOf(read(value, depth + 1));
    // `for number, item in enumerate(list)`
    const isEnumerated =
      value.kind === "call" && isBuiltIn(value.callee, "enumerate") && index === 1 && rest.length === 0;
    const [list] = isEnumerated ? value.values : [];
    return list === undefined ? undefined : itemOf(read(list, depth + 1));
  };

  const readCall = (node: Call, depth: number): ResultType | undefined => {
    const call = uses.callOf(node);
    if (call !== undefined) return toAnswer(call);
    const { callee, values } = node;
    const returned = readReturned(callee);
    if (returned !== undefined) return read(returned, depth + 1);
    const [first] = values;
    if (callee.kind !== "name" || first === undefined || values.length !== 1) return undefined;
    if (![...listTakers].some((name) => isBuiltIn(callee, name))) return undefined;
    const type = read(first, depth + 1);
    return type !== undefined && isOnly(type, "array") ? type : undefined;
  };

  /** The result of a program's function with a single `return` and no decorator. */
  const readReturned = (callee: Expression): Expression | undefined => {
    const reference = callee.kind === "name" ? syntax.referenceOf(callee) : undefined;
    const site = reference === undefined ? undefined : findSite(syntax, reference, sites);
    const definition = site?.holder;
    if (definition?.kind !== "function" || definition.decorators.length > 0) return undefined;
    return findOnlyReturn(syntax.text, definition);
  };

  const readSubscript = (
    { object, index }: Extract<Expression, { kind: "subscript" }>,
    depth: number,
  ): ResultType | undefined => {
    const type = read(object, depth + 1);
    if (type === undefined || type.isKey === true) return undefined;
    if (index.kind === "text") return within(type, toField(type, index.value));
    if (!isOnly(type, "array")) return undefined;
    return index.kind === "other" ? type : within(type, toItem(type));
  };

  const memory = new Map<Expression, ResultType | undefined>();
  const read = (node: Expression, depth: number): ResultType | undefined => {
    if (memory.has(node)) return memory.get(node);
    if (depth > maxDepth) return undefined;
    // A name that refers to itself has no type.
    memory.set(node, undefined);
    const type = readFresh(node, depth);
    memory.set(node, type);
    return type;
  };

  const readFresh = (node: Expression, depth: number): ResultType | undefined => {
    switch (node.kind) {
      case "await":
      case "assigning":
        return read(node.value, depth + 1);
      case "call":
        return readCall(node, depth);
      case "subscript":
        return readSubscript(node, depth);
      case "operation": {
        // `answer or []`
        const [first, second] = node.operands;
        const isEmpty =
          (second?.kind === "list" && second.items.length === 0) ||
          (second?.kind === "dictionary" && second.entries.length === 0);
        return node.operator === "or" && first !== undefined && isEmpty ? read(first, depth + 1) : undefined;
      }
      case "name": {
        const reference = syntax.referenceOf(node);
        const site = reference === undefined ? undefined : findSite(syntax, reference, sites);
        return site === undefined ? undefined : readSite(site, depth);
      }
      default:
        return undefined;
    }
  };
  return (node) => read(node, 0);
};
