// Checks the names of tools and servers and the arguments of every call.
import type { Finding } from "../check.js";
import { quote, show } from "../diagnostics.js";
import { bindCall } from "./bind-values.js";
import { nameTool, type RuleContext, showSignature } from "./context.js";
import { findArgumentProblems } from "./find-argument-problems.js";
import type { UnknownUse } from "./find-tool-uses.js";
import type { Node } from "./tree.js";
import { notCalled, unknownServer, unknownTool } from "./unknown-names.js";

/** Further ones would not be reported, and finding the nearest names takes time. */
const maxUnknown = 20;

export const checkToolNames = (context: RuleContext): readonly Finding[] => {
  const { uses, dialect } = context;
  const isReported = (use: UnknownUse): boolean => isImported(context, use.node);
  return [
    ...uses.unknownTools
      .filter((use) => !isReported(use))
      .slice(0, maxUnknown)
      .map(({ server, name, offset }) => unknownTool(context, server, name, offset)),
    ...uses.unknownServers
      .filter((use) => !isReported(use))
      .slice(0, maxUnknown)
      .map(({ name, offset }) => unknownServer(context, name, offset)),
    ...uses.members
      .filter(({ name }) => !name.startsWith("_"))
      .slice(0, maxUnknown)
      .map(({ server, tool, name, offset }): Finding => {
        const called = nameTool(server, tool);
        return {
          severity: "error",
          code: "NOT_CALLABLE",
          offset,
          message: `Cannot read ${quote(name)} of ${quote(called)}: it is a tool, call it`,
          hint: `Write ${called}${dialect.call.after}["${show(name, 40)}"]\n${showSignature(context, server, tool)}`,
        };
      }),
    ...uses.values
      .flatMap(({ server, tool, node }) =>
        node !== undefined && isUsedAsValue(context, node) ? [{ server, tool, node }] : [],
      )
      .slice(0, maxUnknown)
      .map(({ server, tool, node }) => notCalled(context, server, tool, node.start)),
  ];
};

/** A wrong imported name is reported at the import. */
const isImported = ({ tree }: RuleContext, node: Node): boolean => {
  const origins = tree.read(node).kind === "name" ? (tree.lookUp(node)?.origins() ?? []) : [];
  return origins !== "many" && origins.some((origin) => origin?.kind === "import");
};

/** Awaited, printed, interpolated or the program's result: places where a tool is useless unless it is called. */
const isUsedAsValue = ({ tree }: RuleContext, tool: Node): boolean => {
  const parent = tree.parentOf(tree.outermost(tool));
  const isAwaited = parent !== undefined && tree.read(parent).kind === "await";
  return isAwaited || tree.isShown(tool) || tree.isResult(tool);
};

export const checkArguments = (context: RuleContext): readonly Finding[] =>
  context.uses.calls.flatMap((call) =>
    findArgumentProblems({
      nearestNames: context.request.nearestNames,
      name: nameTool(call.server, call.tool),
      toSignature: () => showSignature(context, call.server, call.tool),
      schema: call.tool.inputSchema,
      bound: bindCall(context.tree, call.tool.inputSchema, call),
      wanted: context.dialect.arguments,
    }),
  );
