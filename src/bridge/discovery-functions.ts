// The functions with which a program looks around: what each takes, and how its answer is made of the catalog's.
import type {
  Discovery,
  DiscoverySearch,
  JsonObject,
  ServerDetails,
  Tool,
  ToolDetails,
} from "../contracts/index.js";
import { toCoordinatorError } from "../contracts/index.js";

interface Asked {
  readonly server?: string;
  readonly tool?: string;
  readonly query?: string;
  readonly limit?: number;
  readonly detail?: NonNullable<DiscoverySearch["detail"]>;
  readonly detailed?: boolean;
}

export interface DiscoveryFunction {
  /** Its parameters in the form in which those of tools are written: bound and validated by the same rules. */
  readonly tool: Tool;
  readonly answer: (discovery: Discovery, asked: Asked) => Promise<unknown>;
}

const fields: Readonly<Record<keyof Asked, JsonObject>> = {
  server: { type: "string", minLength: 1, maxLength: 500 },
  tool: { type: "string", minLength: 1, maxLength: 500 },
  query: { type: "string", maxLength: 8000 },
  limit: { type: "integer" },
  detail: { enum: ["name", "summary", "description", "full"] },
  detailed: { type: "boolean" },
};

/** `server!` is a parameter that must be given. */
const define = (
  name: string,
  parameters: string,
  answer: DiscoveryFunction["answer"],
): [string, DiscoveryFunction] => {
  const words = parameters.split(" ").filter((word) => word !== "");
  const names = words.map((word) => word.replace("!", "") as keyof Asked);
  const tool: Tool = {
    server: "",
    name,
    functionName: name,
    description: "",
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(names.map((field) => [field, fields[field]])),
      required: names.filter((_field, at) => words[at]?.endsWith("!")),
      additionalProperties: false,
    },
    isReadOnly: true,
    isDestructive: false,
    fingerprint: name,
  };
  return [name, { tool, answer }];
};

const mostHits = 50;
const usualDocuments = 5;

const search: DiscoveryFunction["answer"] = (discovery, { query = "", limit, detail, server }) =>
  discovery.searchTools({
    query,
    ...(limit === undefined ? {} : { limit: Math.min(Math.max(limit, 1), mostHits) }),
    ...(detail === undefined ? {} : { detail }),
    ...(server === undefined ? {} : { server }),
  });

/** The names of one server's functions; of all servers together with their server's. */
const listNames = async (discovery: Discovery, { server, detailed }: Asked): Promise<unknown> => {
  const tools = await discovery.listTools(server);
  if (detailed === true) return tools;
  return tools.map(({ server: owner, functionName }) =>
    server === undefined ? `${owner}.${functionName}` : functionName,
  );
};

const listServers = async (discovery: Discovery, { detailed }: Asked): Promise<unknown> => {
  const servers = await discovery.listServers();
  return detailed === true ? servers : servers.map(({ name }) => name);
};

/** What documentation of a tool is in Python: its names and texts, and its schemas where all is asked for. */
const toDocumentation = (tool: ToolDetails, detail: Asked["detail"]) => ({
  server: tool.server,
  serverAlias: tool.identifier,
  tool: tool.name,
  toolAlias: tool.functionName,
  description: tool.description,
  ...(detail === "full"
    ? {
        inputSchema: tool.inputSchema,
        ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
      }
    : {}),
});

const queryDocumentation = async (
  discovery: Discovery,
  { server = "", tool, detail }: Asked,
): Promise<unknown> => {
  if (tool !== undefined) return toDocumentation(await discovery.showTool(server, tool), detail);
  return (await discovery.readTools(server)).map((one) => toDocumentation(one, detail));
};

const searchDocumentation = async (
  discovery: Discovery,
  { query = "", limit = usualDocuments, detail, server }: Asked,
): Promise<unknown> => {
  const { hits } = await discovery.searchTools({
    query,
    limit: Math.min(Math.max(limit, 1), mostHits),
    detail: "name",
    ...(server === undefined ? {} : { server }),
  });
  const shown = await Promise.all(hits.map(({ tool }) => discovery.showTool(tool.server, tool.name)));
  return shown.map((one) => toDocumentation(one, detail));
};

const toMetadata = ({ tools, ...server }: ServerDetails) => ({
  ...server,
  alias: server.identifier,
  cwd: server.cwd ?? null,
  tools: tools.map(({ name, functionName, description }) => ({ name, alias: functionName, description })),
});

/** Servers whose tools are known: none is started for this. */
const listMetadata = async (discovery: Discovery): Promise<unknown> => {
  const known = (await discovery.listServers()).filter(({ toolCount }) => toolCount !== undefined);
  return Promise.all(known.map(async ({ name }) => toMetadata(await discovery.showServer(name))));
};

/** All that can be reached, by name; a server that cannot be listed says why. */
const discoverServers = async (discovery: Discovery): Promise<unknown> => {
  const servers = await discovery.listServers();
  const described = await Promise.all(
    servers.map(async ({ name }) => {
      try {
        return [name, toMetadata(await discovery.showServer(name))] as const;
      } catch (thrown) {
        const { code, message } = toCoordinatorError(thrown);
        return [name, { error: `${code}: ${message}` }] as const;
      }
    }),
  );
  return Object.fromEntries(described);
};

const showTool: DiscoveryFunction["answer"] = (discovery, { server = "", tool }) =>
  discovery.showTool(server, tool);
const readSchema: DiscoveryFunction["answer"] = async (discovery, { server = "", tool }) =>
  (await discovery.showTool(server, tool)).inputSchema;
const readManual: DiscoveryFunction["answer"] = (discovery) => discovery.readManual();

/** By the name that a program calls. TypeScript's answer with what the library's verbs do, Python's with names first. */
export const discoveryFunctions: ReadonlyMap<string, DiscoveryFunction> = new Map([
  define("listServers", "", (discovery) => discovery.listServers()),
  define("listTools", "server", (discovery, { server }) => discovery.listTools(server)),
  define("describeServer", "server!", (discovery, { server = "" }) => discovery.showServer(server)),
  define("describeTool", "server! tool", showTool),
  define("getToolSchema", "server! tool", readSchema),
  define("searchTools", "query! limit detail server", search),
  define("capabilitySummary", "", readManual),
  define("list_servers", "detailed", listServers),
  define("discovered_servers", "detailed", listServers),
  define("list_tools", "server detailed", listNames),
  define("describe_server", "server!", async (discovery, { server = "" }) =>
    toMetadata(await discovery.showServer(server)),
  ),
  define("describe_tool", "server! tool", showTool),
  define("get_tool_schema", "server! tool", readSchema),
  define("search_tools", "query! limit detail server", search),
  define("query_tool_docs", "server! tool detail", queryDocumentation),
  define("search_tool_docs", "query! limit detail server", searchDocumentation),
  define("list_loaded_server_metadata", "", listMetadata),
  define("capability_summary", "", readManual),
  define("discover_servers", "", discoverServers),
]);
