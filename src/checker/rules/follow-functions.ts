// Follows values through the functions of a program: what they return and what they are called with.
import type { ArrowFunctionExpression, Function as FunctionNode, Node } from "oxc-parser";
import { isFunction, unwrap } from "../typescript/read-node.js";
import type { Binding, Syntax } from "../typescript/read-syntax.js";

type AnyFunction = FunctionNode | ArrowFunctionExpression;

const asFunction = (node: Node | null | undefined): AnyFunction | undefined =>
  node != null && isFunction(node) ? (node as AnyFunction) : undefined;

/** The one function that a name refers to; undefined if it may refer to another. */
export const findFunction = (syntax: Syntax, callee: Node): AnyFunction | undefined => {
  const binding = callee.type === "Identifier" ? syntax.bindingOf(callee) : undefined;
  return binding === undefined ? undefined : toFunction(syntax, binding);
};

const toFunction = (syntax: Syntax, binding: Binding): AnyFunction | undefined => {
  const { kind, declaration } = binding;
  if (kind === "const")
    return declaration.type === "VariableDeclarator" && declaration.id === binding.node
      ? asFunction(declaration.init)
      : undefined;
  if (kind !== "function" || declaration.type !== "FunctionDeclaration") return undefined;
  const isReplaced =
    binding.references.some(({ node }) => isAssigned(syntax, node)) ||
    syntax.bindings.some((one) => one !== binding && one.kind === "function" && one.name === binding.name);
  return isReplaced ? undefined : asFunction(declaration);
};

const isAssigned = (syntax: Syntax, node: Node): boolean => {
  const parent = syntax.parentOf(node);
  return parent?.type === "AssignmentExpression" && parent.left === node;
};

const returnsOf = new WeakMap<Syntax, Map<Node, Node[]>>();

/** The `return` statements of every function. */
const readReturns = (syntax: Syntax): Map<Node, Node[]> => {
  const known = returnsOf.get(syntax);
  if (known !== undefined) return known;
  const returns = new Map<Node, Node[]>();
  for (const node of syntax.nodes()) {
    if (node.type !== "ReturnStatement") continue;
    let holder = syntax.parentOf(node);
    while (holder !== undefined && !isFunction(holder)) holder = syntax.parentOf(holder);
    if (holder === undefined) continue;
    const own = returns.get(holder);
    if (own === undefined) returns.set(holder, [node]);
    else own.push(node);
  }
  returnsOf.set(syntax, returns);
  return returns;
};

/** Every possible return value; includes `undefined` if it may end without a value. */
export const listReturned = (syntax: Syntax, found: AnyFunction): readonly (Node | undefined)[] => {
  const { body } = found;
  if (body === null) return [];
  if (body.type !== "BlockStatement") return [body as Node];
  const returned = (readReturns(syntax).get(found) ?? []).map((node) =>
    node.type === "ReturnStatement" ? (node.argument ?? undefined) : undefined,
  );
  return body.body.at(-1)?.type === "ReturnStatement" ? returned : [...returned, undefined];
};

/**
 * The values of a parameter in all calls of its function; empty if unknown. A function that uses its parameter
 * elsewhere may branch on it, so other uses may only print it or interpolate it.
 */
export const listArguments = (
  syntax: Syntax,
  parameter: Binding,
  used: Node,
): readonly (Node | undefined)[] => {
  const found = asFunction(parameter.declaration);
  const at = found?.params.findIndex((one) => (one as Node) === parameter.node) ?? -1;
  const isOnlyUse = parameter.references.every(({ node }) => node === used || isShown(syntax, node));
  if (found === undefined || at < 0 || !isOnlyUse) return [];
  const binding = nameOf(syntax, found);
  if (binding === undefined || toFunction(syntax, binding) !== found || isExported(syntax, binding))
    return [];
  const given = binding.references.map(({ node }) => {
    const call = syntax.parentOf(node);
    if (call?.type !== "CallExpression" || unwrap(call.callee) !== node) return undefined;
    const isSpread = call.arguments.slice(0, at + 1).some(({ type }) => type === "SpreadElement");
    return isSpread ? undefined : { value: call.arguments[at] };
  });
  return given.every((one) => one !== undefined) ? given.map(({ value }) => value) : [];
};

/** `console.log(value)`, `${value}`. */
const isShown = (syntax: Syntax, node: Node): boolean => {
  const parent = syntax.parentOf(node);
  if (parent?.type === "TemplateLiteral") return true;
  if (parent?.type !== "CallExpression" || parent.callee.type !== "MemberExpression") return false;
  const { object } = parent.callee;
  return object.type === "Identifier" && object.name === "console" && syntax.bindingOf(object) === undefined;
};

/** The list that a `for (const item of list)` iterates. */
export const findIterated = (syntax: Syntax, { kind, declaration, node }: Binding): Node | undefined => {
  if (kind !== "const" || declaration.type !== "VariableDeclarator" || declaration.id !== node)
    return undefined;
  const statement = syntax.parentOf(declaration);
  const loop = statement === undefined ? undefined : syntax.parentOf(statement);
  return loop?.type === "ForOfStatement" && loop.left === statement ? loop.right : undefined;
};

const nameOf = (syntax: Syntax, found: AnyFunction): Binding | undefined => {
  const holder = found.type === "FunctionDeclaration" ? found : syntax.parentOf(found as Node);
  return syntax.bindings.find(({ declaration }) => declaration === holder);
};

const isExported = (syntax: Syntax, { declaration, references }: Binding): boolean => {
  const statement =
    declaration.type === "VariableDeclarator" ? syntax.parentOf(declaration) : (declaration as Node);
  const holder = statement === undefined ? undefined : syntax.parentOf(statement);
  return (
    holder?.type.startsWith("Export") === true ||
    references.some(({ node }) => syntax.parentOf(node)?.type.startsWith("Export") === true)
  );
};
