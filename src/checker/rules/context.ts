// The input of every rule: the program, its names, its tool uses and the servers.
import type { Tool } from "../../contracts/index.js";
import type { CheckedServer, CheckRequest } from "../check.js";
import type { SiteOptions } from "../python/find-site.js";
import type { PythonSyntax } from "../python/scope.js";
import type { PythonToolUses } from "../python/find-tool-uses.js";
import type { Syntax } from "../typescript/read-syntax.js";
import type { ToolUses } from "./find-tool-uses.js";
import type { KnownServers } from "./known-servers.js";

export interface Context {
  /** The adapters it imports, by path, each with its own tool uses. */
  readonly adapters: ReadonlyMap<string, AdapterContext>;
  readonly request: CheckRequest;
  readonly syntax: Syntax;
  readonly known: KnownServers;
  readonly uses: ToolUses;
}

/** One adapter, parsed like a program. */
export type AdapterContext = Omit<Context, "adapters">;

/** The same for a Python program. */
export interface PythonContext {
  readonly request: CheckRequest;
  readonly syntax: PythonSyntax;
  readonly known: KnownServers;
  readonly uses: PythonToolUses;
  readonly sites: SiteOptions;
}

/** A tool's name in programs. */
export const toFunctionName = ({ functionNames }: CheckedServer, tool: Tool): string =>
  functionNames?.get(tool) ?? tool.functionName;

/** A tool as programs call it: `github.createIssue`. */
export const nameTool = (server: CheckedServer, tool: Tool): string =>
  `${server.catalog.identifier}.${toFunctionName(server, tool)}`;

/** The exact signature on one line. */
export const showSignature = (
  { request }: Pick<Context, "request">,
  { catalog, functionNames }: CheckedServer,
  tool: Tool,
): string => {
  const functionName = functionNames?.get(tool);
  return request.renderSignature({
    tool,
    identifier: catalog.identifier,
    functionName,
  });
};
