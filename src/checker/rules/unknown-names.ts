// Findings for servers and tools that do not exist or could not be listed, and for tools used without a call.
import type { Tool } from "../../contracts/index.js";
import type { CheckedServer, Finding } from "../check.js";
import { quote, quoteList, show } from "../diagnostics.js";
import { nameTool, type RuleContext, showSignature, toFunctionName } from "./context.js";

export const unknownServer = (
  { request, known }: Pick<RuleContext, "request" | "known">,
  name: string,
  offset: number,
): Finding => {
  const identifiers = known.all.map(({ identifier }) => identifier);
  const near = request.nearestNames(name, identifiers);
  return {
    severity: "error",
    code: "SERVER_UNKNOWN",
    offset,
    message: `Cannot use the server ${quote(name)}: it is not connected${near.length > 0 ? `, did you mean ${quoteList(near)}?` : ""}`,
    hint: `Connected servers: ${identifiers.slice(0, 20).join(", ") || "none"}`,
  };
};

/** The server has no such tool: suggest the nearest ones, with the signature of the first. */
export const unknownTool = (
  { request }: Pick<RuleContext, "request">,
  server: CheckedServer,
  name: string,
  offset: number,
): Finding => {
  const { catalog } = server;
  const words = catalog.tools.flatMap((tool) => [tool.functionName, tool.name]);
  const near = request
    .nearestNames(name, words, 6)
    .flatMap((word) => catalog.find(word) ?? [])
    .filter((tool, index, tools) => tools.indexOf(tool) === index)
    .slice(0, 3);
  const [first] = near;
  const meant = near.map((tool) => toFunctionName(server, tool));
  const some = catalog.tools.slice(0, 20).map((tool) => show(toFunctionName(server, tool), 40));
  return {
    severity: "error",
    code: "TOOL_UNKNOWN",
    offset,
    message: `Cannot use ${quote(`${catalog.identifier}.${name}`)}: the server has no such tool${
      meant.length > 0 ? `, did you mean ${quoteList(meant)}?` : ""
    }`,
    hint:
      first === undefined
        ? `It has: ${some.join(", ") || "no tools"}${catalog.tools.length > some.length ? ", …" : ""}`
        : showSignature({ request }, server, first),
  };
};

/** A tool used where its answer is expected. */
export const notCalled = (
  context: RuleContext,
  server: CheckedServer,
  tool: Tool,
  offset: number,
): Finding => {
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
