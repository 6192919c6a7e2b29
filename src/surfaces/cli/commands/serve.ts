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
    const coordinator = await open();
    // The sandbox is a process of its own: it starts while the protocol's package is loaded. A failure is told by the first program.
    await coordinator.warm("sandbox").catch(() => {});
    const { serveStdioSurface } = await import("../../mcp-server/index.js");
    await serveStdioSurface(coordinator, { signal });
    return 0;
  },
};
