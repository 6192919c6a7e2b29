// Checks the names of tools and servers and the arguments of every call.
import type { PinChange, RuleName, Tool } from "../../contracts/index.js";
import { type CheckedServer, didYouMean, type Finding, listNames, quote, quoteList, show } from "../check.js";
import { bindCall } from "./bind-values.js";
import { type KnownServers, nameTool, type RuleContext, showSignature, toFunctionName } from "./context.js";
import { findArgumentProblems } from "./find-argument-problems.js";
import type { UnknownUse } from "./find-tool-uses.js";
import type { Node } from "./tree.js";

/** Further ones would not be reported, and finding the nearest names takes time. */
const maxUnknown = 100;

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
  context.uses.calls.flatMap((call) => {
    const { server, tool, node } = call;
    const name = nameTool(server, tool);
    if (tool.withheld !== undefined) return [withheldCall(name, tool.withheld, node.start)];
    if (tool.denied !== undefined) return [deniedCall(name, tool.denied, node.start)];
    return findArgumentProblems({
      nearestNames: context.request.nearestNames,
      name,
      toSignature: () => showSignature(context, server, tool),
      schema: tool.inputSchema,
      bound: bindCall(context.tree, tool.inputSchema, call),
      wanted: context.dialect.arguments,
    });
  });

const deniedCall = (name: string, { name: rule, because }: RuleName, offset: number): Finding => ({
  severity: "error",
  code: "CALL_DENIED",
  offset,
  message: `Cannot call ${quote(name)}: the policy denies it (rule ${quote(rule)})${because === undefined ? "" : `: ${because}`}`,
  hint: "Do it without this call, or ask the person who wrote the policy.",
});

const withheldCall = (name: string, change: PinChange, offset: number): Finding => ({
  severity: "error",
  code: "TOOL_CHANGED",
  offset,
  message: `Cannot call ${quote(name)}: its definition ${change === "new" ? "is new" : "has changed"}, and nobody has accepted it yet`,
  hint: 'A person must look at it first, with "mcp-coordinator pins".',
});

/** The hint that names the connected servers. */
export const listConnected = ({ identifiers }: KnownServers): string =>
  `Connected servers: ${listNames(identifiers) || "none"}`;

const unknownServer = (
  { request, known }: Pick<RuleContext, "request" | "known">,
  name: string,
  offset: number,
): Finding => {
  const near = request.nearestNames(name, known.identifiers);
  return {
    severity: "error",
    code: "SERVER_UNKNOWN",
    offset,
    message: `Cannot use the server ${quote(name)}: it is not connected${didYouMean(near)}`,
    hint: listConnected(known),
  };
};

/** An import that leads nowhere. */
export const refuseImport = (specifier: string, offset: number, reason: string, hint: string): Finding => ({
  severity: "error",
  code: "IMPORT_UNKNOWN",
  offset,
  message: `Cannot import ${quote(specifier)}: ${reason}`,
  hint,
});

/** An import from a server that is not connected. `prefix` is what an import has before the name of a server. */
export const unknownServerImport = (
  { request, known }: Pick<RuleContext, "request" | "known">,
  specifier: string,
  name: string,
  { offset, prefix }: { readonly offset: number; readonly prefix: string },
): Finding => {
  const near = request.nearestNames(name, known.identifiers);
  const hint =
    near.length > 0
      ? `Did you mean ${quoteList(near.map((one) => `${prefix}${one}`))}?`
      : listConnected(known);
  return refuseImport(specifier, offset, `no server ${quote(name)} is connected`, hint);
};

/** The server has no such tool: suggest the nearest ones, with the signature of the first. */
export const unknownTool = (
  { request }: Pick<RuleContext, "request">,
  server: CheckedServer,
  name: string,
  offset: number,
): Finding => {
  const { catalog } = server;
  const shown = catalog.tools.filter(
    ({ denied, withheld }) => denied === undefined && withheld === undefined,
  );
  const words = shown.flatMap((tool) => [tool.functionName, tool.name]);
  const near = request
    .nearestNames(name, words, 6)
    .flatMap((word) => catalog.find(word) ?? [])
    .filter((tool, index, tools) => tools.indexOf(tool) === index)
    .slice(0, 3);
  const [first] = near;
  const meant = near.map((tool) => toFunctionName(server, tool));
  const names = shown.map((tool) => toFunctionName(server, tool));
  return {
    severity: "error",
    code: "TOOL_UNKNOWN",
    offset,
    message: `Cannot use ${quote(`${catalog.identifier}.${name}`)}: the server has no such tool${didYouMean(meant)}`,
    hint:
      first === undefined
        ? `It has: ${listNames(names) || "no tools"}`
        : showSignature({ request }, server, first),
  };
};

/** A tool used where its answer is expected. */
const notCalled = (context: RuleContext, server: CheckedServer, tool: Tool, offset: number): Finding => {
  const { before, after } = context.dialect.call;
  const name = nameTool(server, tool);
  return {
    severity: "error",
    code: "NOT_CALLABLE",
    offset,
    message: `Cannot use ${quote(name)} as a value: it is a tool, call it`,
    hint: `Write ${before}${show(name)}${after}\n${showSignature(context, server, tool)}`,
  };
};

/** A word of the program that may name a server. */
export interface Mention {
  readonly name: string;
  readonly offset: number;
}

/** One warning per server, at its first mention. */
export const findUnlisted = (
  { request, known }: Pick<RuleContext, "request" | "known">,
  listMentions: () => readonly Mention[],
): readonly Finding[] => {
  const { unlisted = [] } = request;
  if (unlisted.length === 0) return [];
  const places = new Map<string, number>();
  for (const { name, offset } of listMentions()) {
    const server = known.find(name)?.name ?? known.find(known.split(name).server)?.name;
    if (server !== undefined && unlisted.includes(server))
      places.set(server, Math.min(offset, places.get(server) ?? offset));
  }
  return [...places].map(([server, offset]) => ({
    severity: "warning",
    code: "NOT_CHECKED",
    offset,
    message: `The server ${quote(server)} could not be listed: its calls were not checked`,
  }));
};
