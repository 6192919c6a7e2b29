// `mcp-coordinator/langchain`: the agent tools for LangChain, described, called and rendered as over MCP.
import { ToolMessage } from "@langchain/core/messages";
import { type DynamicStructuredTool, type ToolRunnableConfig, tool } from "@langchain/core/tools";
import type { Coordinator } from "../../coordinator/index.js";
import {
  type CallableTool,
  type CreateToolsOptions,
  joinTexts,
  listCallableTools,
  type ShownResult,
} from "../mcp-server/agent-tools/index.js";

export type { CreateToolsOptions } from "../mcp-server/agent-tools/index.js";

/** For `bindTools` and agents: `tools: await createTools(coordinator)`. The whole answer is each message's artifact. */
export const createTools = async (
  coordinator: Coordinator,
  options: CreateToolsOptions = {},
): Promise<DynamicStructuredTool[]> => (await listCallableTools(coordinator, options)).map(toTool);

const toTool = ({ name, description, inputSchema, call }: CallableTool): DynamicStructuredTool =>
  tool(
    async (given: unknown, { signal, toolCall }: ToolRunnableConfig) => {
      const answer = await call(given, signal);
      const content = toContent(answer);
      const id = toolCall?.id;
      if (answer.isError !== true || id === undefined) return [content, answer];
      // Pass on our own message unchanged: only it can say that the tool failed.
      return [
        new ToolMessage({ content, artifact: answer, name, tool_call_id: id, status: "error" }),
        answer,
      ];
    },
    { name, description, schema: inputSchema, responseFormat: "content_and_artifact" },
  ) as unknown as DynamicStructuredTool;

const toContent = (answer: ShownResult): string | { type: string; [field: string]: string }[] =>
  joinTexts(answer) ?? answer.content.map((part) => ({ ...part }));
