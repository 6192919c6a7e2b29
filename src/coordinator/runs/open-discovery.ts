// The catalog that one run may query: only the servers it may use, and nothing about the host.
import { renderPythonDeclaration, renderPythonImport, renderPythonSignature } from "../../codegen/index.js";
import {
  CoordinatorError,
  type Discovery,
  type Language,
  type ServerFacts,
  type Tool,
  type ToolFacts,
  toCoordinatorError,
} from "../../contracts/index.js";
import { findPythonName } from "../checks/reach-servers.js";
import { findServer, findTool, type Host, readCatalog } from "../host/host.js";
import { readManual } from "../presenting/read-manual.js";
import { listServers, type ServerSummary } from "../servers/list-servers.js";
import { listTools, showTool, type ToolDescription, toToolSummary } from "../servers/list-tools.js";
import { searchTools } from "../servers/search-tools.js";
import { narrowHost, serverNotAllowed } from "./run-rights.js";

/** Maximum characters of a signature. It is shown alone, so it may be longer than in a list of hits. */
const maxSignature = 400;

/** Programs do not wait for servers that have not answered yet. */
const maxWaitMs = 1000;

type ToolNames = Pick<ToolFacts, "server" | "name" | "functionName">;

export interface OpenDiscoveryOptions {
  readonly language: Language;
  /** The servers that the run may use. Undefined means all. */
  readonly servers: readonly string[] | undefined;
}

export const openDiscovery = (all: Host, { language, servers }: OpenDiscoveryOptions): Discovery => {
  const host = narrowHost(all, servers);

  /** A restricted run must not learn that another server exists. */
  const toRefusal = (thrown: unknown, server: string): CoordinatorError => {
    const error = toCoordinatorError(thrown);
    return servers === undefined || error.code !== "SERVER_UNKNOWN"
      ? error
      : serverNotAllowed(server, servers);
  };
  const nameOf = (server: string): string => {
    try {
      return findServer(host, server).name;
    } catch (thrown) {
      throw toRefusal(thrown, server);
    }
  };
  const findOne = async (server: string, tool: string | undefined): Promise<Tool> => {
    if (tool !== undefined) return findTool(host, nameOf(server), tool);
    if (!/__|[./]/.test(server))
      throw new CoordinatorError(
        "ARGUMENTS_INVALID",
        `Cannot find the tool "${server}": expected its server too, as in "server.tool"`,
      );
    try {
      return await findTool(host, "", server);
    } catch (thrown) {
      throw toRefusal(thrown, server);
    }
  };
  const toFacts = async <Facts extends ToolNames>(facts: Facts): Promise<Facts> => {
    if (language === "typescript") return facts;
    const { server, name } = facts;
    return { ...facts, functionName: findPythonName(await readCatalog(host, server), name) ?? name };
  };
  const listFacts = async (server?: string): Promise<readonly ToolFacts[]> => {
    const tools = await listTools(
      host,
      server === undefined ? { waitMs: maxWaitMs } : { server: nameOf(server) },
    );
    return Promise.all(tools.map(toFacts));
  };
  const listUsable = async (): Promise<readonly ServerSummary[]> =>
    (await listServers(host)).filter(({ status }) => status !== "disabled");
  const showOne = async (server: string, name?: string): Promise<ToolDescription> => {
    const found = await findOne(server, name);
    const shown = await showTool(host, { server: found.server, tool: found.name });
    if (language === "typescript") return shown;
    // Translates what was rendered for TypeScript to Python.
    const [tool, catalog] = await Promise.all([host.shapes.show(found), readCatalog(host, found.server)]);
    const functionName = findPythonName(catalog, tool.name) ?? tool.name;
    const { identifier } = catalog;
    return {
      ...shown,
      functionName,
      importLine: renderPythonImport({ identifier, functionName }),
      signature: renderPythonSignature({
        tool,
        name: `${identifier}.${functionName}`,
        maxLength: maxSignature,
      }),
      declaration: renderPythonDeclaration({ tool, functionName }),
    };
  };

  return {
    listServers: async () => (await listUsable()).map(toServerFacts),
    listTools: listFacts,
    readTools: async (server) => {
      const { identifier, tools } = await readCatalog(host, nameOf(server));
      return Promise.all(
        tools.map(async (tool) => ({
          ...(await toFacts(toToolSummary(tool))),
          identifier,
          inputSchema: tool.inputSchema,
          outputSchema: tool.outputSchema,
        })),
      );
    },
    showServer: async (server) => {
      const name = nameOf(server);
      const [tools, { identifier, instructions }] = await Promise.all([
        listFacts(name),
        readCatalog(host, name),
      ]);
      const summary = (await listUsable()).find((one) => one.name === name);
      return {
        ...(summary === undefined
          ? { name, identifier, transport: "", status: "disabled" }
          : toServerFacts(summary)),
        cwd: summary?.cwd,
        instructions,
        tools,
      };
    },
    showTool: showOne,
    searchTools: async (search) => {
      const server = search.server === undefined ? undefined : nameOf(search.server);
      const found = await searchTools(host, { ...search, server, language });
      const hits = await Promise.all(
        found.hits.map(async (hit) => {
          const tool = await toFacts(hit.tool);
          if (search.detail !== "full") return { ...hit, tool };
          const { inputSchema, outputSchema } = await findTool(host, tool.server, tool.name);
          return { ...hit, tool, inputSchema, outputSchema };
        }),
      );
      return { ...found, hits };
    },
    readManual: () => readManual(host, language),
  };
};

/** How a server is started, from which file and how it failed is not for guests. */
const toServerFacts = ({
  name,
  identifier,
  description,
  transport,
  status,
  toolCount,
  resourceCount,
  promptCount,
}: ServerSummary): ServerFacts => ({
  name,
  identifier,
  description,
  transport,
  status,
  toolCount,
  resourceCount,
  promptCount,
});
