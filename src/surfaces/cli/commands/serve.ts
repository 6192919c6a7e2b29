// `serve`: the coordinator as an MCP server over stdin and stdout.
import type { Command } from "../command.js";
import { readText } from "../read-words.js";

export const serve: Command = {
  name: "serve",
  summary: "Be an MCP server over stdio: what a client's config starts",
  usage: ["serve [--workspace NAME]"],
  description:
    "Stdout carries the protocol and nothing else; ends when the client closes stdin. No server of yours is started before it is used.",
  examples: [["mcp-coordinator serve --config ~/mcp.json", "The line for a client's configuration"]],
  options: {
    workspace: { type: "string", value: "NAME", summary: "Whose files and memory programs see" },
  },
  run: async ({ open, options, signal }) => {
    const workspace = readText(options, "workspace");
    const [{ serveStdioSurface }, coordinator] = await Promise.all([
      import("../../mcp-server/index.js"),
      open({ isUnattended: true, ...(workspace === undefined ? {} : { settings: { workspace } }) }),
    ]);
    await serveStdioSurface(coordinator, { signal });
    return 0;
  },
};
