// Names of tools and servers, and the arguments of every call, as far as the text tells them.
import type { Node } from "oxc-parser";
import type { Finding } from "../check.js";
import { bindValues } from "../tools/bind-values.js";
import type { ToolCall } from "../tools/find-tool-uses.js";
import { unknownTool } from "./check-imports.js";
import { type Context, nameTool, showSignature } from "./context.js";
import { findSchemaProblems, type SchemaProblem } from "./find-schema-problems.js";
import { quote, quoteList } from "./quote.js";

export const checkToolNames = (context: Context): readonly Finding[] => {
  const { uses, request, known } = context;
  const places = new Set(context.syntax.imports.map(({ start }) => start));
  return [
    ...uses.unknownTools
      .filter(({ node }) => !places.has(node.start) && !isImported(context, node))
      .map(({ server, name, node }) => unknownTool(context, server, name, endOfObject(node))),
    ...uses.unknownServers
      .filter(({ node }) => !isImported(context, node))
      .map(({ name, node }): Finding => {
        const identifiers = known.all.map(({ identifier }) => identifier);
        const near = request.nearestNames(name, identifiers);
        return {
          severity: "error",
          code: "SERVER_UNKNOWN",
          offset: node.start,
          message: `Cannot use the server ${quote(name)}: it is not connected${near.length > 0 ? `, did you mean ${quoteList(near)}?` : ""}`,
          hint: `Connected are: ${identifiers.slice(0, 20).join(", ") || "none"}`,
        };
      }),
  ];
};

/** What was imported under a wrong name is told where it is imported. */
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

const mostOfOneCall = 3;

const checkCall = (context: Context, call: ToolCall): readonly Finding[] => {
  const { server, tool } = call;
  const { value, excess } = bindValues(context.syntax, call);
  const hint = showSignature(context, server, tool);
  const name = quote(nameTool(server, tool));
  if (excess !== undefined) {
    const message = `Cannot call ${name}: more values were given than the ${excess.most} it takes, expected one object of arguments`;
    return [{ severity: "error", code: "ARGUMENT_UNKNOWN", offset: excess.node.start, message, hint }];
  }
  if (value === undefined) return [];
  const problems = findSchemaProblems(tool.inputSchema, value);
  const unknown = problems.filter(({ kind }) => kind === "unknown");
  // A misspelt name explains the missing one.
  const explained = new Set(
    unknown.flatMap(({ path, candidates }) => nearest(context, path, candidates).slice(0, 1)),
  );
  return problems
    .filter(({ kind, path }) => kind !== "missing" || !explained.has(lastName(path)))
    .slice(0, mostOfOneCall)
    .map((problem) => ({
      severity: "error",
      code: codes[problem.kind],
      offset: problem.kind === "missing" && problem.node === call.node ? call.node.start : problem.node.start,
      message: `Cannot call ${name}: ${describe(context, problem)}`,
      hint,
    }));
};

const codes = { unknown: "ARGUMENT_UNKNOWN", missing: "ARGUMENT_MISSING", value: "ARGUMENT_WRONG" } as const;

const lastName = (path: string): string => path.split(".").at(-1) ?? path;

const nearest = ({ request }: Context, path: string, candidates: readonly string[]): readonly string[] =>
  request.nearestNames(lastName(path), candidates, 3);

const describe = (context: Context, problem: SchemaProblem): string => {
  const name = quote(problem.path);
  if (problem.kind === "missing")
    return `argument ${name} is missing${problem.expected === "unknown" ? "" : `, expected ${problem.expected}`}`;
  const near = nearest(
    context,
    problem.kind === "value" ? (problem.found ?? "") : problem.path,
    problem.candidates,
  );
  const meant = near.length > 0 ? `, did you mean ${quoteList(near)}?` : "";
  if (problem.kind === "unknown") {
    const names = problem.candidates.slice(0, 8).map((one) => quote(one, 40));
    return `unknown argument ${name}${meant || (names.length > 0 ? `, it also takes ${names.join(", ")}` : "")}`;
  }
  const what = problem.path === "" ? "the arguments object" : `argument ${name}`;
  return `${what} is ${problem.found}, expected ${problem.expected}${meant}`;
};
