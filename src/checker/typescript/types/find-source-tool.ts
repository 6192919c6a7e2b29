// Finds the tool call that a value comes from.
import type { Node } from "oxc-parser";
import type { ToolCall } from "../../rules/find-tool-uses.js";
import type { Context } from "../dialect.js";
import { isFunction, unwrap } from "../read-node.js";

const maxDepth = 20;

/** The call behind an expression, followed through variables, fields, loops and callbacks; undefined if it is not obvious. */
export const findSourceTool = (context: Context, start: Node, depth = 0): ToolCall | undefined => {
  if (depth > maxDepth) return undefined;
  const { syntax, uses } = context;
  const follow = (node: Node | null | undefined): ToolCall | undefined =>
    node == null ? undefined : findSourceTool(context, node, depth + 1);
  const node = unwrap(start);
  switch (node.type) {
    case "AwaitExpression":
      return follow(node.argument);
    case "MemberExpression":
      return follow(node.object);
    case "LogicalExpression":
      return follow(node.left);
    case "CallExpression":
      return uses.calls.find((call) => call.node === node) ?? follow(node.callee);
    case "Identifier": {
      const binding = syntax.bindingOf(node);
      if (binding === undefined) return undefined;
      const { declaration } = binding;
      if (declaration.type === "VariableDeclarator") {
        const holder = syntax.parentOf(declaration);
        const loop = holder === undefined ? undefined : syntax.parentOf(holder);
        return follow(declaration.init ?? (loop?.type === "ForOfStatement" ? loop.right : undefined));
      }
      // A callback's parameter is an item of the list that the method was called on.
      const call = isFunction(declaration) ? syntax.parentOf(declaration) : undefined;
      return call?.type === "CallExpression" && call.callee !== declaration ? follow(call.callee) : undefined;
    }
    default:
      return undefined;
  }
};
