// One MCP server in front of a coordinator: parse a request, call one verb, render the answer.
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { type Language, toCoordinatorError } from "../../contracts/index.js";
import { type Coordinator, version } from "../../coordinator/index.js";
import { describeTools, renderInstructions } from "./describe-surface.js";
import { handleLibrary, libraryCapabilities } from "./library-handlers.js";
import { renderRun } from "./render-run.js";
import { renderSearch } from "./render-search.js";

export interface SurfaceOptions {
  readonly coordinator: Coordinator;
  /** Called after the first answer: the time to start what was not needed for it. */
  readonly onFirstAnswer: () => void;
}

/** A protocol server for one connection. */
export const createServer = ({ coordinator, onFirstAnswer }: SurfaceOptions): Server => {
  const server = new Server(
    { name: "mcp-coordinator", version },
    {
      capabilities: { tools: {}, ...libraryCapabilities },
      instructions: renderInstructions(coordinator.serverNames),
    },
  );
  handleLibrary(server, coordinator);
  server.setRequestHandler("tools/list", () => {
    setImmediate(onFirstAnswer);
    return { tools: describeTools() as never };
  });
  server.setRequestHandler("tools/call", async (request, context): Promise<CallToolResult> => {
    const { name, arguments: given = {} } = request.params;
    try {
      if (name === "run_code") {
        const timeoutMs = readInteger(given, "timeoutMs");
        const session = given.session === undefined ? undefined : readString(given, "session");
        const language = readLanguage(given);
        const result = await coordinator.runCode({
          code: readString(given, "code"),
          ...(language === undefined ? {} : { language }),
          ...(session === undefined ? {} : { session }),
          ...(timeoutMs === undefined ? {} : { limits: { timeoutMs } }),
          signal: context.mcpReq.signal,
        });
        return renderRun(result);
      }
      if (name === "search_tools") {
        const limit = readInteger(given, "limit");
        const only = given.server === undefined ? undefined : readString(given, "server");
        const result = await coordinator.searchTools({
          query: readString(given, "query"),
          ...(limit === undefined ? {} : { limit: Math.min(Math.max(limit, 1), 50) }),
          ...(only === undefined ? {} : { server: only }),
        });
        return { content: [{ type: "text", text: renderSearch(result) }] };
      }
    } catch (thrown) {
      if (thrown instanceof ProtocolError) throw thrown;
      const { code, message, hint } = toCoordinatorError(thrown);
      return { isError: true, content: [{ type: "text", text: `${code}: ${message}\n${hint}` }] };
    }
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool "${name}": there are "run_code" and "search_tools"`,
    );
  });
  return server;
};

const readString = (given: Record<string, unknown>, name: string): string => {
  const value = given[name];
  if (typeof value === "string") return value;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Argument "${name}" is ${value === undefined ? "missing" : `a ${typeof value}`}, expected a string`,
  );
};

const readLanguage = (given: Record<string, unknown>): Language | undefined => {
  const { language } = given;
  if (language === undefined || language === "typescript" || language === "python") return language;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'Argument "language" is unknown, expected "typescript" or "python"',
  );
};

const readInteger = (given: Record<string, unknown>, name: string): number | undefined => {
  const value = given[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Argument "${name}" is not a whole number`);
};
