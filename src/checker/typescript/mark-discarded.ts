// Finds calls whose result a program discards and wraps their callees in a function. In a plan, that function reports
// to the host that the answer is unused. Conservative: a call that is not found counts as one whose answer is used.
// Callbacks of `map`, `forEach`, `then`, `catch` and `finally` are found by name. The guest checks that the method is the built-in one.
import type { CallExpression, Node } from "oxc-parser";
import { applyEdits, type Edit } from "../program.js";
import { isFunction } from "./read-node.js";
import { type Binding, readSyntax } from "./read-syntax.js";

/** Their result consists only of their arguments. */
const promiseJoins = new Set(["all", "allSettled", "race", "any"]);

/** The name of the called method, if it is written as a name. */
const nameOf = ({ callee }: CallExpression): string | undefined =>
  callee.type === "MemberExpression" && !callee.computed && callee.property.type === "Identifier"
    ? callee.property.name
    : undefined;

/** Methods that continue after a call, whatever it answers. */
const isFollowUp = (name: string, work: Node | undefined): boolean =>
  name === "catch" ||
  name === "finally" ||
  (name === "then" && work?.type === "ArrowFunctionExpression" && work.params.length === 0);

/** `code` is valid JavaScript. Line numbers stay the same. */
export const markDiscarded = (code: string, mark: string): string => {
  if (code.includes(mark)) return code;
  const syntax = readSyntax(code);
  const marked = new Set<Node>();
  const methods = new Set<Node>();
  const edits: Edit[] = [];

  const isGlobal = (node: Node, name: string): boolean =>
    node.type === "Identifier" && node.name === name && syntax.bindingOf(node) === undefined;

  /** The value of the expression is discarded. */
  const discard = (node: Node | null | undefined): void => {
    switch (node?.type) {
      case "AwaitExpression":
        discard(node.argument);
        break;
      case "UnaryExpression":
        if (node.operator === "void") discard(node.argument);
        break;
      case "SequenceExpression":
        node.expressions.forEach(discard);
        break;
      case "ConditionalExpression":
        discard(node.consequent);
        discard(node.alternate);
        break;
      case "LogicalExpression":
        discard(node.right);
        break;
      case "CallExpression":
        if (!marked.has(node)) discardCall(node);
        break;
    }
  };

  const discardCall = (node: CallExpression): void => {
    marked.add(node);
    const { callee, arguments: given, optional } = node;
    if (isFunction(callee)) discardReturns(callee);
    if (callee.type === "Identifier")
      edits.push(
        { start: callee.start, end: callee.start, text: `${mark}(` },
        { start: callee.end, end: callee.end, text: ")" },
      );
    if (callee.type !== "MemberExpression" || callee.optional || optional) return;
    const name = nameOf(node);
    const [first] = given;
    if (name !== undefined && promiseJoins.has(name) && isGlobal(callee.object, "Promise"))
      discardItems(first);
    else if (markMethod(node) && name !== undefined && isFollowUp(name, first)) {
      discard(callee.object);
      discardReturns(first);
    }
  };

  /** Wraps a called method. Returns false if the callee is written in a form that is not analysed. */
  const markMethod = (node: CallExpression): boolean => {
    const { callee, optional } = node;
    if (methods.has(node)) return true;
    if (callee.type !== "MemberExpression" || callee.optional || optional) return false;
    const { object, property, computed } = callee;
    const name = nameOf(node);
    if (object.type === "Super" || (!computed && name === undefined)) return false;
    const between = code.slice(object.end, property.start);
    const after = code.slice(property.end, callee.end);
    if (between.trim() !== (computed ? "[" : ".") || after.trim() !== (computed ? "]" : "")) return false;
    methods.add(node);
    edits.push({ start: object.start, end: object.start, text: `${mark}(` });
    edits.push({ start: object.end, end: property.start, text: ", " });
    if (name === undefined) edits.push({ start: property.end, end: callee.end, text: ")" });
    else edits.push({ start: property.start, end: callee.end, text: `${JSON.stringify(name)})` });
    return true;
  };

  /** The items of the list are discarded. */
  const discardItems = (node: Node | undefined): void => {
    if (node?.type === "ArrayExpression")
      for (const item of node.elements)
        if (item?.type === "SpreadElement") discardItems(item.argument);
        else discard(item);
    if (node?.type !== "CallExpression" || node.callee.type !== "MemberExpression") return;
    if (nameOf(node) === "map" && markMethod(node)) discardReturns(node.arguments[0]);
    if (nameOf(node) === "from" && isGlobal(node.callee.object, "Array")) discardReturns(node.arguments[1]);
  };

  /** The function's return value is discarded. */
  const discardReturns = (node: Node | undefined): void => {
    if (node?.type === "ArrowFunctionExpression" && node.expression) discard(node.body);
    if (node === undefined || !isFunction(node) || ("generator" in node && node.generator)) return;
    for (const value of syntax.returnsOf(node)) discard(value);
  };

  /** A named function that is only ever called, with its result discarded. */
  const findDiscardedFunction = ({ kind, declaration, references }: Binding): Node | undefined => {
    const isDiscarded = references.every(({ node }) => {
      const call = syntax.parentOf(node);
      return call?.type === "CallExpression" && call.callee === node && marked.has(call);
    });
    if (!isDiscarded || references.length === 0) return undefined;
    const isVariable = kind === "const" && declaration.type === "VariableDeclarator";
    const statement = isVariable ? syntax.parentOf(declaration) : declaration;
    // Other modules may call an exported function.
    if (statement === undefined || syntax.parentOf(statement)?.type.startsWith("Export") === true)
      return undefined;
    if (isVariable) return declaration.id.type === "Identifier" ? (declaration.init ?? undefined) : undefined;
    return kind === "function" && declaration.type === "FunctionDeclaration" ? declaration : undefined;
  };

  for (const node of syntax.nodes()) {
    if (node.type === "ExpressionStatement") discard(node.expression);
    if (node.type === "UnaryExpression") discard(node);
    if (node.type === "CallExpression" && nameOf(node) === "forEach" && markMethod(node))
      discardReturns(node.arguments[0]);
  }
  // A marked function may reveal another one.
  for (let before = -1; before !== marked.size; ) {
    before = marked.size;
    for (const binding of syntax.bindings) discardReturns(findDiscardedFunction(binding));
  }
  return applyEdits(code, edits);
};
