// The coordinator as an MCP server for agents.
export { describeSurface } from "./agent-tools/index.js";
export { type HttpSurface, type ServeHttpOptions, serveHttpSurface, serveStdioSurface } from "./serve.js";
