// The coordinator as an MCP server for agents.
export { describeSurface } from "./agent-tools/index.js";
export {
  type HttpSurface,
  type ServedRequest,
  type ServeHttpOptions,
  serveHttpSurface,
  serveStdioSurface,
} from "./serve.js";
