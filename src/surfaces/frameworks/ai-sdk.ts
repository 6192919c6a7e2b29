// `mcp-coordinator/ai-sdk`: the agent tools for the AI SDK, described, called and rendered as over MCP.
import { jsonSchema, type Tool, type ToolSet, tool } from "ai";
import type { Coordinator } from "../../coordinator/index.js";
import {
  type CreateToolsOptions,
  listCallableTools,
  type ShownContent,
  type ShownResult,
} from "../mcp-server/agent-tools/index.js";

export type { CreateToolsOptions } from "../mcp-server/agent-tools/index.js";

type ModelOutput = Awaited<ReturnType<NonNullable<Tool<unknown, ShownResult>["toModelOutput"]>>>;

type Part = Extract<ModelOutput, { readonly type: "content" }>["value"][number];

/** For `generateText` and `streamText`: `tools: await createTools(coordinator)`. */
export const createTools = async (
  coordinator: Coordinator,
  options: CreateToolsOptions = {},
): Promise<ToolSet> => {
  const tools = await listCallableTools(coordinator, options);
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema, call }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]),
        execute: (given: unknown, { abortSignal }): Promise<ShownResult> => call(given, abortSignal),
        toModelOutput: ({ output }) => toModelOutput(output),
      }),
    ]),
  );
};

const toModelOutput = ({ content, isError }: ShownResult): ModelOutput => {
  const texts = content.filter((part) => part.type === "text").map(({ text }) => text);
  if (isError === true) return { type: "error-text", value: texts.join("\n") };
  return texts.length === content.length
    ? { type: "text", value: texts.join("\n") }
    : { type: "content", value: content.map(toPart) };
};

const toPart = (part: ShownContent): Part =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "file", mediaType: part.mimeType, data: { type: "data", data: part.data } };
