// The functions with which a program searches the catalog: listServers, searchTools, describeTool and their Python names.
import type {
  Discovery,
  DiscoverySearch,
  GuestAnswer,
  GuestCall,
  Json,
  JsonObject,
  Limits,
  ServerDetails,
  Tool,
  ToolDetails,
} from "../contracts/index.js";
import { CoordinatorError, isJsonObject, toCoordinatorError } from "../contracts/index.js";
import { answered, checkAnswerSize } from "./answers.js";
import { parseArguments } from "./arguments.js";
import type { BridgeCall } from "./pipeline.js";
import type { ToolCallOptions } from "./tool-calls.js";

/** The arguments of these functions. */
interface Asked {
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  readonly query?: string | undefined;
  readonly limit?: number | undefined;
  readonly detail?: NonNullable<DiscoverySearch["detail"]> | undefined;
  readonly detailed?: boolean | undefined;
}

export interface DiscoveryFunction {
  /** Its parameters, declared like those of a tool, so that the same rules bind and validate them. */
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

/** `server!` is a required parameter. */
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

const maxHits = 50;
const defaultDocuments = 5;

const search: DiscoveryFunction["answer"] = (discovery, { query = "", limit, detail, server }) =>
  discovery.searchTools({
    query,
    limit: limit === undefined ? undefined : Math.min(Math.max(limit, 1), maxHits),
    detail,
    server,
  });

/** The function names of one server, or of all servers as `server.function`. */
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

/** The documentation of a tool in Python. It includes the schemas only for the detail "full". */
const toDocumentation = (tool: ToolDetails, detail: Asked["detail"]) => ({
  server: tool.server,
  serverAlias: tool.identifier,
  tool: tool.name,
  toolAlias: tool.functionName,
  description: tool.description,
  ...(detail === "full"
    ? {
        inputSchema: tool.inputSchema,
        outputSchema: tool.outputSchema,
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
  { query = "", limit = defaultDocuments, detail, server }: Asked,
): Promise<unknown> => {
  const { hits } = await discovery.searchTools({
    query,
    limit: Math.min(Math.max(limit, 1), maxHits),
    detail: "name",
    server,
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

/** Servers whose tools are known. Starts none. */
const listMetadata = async (discovery: Discovery): Promise<unknown> => {
  const known = (await discovery.listServers()).filter(({ toolCount }) => toolCount !== undefined);
  return Promise.all(known.map(async ({ name }) => toMetadata(await discovery.showServer(name))));
};

/** All servers by name. One that cannot be listed has an error instead. */
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

/** By the name that programs use. Those of TypeScript return what the library's verbs return, those of Python start with names. */
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

export interface DiscoveryOptions extends Pick<ToolCallOptions, "bindArguments" | "validateArguments"> {
  /** The catalog, as this run may see it. */
  readonly discovery: Discovery;
  readonly limits: Limits;
}

/** What every server's module has, unless one of its tools has that name. */
export const moduleFunctions: ReadonlySet<string> = new Set(["listTools", "list_tools"]);

export const answerDiscovery = async (
  options: Omit<DiscoveryOptions, "limits">,
  name: string,
  values: readonly Json[],
): Promise<GuestAnswer> => {
  const found = discoveryFunctions.get(name);
  if (found === undefined)
    throw new CoordinatorError(
      "TOOL_UNKNOWN",
      `Cannot call "${name.slice(0, 80)}": programs have no such function`,
    );
  const value = bindWithOptions(options, found.tool, values.map(toNames));
  return answered(JSON.stringify(await found.answer(options.discovery, value)));
};

/**
 * Binds the values of a call to one of the host's own functions. None of their parameters is an object, so an object at the end is always the
 * options. A misspelt option is then reported as one.
 */
export const bindWithOptions = (
  { bindArguments, validateArguments }: Pick<ToolCallOptions, "bindArguments" | "validateArguments">,
  tool: Tool,
  values: readonly Json[],
): JsonObject => {
  const last = values.at(-1);
  const value =
    values.length > 1 && isJsonObject(last)
      ? { ...bindArguments(tool, values.slice(0, -1)), ...last }
      : bindArguments(tool, values);
  validateArguments(tool, value);
  return value;
};

/** Accepts a server or tool that another of these functions returned instead of its name. */
const toNames = (value: Json): Json => {
  if (!isJsonObject(value)) return value;
  const { name, server, ...rest } = value;
  if (typeof name !== "string") return value;
  if (typeof server === "string") return { server, tool: name };
  return "identifier" in rest ? { server: name } : { ...rest, server: name };
};

export const listsModule = ({ server, tool }: GuestCall): boolean =>
  server !== "" && moduleFunctions.has(tool);

/** `before`: values that come before those of the program. */
export const resolveDiscovery =
  (options: DiscoveryOptions) =>
  (call: BridgeCall, before: readonly Json[] = []): void => {
    const { tool, argumentsJson } = call.guest;
    // It is not journaled, so no other call waits for it.
    call.place?.leave();
    call.invoke = async () => {
      const values = [...before, ...parseArguments(tool, argumentsJson, options.limits)];
      return checkAnswerSize(tool, await answerDiscovery(options, tool, values), options.limits);
    };
  };
