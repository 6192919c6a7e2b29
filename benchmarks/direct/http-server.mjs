// The upstream over HTTP: an SDK server with one tool, in both protocol versions; prints "port N".
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";

const value = { type: "object", properties: { value: { type: "integer" } }, required: ["value"] };
const tools = [{ name: "echo", description: "Bench tool echo", inputSchema: value, outputSchema: value }];

const handler = createMcpHandler(() => {
  const server = new Server({ name: "bench", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", ({ params }) => {
    const body = { value: params.arguments.value };
    return { content: [{ type: "text", text: JSON.stringify(body) }], structuredContent: body };
  });
  return server;
});
createServer(toNodeHandler(handler)).listen(0, "127.0.0.1", function listening() {
  console.log(`port ${this.address().port}`);
});
