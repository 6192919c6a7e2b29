// The coordinator as an MCP server for agents.
export { describeSurface } from "./agent-tools/index.js";
export { type HttpSurface, type ServeHttpOptions, serveHttpSurface } from "./serve-http-surface.js";
export { serveStdioSurface } from "./serve-stdio.js";
