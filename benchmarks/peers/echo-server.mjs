// The upstream of every peer: a hand-written MCP server over stdio that costs almost nothing. CALL_LOG=FILE gets a line per tool call.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const countries = ["DE", "FR", "IT", "ES", "PL"];
const toObject = (properties) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const value = toObject({ value: { type: "integer" } });
const toResult = (body) => ({
  content: [{ type: "text", text: JSON.stringify(body) }],
  structuredContent: body,
});

/** 9.4 MB of JSON, just below the 10 MiB at which the SDK's stdio client closes the connection. */
let rows;
const makeRows = () =>
  JSON.stringify(
    Array.from({ length: 60_000 }, (_, id) => ({
      id,
      name: `customer ${id}`,
      country: countries[id % 5],
      balance: (id * 7919) % 10_007,
      note: "x".repeat(80),
    })),
  );

const tools = {
  echo: { inputSchema: value, outputSchema: value, call: ({ value }) => toResult({ value }) },
  slow: {
    inputSchema: value,
    outputSchema: value,
    call: async ({ value }) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return toResult({ value });
    },
  },
  big: {
    inputSchema: toObject({}),
    call: () => {
      rows ??= makeRows();
      return { content: [{ type: "text", text: rows }] };
    },
  },
  order: {
    inputSchema: toObject({ count: { type: "integer" } }),
    outputSchema: toObject({ total: { type: "integer" } }),
    call: ({ count }) => toResult({ total: Number(count) || 0 }),
  },
};

const answer = async (method, params) => {
  if (method === "initialize")
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "bench", version: "1" },
    };
  if (method === "ping") return {};
  if (method === "tools/list")
    return {
      tools: Object.entries(tools).map(([name, { call: _call, ...tool }]) => ({
        name,
        description: `The tool ${name}.`,
        ...tool,
      })),
    };
  if (method === "tools/call" && Object.hasOwn(tools, params.name)) {
    if (process.env.CALL_LOG) appendFileSync(process.env.CALL_LOG, `${params.name}\n`);
    return tools[params.name].call(params.arguments ?? {});
  }
  throw new Error(`Method not found: ${method}`);
};

createInterface({ input: process.stdin })
  .on("line", async (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const send = (body) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
    await answer(method, params).then(
      (result) => send({ result }),
      (error) => send({ error: { code: -32601, message: error.message } }),
    );
  })
  .on("close", () => process.exit(0));
