// The functions and modules that every program has, for discovery and for its workspace: their names in each language, and what they call.
import type { ErrorCode } from "./errors.js";
import type { Language } from "./executor.js";
import type { JsonSchema } from "./json.js";

/** The server name of these functions in guest calls. No configured server can have it. */
export const discoveryServer = "\u0000discovery";

/**
 * Global names of every program. Python's `runtime` and `mcp_servers` are not functions. A server of the same name, or the program's own
 * variable, takes precedence.
 */
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

/** A server as a program may see it: nothing about the host it runs on. */
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
  /** The configured working folder. Relative paths start there. */
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
  /** How much each hit contains; `description` is an alias of `summary`. @default "summary" */
  readonly detail?: "name" | "summary" | "description" | "full" | undefined;
}

/** The catalog as a run may see it. Each function may throw a CoordinatorError. */
export interface Discovery {
  readonly listServers: () => Promise<readonly ServerFacts[]>;
  /** Of one server, or of all reachable servers. */
  readonly listTools: (server?: string) => Promise<readonly ToolFacts[]>;
  /** The same with their schemas. */
  readonly readTools: (server: string) => Promise<readonly ToolDetails[]>;
  readonly showServer: (server: string) => Promise<ServerDetails>;
  /** Without a tool, the first is a qualified name: `server.tool`. */
  readonly showTool: (server: string, tool?: string) => Promise<ToolDetails>;
  /** With `full`, a hit also has its declaration and schemas; with `name`, only the tool's names. */
  readonly searchTools: (search: DiscoverySearch) => Promise<{
    readonly hits: readonly { readonly tool: Pick<ToolFacts, "server" | "name" | "functionName"> }[];
  }>;
  /** How to write a program, for a model to read. */
  readonly readManual: () => Promise<string>;
}

/** The server name of files, memory and states in guest calls. No configured server can have it. */
export const workspaceServer = "\u0000workspace";

/** The global object with every function of ours, under a name that no server can have. */
export const ownObject = { name: "coordinator", server: "\u0000coordinator" } as const;

/** Global names of every program. A server of the same name, or the program's own variable, takes precedence. */
export const workspaceNames: Readonly<Record<Language, readonly string[]>> = {
  typescript: ["workspace", "memory", "getState", "saveState", "fs"],
  python: [
    "workspace",
    "memory",
    "get_state",
    "save_state",
    "save_memory",
    "load_memory",
    "update_memory",
    "delete_memory",
    "list_memories",
    "memory_exists",
    "get_memory_info",
  ],
};

const promises = [
  "access",
  "appendFile",
  "constants",
  "copyFile",
  "lstat",
  "mkdir",
  "readFile",
  "readdir",
  "rename",
  "rm",
  "rmdir",
  "stat",
  "unlink",
  "writeFile",
];

/** Modules that TypeScript programs import for it → their exports besides the default. */
export const workspaceModules: ReadonlyMap<string, readonly string[]> = new Map([
  ["fs/promises", promises],
  ["node:fs/promises", promises],
  ["fs", ["promises", "constants"]],
  ["node:fs", ["promises", "constants"]],
  ["workspace", workspaceNames.typescript],
]);

/** File errors under the system's names, as programs know them → our error code. */
export const fileErrnos: Readonly<Record<string, ErrorCode>> = {
  ENOENT: "FILE_FAILED",
  EEXIST: "FILE_FAILED",
  EISDIR: "FILE_FAILED",
  ENOTDIR: "FILE_FAILED",
  ENOTEMPTY: "FILE_FAILED",
  EINVAL: "FILE_FAILED",
  EACCES: "PATH_DENIED",
  EDQUOT: "LIMIT_WORKSPACE",
};

/** Whether a guest call is neither a tool nor the network. */
export const isHostFunction = (server: unknown): boolean =>
  typeof server === "string" && server.startsWith("\u0000") && server !== "\u0000network";
