// How a program is written here, on one page for a model: the ways to call a tool, and the functions to look around.
import type { Language, ServerFacts } from "../contracts/index.js";

interface ManualOptions {
  readonly language: Language;
  readonly servers: readonly ServerFacts[];
}

const mostServers = 60;

const pages: Readonly<Record<Language, (server: string) => string>> = {
  typescript: (
    server,
  ) => `A program is TypeScript with imports, top-level await and return; only what it prints or returns is seen.
Call a tool: import { toolName } from "servers/${server}", or ${server}.toolName({ … }); .raw({ … }) gives the whole MCP result.
Calls overlap with Promise.all. A tool's failure is a ToolError with a code.
Look around, each with await (also from "servers"):
- listServers(): the connected servers
- listTools(server?): name, functionName, description, isReadOnly
- searchTools(query, { limit, detail: "name" | "summary" | "full", server }): the best tools for some words
- describeTool("server.tool"): signature, declaration, inputSchema, outputSchema
- describeServer(server), getToolSchema(server, tool), capabilitySummary()`,
  python: (
    server,
  ) => `A program is Python 3 with top-level await and return; only what it prints or returns is seen.
Call a tool: from mcp_tools.${server} import tool_name, or ${server}.tool_name(field=value); .raw(…) gives the whole MCP result.
Calls work with and without await, and overlap with asyncio.gather. A tool's failure is a ToolError with a code.
Look around, with or without await (also from mcp_tools, and as runtime.…):
- list_servers(detailed=False), list_tools(server=None, detailed=False): names, or all facts
- search_tools(query, limit=5, detail="name" | "summary" | "full", server=None): the best tools for some words
- describe_tool("server.tool"): signature, declaration, inputSchema, outputSchema
- describe_server(name), get_tool_schema(server, tool), capability_summary()
- query_tool_docs(server, tool=None, detail="summary" | "full"), search_tool_docs(query, limit=5, detail="summary")
- list_servers_sync, list_tools_sync, query_tool_docs_sync, search_tool_docs_sync: asked once in a run, then remembered`,
};

export const renderManual = ({ language, servers }: ManualOptions): string => {
  const named = servers.slice(0, mostServers).map(({ identifier }) => identifier);
  const more = servers.length > named.length ? `, and ${servers.length - named.length} more` : "";
  return `${pages[language](named[0] ?? "<server>")}\nConnected servers: ${named.join(", ") || "none"}${more}`;
};
