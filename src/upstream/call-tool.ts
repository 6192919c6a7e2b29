// Makes one tool call on an open connection and returns the server's result.
import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import {
  CoordinatorError,
  type JsonObject,
  type ListedTool,
  type ToolProgress,
  type ToolResult,
  toBlocks,
  unmarkLargeIntegers,
} from "../contracts/index.js";
import type { Connection } from "./open-connection.js";
import { type AnyResult, anyResult, maxResultDepth, takeLarge, tooDeep } from "./replaced-answers.js";

export interface CallToolOptions {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** The tool as listed, if known. */
  readonly findListed: () => ListedTool | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}

type SdkTool = NonNullable<NonNullable<Parameters<Client["callTool"]>[1]>["toolDefinition"]>;

/** Some tools need arguments repeated as HTTP headers (`x-mcp-header`). The SDK does this. */
const findHeaderTool = (
  { wire, verdict }: Connection,
  { findListed }: CallToolOptions,
): ListedTool | undefined => {
  const listed = wire === "http" && verdict.kind === "modern" ? findListed() : undefined;
  return JSON.stringify(listed?.inputSchema)?.includes('"x-mcp-header"') ? listed : undefined;
};

/** The inputs that a server still requests in an unfinished answer. */
const wantedInputs = (result: AnyResult): string => {
  const requests = Object.values(
    (result.inputRequests ?? {}) as Record<string, { readonly method?: unknown }>,
  );
  const methods = [...new Set(requests.map(({ method }) => String(method)))];
  return methods.length === 0 ? "" : ` (${methods.map((method) => `"${method}"`).join(", ")})`;
};

const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const key in value)
    if (isDeeper((value as Readonly<Record<string, unknown>>)[key], levels - 1)) return true;
  return false;
};

const toToolResult = (result: AnyResult): ToolResult => {
  const { content, ...rest } = result;
  const blocks = toBlocks(content);
  if (blocks === content) return result as ToolResult;
  return (blocks === undefined ? rest : { ...rest, content: blocks }) as ToolResult;
};

const maxMessageLength = 1000;

const toSteps = (progress: number, total: number | undefined): string =>
  total === undefined ? String(progress) : `${progress} of ${total}`;

export const callTool = async (connection: Connection, options: CallToolOptions): Promise<ToolResult> => {
  const { server, tool, timeoutMs, signal, onProgress } = options;
  const { client } = connection;
  const params = { name: tool, arguments: options.arguments as Record<string, unknown> };
  const request: RequestOptions = {
    timeout: timeoutMs,
    allowInputRequired: true,
    ...(signal === undefined ? {} : { signal }),
    // Requested only if needed: reporting progress costs the server work.
    ...(onProgress === undefined
      ? {}
      : {
          onprogress: ({ progress, total, message }) =>
            onProgress({
              server,
              tool,
              message: (message ?? toSteps(progress, total)).slice(0, maxMessageLength),
            }),
        }),
  };
  const listed = findHeaderTool(connection, options);
  const result: AnyResult =
    listed === undefined
      ? await client.request({ method: "tools/call", params }, anyResult, request)
      : await client.callTool(params, {
          ...request,
          toolDefinition: { name: tool, inputSchema: listed.inputSchema as SdkTool["inputSchema"] },
        });
  if (result.resultType === "input_required") {
    const state = `the server asks for input${wantedInputs(result)}, which is not supported yet`;
    throw new CoordinatorError("UPSTREAM_FAILED", `Cannot call "${tool}" of "${server}": ${state}`, {
      hint: "Pass the requested input as arguments, or use another tool",
    });
  }
  const large = takeLarge(result);
  if (large !== undefined) return { ...(large.isError ? { isError: true } : {}), large };
  if (isDeeper(result, maxResultDepth))
    throw new CoordinatorError("RESULT_INVALID", `Cannot call "${tool}" of "${server}": ${tooDeep}`);
  return toToolResult(connection.wire === "stdio" ? result : unmarkLargeIntegers(result));
};
