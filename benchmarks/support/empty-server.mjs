// The baseline of a start: an SDK server with one tool and no upstream.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const server = new McpServer({ name: "empty", version: "1" });
server.registerTool("run_code", { description: "Run a program." }, async () => ({
  content: [{ type: "text", text: "1" }],
}));
await server.connect(new StdioServerTransport());
process.stdin.on("end", () => process.exit(0));
