// An agent's seat: the official MCP client over stdio, in front of `mcp-coordinator serve`. Whatever reaches it is kept.
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));

/** Connects to the story's servers. `use` calls a tool as a model does and gives its text; `seen` is every byte that came in, as text. */
export const openAgent = async () => {
  const client = new Client({ name: "agent", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    // The story's own file, which nobody has looked at with "mcp-coordinator trust".
    args: [bin, "serve", "--config", "mcp.json"],
    env: process.env,
    stderr: "pipe",
  });
  let received = "";
  transport.stderr?.on("data", (chunk) => {
    received += chunk;
  });
  let hear;
  // The client puts its ear here when it connects: from the first message on, ours comes before it.
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
