// The coordinator's tools for the AI SDK: `mcp-coordinator/ai-sdk`.
export type { CreateToolsOptions } from "../agent-tools/index.js";
export { createTools } from "./create-tools.js";
