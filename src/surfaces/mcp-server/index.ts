// The coordinator as an MCP server: an agent's way in.
export { describeSurface } from "../agent-tools/index.js";
export { serveStdioSurface } from "./serve-stdio.js";
