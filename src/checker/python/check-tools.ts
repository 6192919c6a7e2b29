// Checks the names of tools and servers in a Python program and the arguments of every call.
import type { Finding } from "../check.js";
import { quote, show } from "../diagnostics.js";
import { nameTool, type PythonContext, showSignature } from "../rules/context.js";
import { findArgumentProblems } from "../rules/find-argument-problems.js";
import { notCalled, unknownServer, unknownTool } from "../rules/unknown-names.js";
import type { Expression } from "./syntax/node.js";
import { bindCall } from "./bind-call.js";

/** Further ones would not be reported, and finding the nearest names takes time. */
const maxUnknown = 20;

export const checkToolNames = (context: PythonContext): readonly Finding[] => {
  const { uses } = context;
  // A wrong imported name is reported at the import.
  const imported = new Set(
    context.syntax.bindings
      .filter(({ sites }) => sites.some(({ kind }) => kind === "import"))
      .flatMap(({ references }) => references.map(({ node }) => node.start)),
  );
  return [
    ...uses.unknownTools
      .filter(({ offset }) => !imported.has(offset))
      .slice(0, maxUnknown)
      .map(({ server, name, offset }) => unknownTool(context, server, name, offset)),
    ...uses.unknownServers
      .filter(({ offset }) => !imported.has(offset))
      .slice(0, maxUnknown)
      .map(({ name, offset }) => unknownServer(context, name, offset)),
    ...uses.members
      .filter(({ name }) => !name.startsWith("_"))
      .slice(0, maxUnknown)
      .map(({ server, tool, name, place }): Finding => {
        const called = nameTool(server, tool);
        return {
          severity: "error",
          code: "NOT_CALLABLE",
          offset: place.start,
          message: `Cannot read ${quote(name)} of ${quote(called)}: it is a tool, call it`,
          hint: `Write ${called}(…)["${show(name, 40)}"]\n${showSignature(context, server, tool)}`,
        };
      }),
    ...uses.values
      .filter(({ node }) => isShown(context, node))
      .slice(0, maxUnknown)
      .map(({ server, tool, node }) =>
        notCalled(context, server, tool, { offset: node.start, call: "", values: "(…)" }),
      ),
  ];
};

/** Awaited, printed, interpolated or the program's result: places where a tool is useless unless it is called. */
const isShown = ({ syntax }: PythonContext, node: Expression): boolean => {
  const parent = syntax.parentOf(node);
  switch (parent?.kind) {
    case "await":
    case "format":
      return true;
    case "call":
      return parent.callee.kind === "name" && parent.callee.name === "print";
    case "expression":
      return syntax.statements.at(-1) === parent;
    case "return":
      return syntax.statements.includes(parent);
    default:
      return false;
  }
};

export const checkArguments = (context: PythonContext): readonly Finding[] => {
  const { request, syntax, sites, uses } = context;
  return uses.calls.flatMap((call) =>
    findArgumentProblems({
      nearestNames: request.nearestNames,
      name: nameTool(call.server, call.tool),
      toSignature: () => showSignature(context, call.server, call.tool),
      schema: call.tool.inputSchema,
      bound: bindCall({ syntax, sites }, { ...call, schema: call.tool.inputSchema }),
      wanted: "keyword arguments",
    }),
  );
};
