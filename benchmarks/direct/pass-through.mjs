// The baseline of the direct surface: a gateway of one SDK server and one SDK client. `node pass-through.mjs stdio|http UPSTREAM`, where
// UPSTREAM is a script for stdio and a URL for HTTP; over HTTP it prints "port N".
import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const [way, upstream] = process.argv.slice(2);
const options = way === "http" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {};
const client = new Client({ name: "pass-through", version: "1" }, options);
await client.connect(
  way === "http"
    ? new StreamableHTTPClientTransport(new URL(upstream))
    : new StdioClientTransport({ command: process.execPath, args: [upstream], stderr: "ignore" }),
);

const build = () => {
  const server = new Server({ name: "pass-through", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", ({ params }) => client.listTools(params));
  server.setRequestHandler("tools/call", ({ params }) => client.callTool(params));
  return server;
};

if (way === "http") {
  const respond = toNodeHandler(createMcpHandler(build));
  createServer(respond).listen(0, "127.0.0.1", function listening() {
    console.log(`port ${this.address().port}`);
  });
} else await build().connect(new StdioServerTransport());
