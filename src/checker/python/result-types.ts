// Infers the type of a Python expression that is a tool's answer or part of one, and answers questions about it.
import type { JsonSchema } from "../../contracts/index.js";
import {
  allowsOthers,
  isClosed,
  listFields,
  listParts,
  listTypes,
  readItems,
  readProperties,
} from "../../schema/index.js";
import type { ToolCall } from "../rules/find-tool-uses.js";
import { findFunction } from "../rules/read-literal.js";
import type { Origin } from "../rules/tree.js";
import type { PythonContext } from "./dialect.js";
import type { Call, Expression } from "./syntax/node.js";

/** A schema together with the document its references point into. */
export interface ResultSchema {
  readonly root: JsonSchema;
  readonly schema: unknown;
}

/** Every allowed kind of value except null; includes "unknown" if it may be anything. */
export const listKinds = ({ root, schema }: ResultSchema): ReadonlySet<string> =>
  new Set([...listTypes(schema, root)].filter((type) => type !== "null"));

/** Whether it is always of one kind, or null. */
export const isOnly = (result: ResultSchema, kind: "object" | "array" | "string"): boolean => {
  const kinds = listKinds(result);
  return kinds.size === 1 && kinds.has(kind);
};

export const listResultFields = ({ root, schema }: ResultSchema): readonly string[] =>
  listFields(schema, root).map(({ name }) => name);

/** Whether it has no fields other than the declared ones. */
export const isClosedResult = ({ root, schema }: ResultSchema): boolean => isClosed(schema, root);

/** Whether it explicitly allows undeclared fields. */
export const hasOtherFields = ({ root, schema }: ResultSchema): boolean =>
  allowsOthers(schema, root) || listFields(schema, root).length === 0;

const combine = (root: JsonSchema, schemas: readonly unknown[]): ResultSchema | undefined => {
  const [only] = schemas;
  if (schemas.length === 0) return undefined;
  return { root, schema: schemas.length === 1 ? only : { anyOf: schemas } };
};

/** Undefined if the field is not declared. */
const toField = ({ root, schema }: ResultSchema, name: string): ResultSchema | undefined =>
  combine(
    root,
    listParts(schema, root)
      .map(readProperties)
      .flatMap((fields) => (Object.hasOwn(fields, name) ? [fields[name]] : [])),
  );

/** The schema of a list's items; undefined if it depends on the position or is not declared. */
export const toItem = ({ root, schema }: ResultSchema): ResultSchema | undefined => {
  const lists = listParts(schema, root)
    .filter(({ type }) => [type].flat().includes("array"))
    .map(readItems);
  if (lists.some(({ first, rest }) => first.length > 0 || rest === undefined)) return undefined;
  const items = lists.map(({ rest }) => rest);
  return combine(root, items);
};

export interface ResultType extends ResultSchema {
  /** The call that produced the answer. */
  readonly call: ToolCall;
  /** The type was learned from answers, not declared. */
  readonly isLearned: boolean;
  /** A key of an iterated object. */
  readonly isKey?: true | undefined;
}

type ReadResultType = (node: Expression) => ResultType | undefined;

const maxDepth = 40;

/** They return their list argument or a copy of it. */
const listTakers = new Set(["list", "sorted", "reversed", "tuple"]);

export const createResultReader = ({ tree, uses }: PythonContext): ReadResultType => {
  const { isBuiltIn } = tree;

  const toAnswer = (call: ToolCall): ResultType | undefined => {
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

  /** The origin of a name that is bound once. */
  const onlyOriginOf = (node: Expression): Origin | undefined => {
    const origins = tree.lookUp(node)?.origins();
    return origins !== "many" && origins?.length === 1 ? origins[0] : undefined;
  };

  const isModule = (node: Expression, module: string): boolean => isImported(node, module, undefined);

  const isImported = (node: Expression, module: string, name: string | undefined): boolean => {
    const origin = onlyOriginOf(node);
    return origin?.kind === "import" && origin.module === module && origin.name === name;
  };

  const readOrigin = (origin: Origin, depth: number): ResultType | undefined => {
    if (origin.kind !== "value" && origin.kind !== "item") return undefined;
    const { path } = origin;
    const [index, ...rest] = path;
    if (origin.kind === "value") {
      const value = origin.value as Expression;
      if (path.length === 0) return read(value, depth + 1);
      const gathered =
        rest.length === 0 && typeof index === "number" ? readGathered(value, depth) : undefined;
      return gathered?.[Number(index)];
    }
    const value = origin.list as Expression;
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

  /** The result of a program's function with a single `return`. */
  const readReturned = (callee: Expression): Expression | undefined => {
    const found = findFunction(tree, callee);
    return found?.isPlain === true && found.returns.length === 1
      ? (found.returns[0] as Expression)
      : undefined;
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
        const origin = tree.lookUp(node)?.origin;
        return origin === undefined ? undefined : readOrigin(origin, depth);
      }
      default:
        return undefined;
    }
  };
  return (node) => read(node, 0);
};
