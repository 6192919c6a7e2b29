// The functions with which a program looks around: their names in each language, and what the room behind them is asked.
import type { Language } from "./executor.js";
import type { JsonSchema } from "./json.js";

/** What a guest calls for these functions: no configured server can have this name. */
export const discoveryServer = "\u0000discovery";

/** Global names of every program, in Python `runtime` and `mcp_servers` among them, which are no functions. A server of the same name, or a variable of the program's own, wins. */
export const discoveryNames: Readonly<Record<Language, readonly string[]>> = {
  typescript: [
    "listServers",
    "listTools",
    "describeServer",
    "describeTool",
    "getToolSchema",
    "searchTools",
    "capabilitySummary",
  ],
  python: [
    "runtime",
    "list_servers",
    "list_servers_sync",
    "list_tools",
    "list_tools_sync",
    "describe_server",
    "describe_tool",
    "get_tool_schema",
    "search_tools",
    "discovered_servers",
    "discover_servers",
    "query_tool_docs",
    "query_tool_docs_sync",
    "search_tool_docs",
    "search_tool_docs_sync",
    "list_loaded_server_metadata",
    "capability_summary",
    "mcp_servers",
  ],
};

/** A server as a program may know it: nothing of the host it runs on. */
export interface ServerFacts {
  readonly name: string;
  /** Its name as an identifier in programs. */
  readonly identifier: string;
  readonly description?: string | undefined;
  readonly transport: string;
  readonly status: string;
  readonly toolCount?: number | undefined;
  readonly resourceCount?: number | undefined;
  readonly promptCount?: number | undefined;
}

export interface ServerDetails extends ServerFacts {
  /** The folder that its configuration names, which relative paths are meant from. */
  readonly cwd?: string | undefined;
  readonly instructions?: string | undefined;
  readonly tools: readonly ToolFacts[];
}

export interface ToolFacts {
  readonly server: string;
  readonly name: string;
  /** The function's name in the program's language. */
  readonly functionName: string;
  readonly description: string;
  readonly isReadOnly: boolean;
}

export interface ToolDetails extends ToolFacts {
  readonly identifier: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
}

export interface DiscoverySearch {
  readonly query: string;
  readonly limit?: number | undefined;
  readonly server?: string | undefined;
  /** How much is told of each hit; `description` is another word for `summary`. @default "summary" */
  readonly detail?: "name" | "summary" | "description" | "full" | undefined;
}

/** What a run may ask of the catalog, within its rights. Each may throw a CoordinatorError. */
export interface Discovery {
  readonly listServers: () => Promise<readonly ServerFacts[]>;
  /** Of one server, or of every one that can be reached. */
  readonly listTools: (server?: string) => Promise<readonly ToolFacts[]>;
  /** The same with their schemas. */
  readonly readTools: (server: string) => Promise<readonly ToolDetails[]>;
  readonly showServer: (server: string) => Promise<ServerDetails>;
  /** Without a tool, the first is a qualified name: `server.tool`. */
  readonly showTool: (server: string, tool?: string) => Promise<ToolDetails>;
  /** With `full`, a hit has its declaration and schemas too; with `name`, the tool's names only. */
  readonly searchTools: (search: DiscoverySearch) => Promise<{
    readonly hits: readonly { readonly tool: Pick<ToolFacts, "server" | "name" | "functionName"> }[];
  }>;
  /** How a program is written here, for a model to read. */
  readonly readManual: () => Promise<string>;
}
