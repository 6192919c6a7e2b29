// The coordinator's tools for LangChain: `mcp-coordinator/langchain`.
export type { CreateToolsOptions } from "../agent-tools/index.js";
export { createTools } from "./create-tools.js";
