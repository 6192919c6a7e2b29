// An agent: the official MCP client over stdio, connected to `mcp-coordinator serve`. Records everything that it receives.
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));

/** Connects to the example's servers. `use` calls a tool like a model and returns its text. `seen` returns everything received, as text. */
export const openAgent = async () => {
  const client = new Client({ name: "agent", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    // A file that is named with --config needs no trust.
    args: [bin, "serve", "--config", "mcp.json"],
    env: process.env,
    stderr: "pipe",
  });
  let received = "";
  transport.stderr?.on("data", (chunk) => {
    received += chunk;
  });
  let hear;
  // The client sets its handler when it connects. Ours runs before it, from the first message on.
  Object.defineProperty(transport, "onmessage", {
    get: () => hear,
    set: (listener) => {
      hear = (message, ...more) => {
        received += `${JSON.stringify(message)}\n`;
        listener?.(message, ...more);
      };
    },
  });
  await client.connect(transport);
  return {
    client,
    seen: () => received,
    use: async (name, args) => {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const text = content.map((part) => part.text ?? `(${part.type})`).join("\n");
      return isError === true ? `error: ${text}` : text;
    },
    close: () => client.close(),
  };
};
