// `mcp-coordinator/openai-agents`: the agent tools for the OpenAI Agents SDK, described, called and rendered as over MCP.
import { type FunctionTool, tool } from "@openai/agents";
import type { Coordinator } from "../../coordinator/index.js";
import {
  type CallableTool,
  type CreateToolsOptions,
  joinTexts,
  listCallableTools,
  type ShownContent,
  type ShownResult,
} from "../mcp-server/agent-tools/index.js";

export type { CreateToolsOptions } from "../mcp-server/agent-tools/index.js";

/** For an agent: `new Agent({ tools: await createTools(coordinator) })`. */
export const createTools = async (
  coordinator: Coordinator,
  options: CreateToolsOptions = {},
): Promise<FunctionTool[]> => (await listCallableTools(coordinator, options)).map(toTool);

const toTool = ({ name, description, inputSchema, call }: CallableTool): FunctionTool =>
  tool({
    name,
    description,
    parameters: {
      type: "object",
      properties: inputSchema.properties as Record<string, never>,
      required: [...(inputSchema.required ?? [])],
      additionalProperties: true,
    },
    strict: false,
    execute: async (given, _context, details) => toOutput(await call(given, details?.signal)),
  }) as unknown as FunctionTool;

const toOutput = (answer: ShownResult) => joinTexts(answer) ?? answer.content.map(toPart);

const toPart = (part: ShownContent) =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image", image: { data: part.data, mediaType: part.mimeType } };
