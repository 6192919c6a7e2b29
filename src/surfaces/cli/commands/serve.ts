// `serve`: the coordinator as an MCP server over stdin and stdout.
import type { Command } from "../command.js";

export const serve: Command = {
  name: "serve",
  summary: "Be an MCP server over stdio: what a client's config starts",
  usage: ["serve"],
  description:
    "Stdout carries the protocol and nothing else; ends when the client closes stdin. No server of yours is started before it is used.",
  examples: [["mcp-coordinator serve --config ~/mcp.json", "The line for a client's configuration"]],
  options: {},
  run: async ({ open, signal }) => {
    const [{ serveStdioSurface }, coordinator] = await Promise.all([
      import("../../mcp-server/index.js"),
      open(),
    ]);
    await serveStdioSurface(coordinator, { signal });
    return 0;
  },
};
