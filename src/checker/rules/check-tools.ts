// Checks the names of tools and servers and the arguments of every call.
import type { Node } from "oxc-parser";
import type { Finding } from "../check.js";
import { isFunction, isWrapping } from "../typescript/read-node.js";
import { bindValues } from "./bind-values.js";
import type { ToolCall } from "./find-tool-uses.js";
import { type Context, nameTool, showSignature } from "./context.js";
import { findArgumentProblems } from "./find-argument-problems.js";
import { notCalled, unknownServer, unknownTool } from "./unknown-names.js";

export const checkToolNames = (context: Context): readonly Finding[] => {
  const { uses } = context;
  const places = new Set(context.syntax.imports.map(({ start }) => start));
  return [
    ...uses.unknownTools
      .filter(({ node }) => !places.has(node.start) && !isImported(context, node))
      .map(({ server, name, node }) => unknownTool(context, server, name, endOfObject(node))),
    ...uses.unknownServers
      .filter(({ node }) => !isImported(context, node))
      .map(({ name, node }) => unknownServer(context, name, node.start)),
    ...uses.values.flatMap(({ server, tool, node }) =>
      node !== undefined && isShown(context, node)
        ? [notCalled(context, server, tool, { offset: node.start, call: "await ", values: "({ … })" })]
        : [],
    ),
  ];
};

/** Awaited, printed, interpolated or the program's result: places where a tool is useless unless it is called. */
const isShown = ({ syntax }: Context, tool: Node): boolean => {
  let node = tool;
  let parent = syntax.parentOf(node);
  while (parent !== undefined && isWrapping(parent)) {
    node = parent;
    parent = syntax.parentOf(node);
  }
  switch (parent?.type) {
    case "AwaitExpression":
    case "TemplateLiteral":
      return true;
    case "CallExpression":
      return /^console\.\w+$/.test(syntax.text.slice(parent.callee.start, parent.callee.end));
    case "ReturnStatement": {
      let owner = syntax.parentOf(parent);
      while (owner !== undefined && !isFunction(owner)) owner = syntax.parentOf(owner);
      return owner === undefined;
    }
    default:
      return false;
  }
};

/** A wrong imported name is reported at the import. */
const isImported = ({ syntax }: Context, used: Node): boolean =>
  used.type === "Identifier" &&
  syntax.references.some(
    ({ node, binding }) =>
      node.start === used.start && binding?.kind === "import" && isNamed(binding.declaration),
  );

const isNamed = ({ type }: { readonly type: string }): boolean =>
  type !== "ImportNamespaceSpecifier" && type !== "ImportDefaultSpecifier";

const endOfObject = (node: { readonly start: number; readonly type: string }): number => {
  if (node.type !== "MemberExpression") return node.start;
  return (node as unknown as { readonly property: { readonly start: number } }).property.start;
};

export const checkArguments = (context: Context): readonly Finding[] =>
  context.uses.calls.flatMap((call) => checkCall(context, call));

const checkCall = (context: Context, { server, tool, ...call }: ToolCall): readonly Finding[] =>
  findArgumentProblems({
    nearestNames: context.request.nearestNames,
    name: nameTool(server, tool),
    toSignature: () => showSignature(context, server, tool),
    schema: tool.inputSchema,
    bound: bindValues(context.syntax, { server, tool, ...call }),
    wanted: "one arguments object",
  });
