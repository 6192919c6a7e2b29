// The coordinator as an MCP server: an agent's way in.
export { describeSurface } from "./describe-surface.js";
export { serveStdioSurface } from "./serve-stdio.js";
