// The coordinator's tools for the OpenAI Agents SDK: `mcp-coordinator/openai-agents`.
export type { CreateToolsOptions } from "../agent-tools/index.js";
export { createTools } from "./create-tools.js";
