// Tool calls return promises. Reports promises used as if they were the answer, and promises that are never awaited.
import type { CallExpression, MemberExpression, Node } from "oxc-parser";
import { type Finding, quote, show } from "../check.js";
import { nameTool } from "../rules/context.js";
import { findFunction } from "../rules/read-literal.js";
import type { AdapterContext, Context } from "./dialect.js";
import { isFunction, isWrapping, readKey } from "./read-node.js";
import type { Binding, Syntax } from "./read-syntax.js";

/** How the surrounding code treats a promise. */
type Treatment = "fine" | "lost" | "mistaken" | { readonly binding: Binding };

export const checkAwaits = (context: Context): readonly Finding[] => [
  ...checkCallbacks(context),
  ...checkCalls(context),
];

const checkCalls = (context: Context): readonly Finding[] => [
  ...context.uses.calls.flatMap(({ server, tool, node }) =>
    checkCall(context, node as CallExpression, nameTool(server, tool)),
  ),
  ...listOwnCalls(context).flatMap(({ node, name }) =>
    // Not awaiting it may be intentional.
    checkCall(context, node, name).filter(({ severity }) => severity === "error"),
  ),
];

const checkCall = (context: Context, call: CallExpression, name: string): readonly Finding[] => {
  const treatment = judge(context, call);
  if (treatment === "fine") return [];
  if (treatment === "mistaken") return [toMistake(context, name, call)];
  if (treatment === "lost") return [toUnawaited(name, call)];
  const { references } = treatment.binding;
  const mistaken = references.find(({ node }) => judge(context, node) === "mistaken");
  if (mistaken !== undefined) return [toMistake(context, name, mistaken.node)];
  return references.length === 0 ? [toUnawaited(name, call)] : [];
};

/** Calls of the program's own async functions. */
const listOwnCalls = (context: Context): readonly { node: CallExpression; name: string }[] => {
  const { syntax } = context;
  return syntax.calls.flatMap((node) =>
    node.type === "CallExpression" &&
    (node.callee.type === "Identifier" || node.callee.type === "MemberExpression") &&
    isAsync(context, node.callee) &&
    // Promises in a program's result are awaited.
    syntax.parentOf(node)?.type !== "Property"
      ? [{ node, name: syntax.text.slice(node.callee.start, node.callee.end) }]
      : [],
  );
};

const ways = new Set(["then", "catch", "finally", "constructor", "toString"]);
const logical = new Set(["&&", "||", "??"]);
/** Functions that inspect their argument, as source text. */
const inspectors =
  /^(?:console\.\w+|JSON\.stringify|String|Number|Boolean|parseInt|parseFloat|Number\.parse\w+|Object\.(?:keys|values|entries|assign)|Array\.(?:isArray|from)|Math\.\w+)$/;

/** Functions that print their whole argument. */
const printers = /^(?:console\.\w+|JSON\.stringify|String)$/;
/** Array methods that use a callback's result as a condition or an order. */
const testers = /^(?:filter|some|every|find|findIndex|findLast|findLastIndex|sort|toSorted)$/;

const judge = (context: Context, start: Node): Treatment => {
  const { syntax } = context;
  let node = start;
  let parent = syntax.parentOf(node);
  while (parent !== undefined && isWrapping(parent)) {
    // A cast such as `as any` overrides the check.
    if (parent.type === "TSAsExpression" || parent.type === "TSTypeAssertion") return "fine";
    node = parent;
    parent = syntax.parentOf(node);
  }
  switch (parent?.type) {
    case "MemberExpression": {
      const user = syntax.parentOf(parent);
      const isWritten = user?.type === "AssignmentExpression" && user.left === parent;
      const isRead = parent.object === node && !isWritten;
      return isRead && !ways.has(readKey(parent) ?? "then") ? "mistaken" : "fine";
    }
    case "SpreadElement":
      return "mistaken";
    case "TemplateLiteral":
      return syntax.parentOf(parent)?.type === "TaggedTemplateExpression" ? "fine" : "mistaken";
    case "IfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "ConditionalExpression":
      return parent.test === node ? "mistaken" : "fine";
    case "UnaryExpression":
      return parent.operator === "void" || parent.operator === "typeof" ? "fine" : "mistaken";
    case "LogicalExpression":
      return logical.has(parent.operator) && parent.left === node ? "mistaken" : "fine";
    case "BinaryExpression":
      return judgeOperator(parent.operator, parent.left === node ? parent.right : parent.left);
    case "ForOfStatement":
      return parent.right === node ? "mistaken" : "fine";
    case "VariableDeclarator":
      return judgeDeclarator(context, parent);
    case "CallExpression":
      return parent.callee !== node && isInspected(context, parent) ? "mistaken" : "fine";
    case "Property":
      return judgeField(context, parent);
    case "ArrayExpression":
      return judgeList(context, parent);
    case "ArrowFunctionExpression":
      return parent.body === node ? judgeCallback(context, parent) : "fine";
    case "ReturnStatement": {
      const owner = syntax.functionAround(parent);
      return owner === undefined ? "fine" : judgeCallback(context, owner);
    }
    case "ExpressionStatement":
      return node === start && start.type === "CallExpression" ? "lost" : "fine";
    default:
      return "fine";
  }
};

/** The method that receives a callback, with its call: `rows.filter(…)`. */
const findTaker = (
  { syntax, uses }: Context,
  given: Node,
): { readonly method: string; readonly call: CallExpression } | undefined => {
  const call = syntax.parentOf(given);
  if (call?.type !== "CallExpression" || call.callee.type !== "MemberExpression") return undefined;
  if (call.callee === given || uses.callOf(call) !== undefined) return undefined;
  return { method: readKey(call.callee) ?? "", call };
};

/** What the callback of an array method returns: its own result, or an item of another list. */
const judgeCallback = (context: Context, callback: Node): Treatment => {
  const taker = findTaker(context, callback);
  if (taker === undefined) return "fine";
  if (testers.test(taker.method)) return "mistaken";
  return taker.method === "map" ? judgeList(context, taker.call) : "fine";
};

/** A list of promises is fine for `Promise.all` and as a result, but a mistake if it is printed. */
const judgeList = (context: Context, list: Node): Treatment => {
  const { syntax } = context;
  let node = list;
  let parent = syntax.parentOf(node);
  while (parent !== undefined && isWrapping(parent)) {
    node = parent;
    parent = syntax.parentOf(node);
  }
  if (parent?.type === "TemplateLiteral") return "mistaken";
  if (parent?.type === "MemberExpression")
    return parent.object === node && readKey(parent) === "join" ? "mistaken" : "fine";
  return parent?.type === "CallExpression" && parent.callee !== node && isShown(context, parent)
    ? "mistaken"
    : "fine";
};

/** Async callbacks that filter or iterate a list: nothing awaits their results. */
const checkCallbacks = (context: Context): readonly Finding[] =>
  context.syntax.calls.flatMap((call): readonly Finding[] => {
    if (call.type !== "CallExpression" || call.callee.type !== "MemberExpression") return [];
    const [callback] = call.arguments;
    const method = readKey(call.callee) ?? "";
    const isTool = context.uses.callOf(call) !== undefined;
    if (callback === undefined || isTool || !isAsync(context, callback)) return [];
    if (testers.test(method)) return [toAsyncTest(callback)];
    return method === "forEach" ? [toUnawaitedCallback(callback)] : [];
  });

const judgeOperator = (operator: string, other: Node): Treatment => {
  if (operator === "in" || operator === "instanceof") return "fine";
  // Two promises may be compared, but a promise never equals a literal.
  return /^[!=]==?$/.test(operator) && other.type !== "Literal" ? "fine" : "mistaken";
};

const judgeDeclarator = (
  { syntax }: Context,
  parent: Extract<Node, { type: "VariableDeclarator" }>,
): Treatment => {
  if (parent.id.type === "ObjectPattern" || parent.id.type === "ArrayPattern") return "mistaken";
  // A `let` may be assigned the answer later.
  const binding = syntax.bindings.find(({ declaration, kind }) => declaration === parent && kind === "const");
  return binding === undefined ? "fine" : { binding };
};

const isInspected = (context: Context, call: CallExpression): boolean => isCallOf(context, call, inspectors);

const isShown = (context: Context, call: CallExpression): boolean => isCallOf(context, call, printers);

/** Whether a call is one of a global function with that name. */
const isCallOf = ({ syntax }: Context, { callee }: CallExpression, names: RegExp): boolean => {
  if (!names.test(syntax.text.slice(callee.start, callee.end))) return false;
  const root = callee.type === "MemberExpression" ? callee.object : callee;
  return root.type === "Identifier" && syntax.bindingOf(root) === undefined;
};

/** In an object that the program returns or passes to a tool, a promise becomes an empty object. */
const judgeField = (context: Context, property: Node): Treatment => {
  const { syntax, uses } = context;
  const object = syntax.parentOf(property);
  const holder = object === undefined ? undefined : syntax.parentOf(object);
  if (object?.type !== "ObjectExpression" || holder === undefined) return "fine";
  if (holder.type === "CallExpression")
    return uses.callOf(holder) !== undefined || isInspected(context, holder) ? "mistaken" : "fine";
  const isResult = holder.type === "ReturnStatement" && syntax.functionAround(holder) === undefined;
  return isResult ? "mistaken" : "fine";
};

const toMistake = ({ syntax }: Context, name: string, at: Node): Finding => {
  const isCall = at.type === "CallExpression";
  const used = isCall ? name : syntax.text.slice(at.start, at.end);
  const written = isCall ? `(await ${name}(…))` : `(await ${show(used)})`;
  return {
    severity: "error",
    code: "AWAIT_MISSING",
    offset: at.start,
    message: `Cannot use ${quote(used)} as a value: it is a promise, the "await" before ${quote(`${name}(…)`)} is missing`,
    hint: `Write ${written}`,
  };
};

const toAsyncTest = (at: Node): Finding => ({
  severity: "error",
  code: "AWAIT_MISSING",
  offset: at.start,
  message: "Cannot test items with an async function: it returns a promise, which always counts as true",
  hint: "First get the answers with await Promise.all(items.map(async (item) => …)), then test those",
});

const toUnawaitedCallback = (at: Node): Finding => ({
  severity: "warning",
  code: "AWAIT_MISSING",
  offset: at.start,
  message: "forEach does not await an async function: the program may end before it does",
  hint: "Write for (const item of items) { await … }, or await Promise.all(items.map(async (item) => …))",
});

const toUnawaited = (name: string, { start }: Node): Finding => ({
  severity: "warning",
  code: "AWAIT_MISSING",
  offset: start,
  message: `The promise of ${quote(`${name}(…)`)} is not awaited: the program may end before the call does`,
  hint: `Write await ${name}(…)`,
});

/** A function, its name, or a method of an object literal or of an instance of the program's own class. */
const isAsync = ({ syntax, tree }: AdapterContext, given: Node): boolean => {
  if (isFunction(given)) return tree.functionOf(given)?.isAsync === true;
  const method = given.type === "MemberExpression" ? findMethod(syntax, given) : undefined;
  const found = method === undefined ? findFunction(tree, given) : tree.functionOf(method);
  return found?.isAsync === true && found.isPlain;
};

const findMethod = (syntax: Syntax, given: MemberExpression): Node | undefined => {
  const { object } = given;
  const name = readKey(given);
  const binding = object.type === "Identifier" ? syntax.bindingOf(object) : undefined;
  if (name === undefined || binding?.kind !== "const" || binding.declaration.type !== "VariableDeclarator")
    return undefined;
  const { init } = binding.declaration;
  const owner =
    init?.type === "NewExpression" && init.callee.type === "Identifier"
      ? syntax.bindingOf(init.callee)?.declaration
      : init;
  const found =
    owner?.type === "ObjectExpression"
      ? owner.properties.filter((one) => one.type === "SpreadElement" || readKey(one) === name)
      : owner?.type === "ClassDeclaration"
        ? owner.body.body.filter((one) => "key" in one && "computed" in one && readKey(one) === name)
        : [];
  const [member] = found;
  const isPlain =
    (member?.type === "Property" && member.kind === "init") ||
    (member?.type === "MethodDefinition" && member.kind === "method" && !member.static);
  if (!isPlain || found.length > 1 || listReplaced(syntax).has(name)) return undefined;
  // Other code that receives the object may change it.
  const isUnchanged = binding.references.every(({ node }) => {
    const parent = syntax.parentOf(node);
    const isMember = parent?.type === "MemberExpression" && parent.object === node;
    return isMember && syntax.parentOf(parent)?.type !== "AssignmentExpression";
  });
  return isUnchanged ? (member.value ?? undefined) : undefined;
};

const replaced = new WeakMap<Syntax, ReadonlySet<string>>();

/** Names of members that the program assigns to, on any object. */
const listReplaced = (syntax: Syntax): ReadonlySet<string> => {
  const known = replaced.get(syntax);
  if (known !== undefined) return known;
  const found = new Set<string>();
  for (const node of syntax.nodes())
    if (node.type === "AssignmentExpression" && node.left.type === "MemberExpression")
      found.add(readKey(node.left) ?? "");
  replaced.set(syntax, found);
  return found;
};
