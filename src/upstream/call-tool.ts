// One tool call on an open connection: the result as the server gave it.
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
import { type AnyResult, anyResult } from "./any-result.js";
import type { Connection } from "./connection.js";
import { maxResultDepth, takeLarge, tooDeep } from "./large-answers.js";

export interface CallToolOptions {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** The tool as it was listed, when that is known. */
  readonly findListed: () => ListedTool | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}

type SdkTool = NonNullable<NonNullable<Parameters<Client["callTool"]>[1]>["toolDefinition"]>;

/** Some tools want arguments repeated as HTTP headers (`x-mcp-header`); the SDK knows how. */
const findHeaderTool = (
  { wire, verdict }: Connection,
  { findListed }: CallToolOptions,
): ListedTool | undefined => {
  const listed = wire === "http" && verdict.kind === "modern" ? findListed() : undefined;
  return JSON.stringify(listed?.inputSchema)?.includes('"x-mcp-header"') ? listed : undefined;
};

/** What a server still wants to know, from an answer that is no result yet. */
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

const longestMessage = 1000;

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
    // Only who wants to hear of it is told: servers do more for a call that asks for progress.
    ...(onProgress === undefined
      ? {}
      : {
          onprogress: ({ progress, total, message }) =>
            onProgress({
              server,
              tool,
              message: (message ?? toSteps(progress, total)).slice(0, longestMessage),
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
      hint: "Give the tool what it asks for as arguments, or use another tool",
    });
  }
  const large = takeLarge(result);
  if (large !== undefined) return { ...(large.isError ? { isError: true } : {}), large };
  if (isDeeper(result, maxResultDepth))
    throw new CoordinatorError("RESULT_INVALID", `Cannot call "${tool}" of "${server}": ${tooDeep}`);
  return toToolResult(connection.wire === "stdio" ? result : unmarkLargeIntegers(result));
};
