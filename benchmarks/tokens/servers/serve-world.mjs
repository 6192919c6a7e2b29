// A real MCP server over stdio: `node serve-world.mjs NAME` serves the tools of NAME.mjs.
import { createInterface } from "node:readline";

const { tools } = await import(new URL(`./${process.argv[2]}.mjs`, import.meta.url));
const listed = Object.entries(tools).map(([name, { description, inputSchema }]) => ({
  name,
  description,
  inputSchema,
}));

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: process.argv[2], version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: listed }),
  "tools/call": ({ name, arguments: given = {} }) => {
    const value = tools[name].run(given);
    const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
    return { content: [{ type: "text", text }] };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const reply = (body) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
  if (methods[method] === undefined)
    reply({ error: { code: -32601, message: `Method not found: ${method}` } });
  else reply({ result: methods[method](params) });
});
