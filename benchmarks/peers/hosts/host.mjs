// A minimal MCP server around a code-mode library: node host.mjs LIBRARY CONFIG.json
// The library describes and runs programs. Connecting to the servers and speaking MCP is the same for every library.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { toPackageDoors } from "../../../scripts/install-packages.mjs";
import { packagesOf } from "../packages.mjs";

const [library, configFile] = process.argv.slice(2);
const { mcpServers } = JSON.parse(readFileSync(configFile, "utf8"));
// Standard output is for MCP.
for (const name of ["log", "info", "warn"]) console[name] = () => {};

/** Structured content, else JSON parsed from the text, else the text. An error becomes an exception. */
const unwrap = ({ content = [], structuredContent, isError }) => {
  const text = content.map((part) => part.text ?? "").join("");
  if (isError) throw new Error(text);
  if (structuredContent !== undefined) return structuredContent;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const connect = async () => {
  const { load } = toPackageDoors(packagesOf.direct);
  const { Client } = await load("@modelcontextprotocol/client");
  const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
  const connectOne = async ([server, { command, args, env }]) => {
    const client = new Client({ name: "peer-benchmark-host", version: "1" });
    const given = { command, args, env: { PATH: process.env.PATH, ...env }, stderr: "ignore" };
    await client.connect(new StdioClientTransport(given));
    const { tools } = await client.listTools();
    return tools.map((tool) => ({
      ...tool,
      key: `${server}__${tool.name}`.replace(/\W/g, "_"),
      call: async (values = {}) => unwrap(await client.callTool({ name: tool.name, arguments: values })),
    }));
  };
  return (await Promise.all(Object.entries(mcpServers).map(connectOne))).flat();
};

const { create, ownConnections } = await import(`./${library}.mjs`);
const open = async () =>
  create({
    ...toPackageDoors(packagesOf[library]),
    mcpServers,
    limitMs: Number(process.env.HOST_LIMIT_MS ?? 30_000),
    isRaised: process.env.HOST_RAISED === "1",
    tools: ownConnections ? [] : await connect(),
  });
const ready = open();

const toContent = (value, isError = false) => ({
  isError,
  content: [
    { type: "text", text: (typeof value === "string" ? value : JSON.stringify(value)) ?? "undefined" },
  ],
});

const answer = async (method, params) => {
  if (method === "ping") return {};
  const { list, instructions, run } = await ready;
  if (method === "initialize")
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: library, version: "1" },
      ...(instructions && { instructions }),
    };
  if (method === "tools/list") return { tools: list };
  if (method !== "tools/call") throw new Error(`Method not found: ${method}`);
  try {
    const { value, isError } = await run(params.arguments.code);
    return toContent(value, isError);
  } catch (error) {
    return toContent(`${error?.name}: ${error?.message}`, true);
  }
};

createInterface({ input: process.stdin })
  .on("line", async (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const send = (body) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
    await answer(method, params).then(
      (result) => send({ result }),
      (error) => send({ error: { code: -32603, message: String(error?.message ?? error) } }),
    );
  })
  .on("close", () => process.exit(0));
