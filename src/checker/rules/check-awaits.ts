// Calls of tools are promises: using one as if it were the answer is a mistake, and one that nobody waits for may be lost.
import type { CallExpression, Node } from "oxc-parser";
import type { Finding } from "../check.js";
import { isFunction, isWrapping, readKey } from "../syntax/read-node.js";
import type { Binding } from "../syntax/scope.js";
import type { ToolCall } from "../tools/find-tool-uses.js";
import { type Context, nameTool } from "./context.js";
import { quote, show } from "./quote.js";

/** How the place that holds a promise treats it. */
type Treatment = "fine" | "lost" | "mistaken" | { readonly binding: Binding };

export const checkAwaits = (context: Context): readonly Finding[] =>
  context.uses.calls.flatMap((call) => {
    const treatment = judge(context, call.node);
    if (treatment === "fine") return [];
    if (treatment === "mistaken") return [toMistake(context, call, call.node)];
    if (treatment === "lost") return [toLost(call)];
    const { references } = treatment.binding;
    const mistaken = references.find(({ node }) => judge(context, node) === "mistaken");
    if (mistaken !== undefined) return [toMistake(context, call, mistaken.node)];
    return references.length === 0 ? [toLost(call)] : [];
  });

const ways = new Set(["then", "catch", "finally", "constructor", "toString"]);
const logical = new Set(["&&", "||", "??"]);
/** Functions that look at the value they are given, by their text. */
const lookers =
  /^(?:console\.\w+|JSON\.stringify|String|Number|Boolean|parseInt|parseFloat|Number\.parse\w+|Object\.(?:keys|values|entries|assign)|Array\.(?:isArray|from)|Math\.\w+)$/;

const judge = (context: Context, start: Node): Treatment => {
  const { syntax } = context;
  let node = start;
  let parent = syntax.parentOf(node);
  while (parent !== undefined && isWrapping(parent)) {
    // `as any` and the like: its author knows better.
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
      return parent.callee !== node && isLookedAt(context, parent) ? "mistaken" : "fine";
    case "Property":
      return judgeField(context, parent);
    case "ExpressionStatement":
      return node === start && start.type === "CallExpression" ? "lost" : "fine";
    default:
      return "fine";
  }
};

const judgeOperator = (operator: string, other: Node): Treatment => {
  if (operator === "in" || operator === "instanceof") return "fine";
  // Two promises may be compared; a promise and a literal never are the same.
  return /^[!=]==?$/.test(operator) && other.type !== "Literal" ? "fine" : "mistaken";
};

const judgeDeclarator = (
  { syntax }: Context,
  parent: Extract<Node, { type: "VariableDeclarator" }>,
): Treatment => {
  if (parent.id.type === "ObjectPattern" || parent.id.type === "ArrayPattern") return "mistaken";
  // A `let` may be given the answer later.
  const binding = syntax.bindings.find(({ declaration, kind }) => declaration === parent && kind === "const");
  return binding === undefined ? "fine" : { binding };
};

const isLookedAt = ({ syntax }: Context, call: CallExpression): boolean => {
  const { callee } = call;
  if (!lookers.test(syntax.text.slice(callee.start, callee.end))) return false;
  const root = callee.type === "MemberExpression" ? callee.object : callee;
  return root.type === "Identifier" && syntax.bindingOf(root) === undefined;
};

/** In an object that is returned by the program or given to a tool, a promise becomes an empty object. */
const judgeField = (context: Context, property: Node): Treatment => {
  const { syntax, uses } = context;
  const object = syntax.parentOf(property);
  const holder = object === undefined ? undefined : syntax.parentOf(object);
  if (object?.type !== "ObjectExpression" || holder === undefined) return "fine";
  if (holder.type === "CallExpression")
    return uses.calls.some(({ node }) => node === holder) || isLookedAt(context, holder)
      ? "mistaken"
      : "fine";
  if (holder.type !== "ReturnStatement") return "fine";
  for (let node = syntax.parentOf(holder); node !== undefined; node = syntax.parentOf(node))
    if (isFunction(node)) return "fine";
  return "mistaken";
};

const toMistake = ({ syntax }: Context, { server, tool }: ToolCall, at: Node): Finding => {
  const name = nameTool(server, tool);
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

const toLost = ({ server, tool, node }: ToolCall): Finding => ({
  severity: "warning",
  code: "AWAIT_MISSING",
  offset: node.start,
  message: `Nothing waits for ${quote(`${nameTool(server, tool)}(…)`)}: the program may end before the call does`,
  hint: `Write await ${nameTool(server, tool)}(…)`,
});
