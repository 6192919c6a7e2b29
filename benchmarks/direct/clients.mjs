// Bare MCP clients over HTTP, in both protocol versions: their own cost is the same for everything that is measured.
import { Agent, request as send } from "node:http";

const version = "2026-07-28";
const meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The message with this id, from a JSON body or a stream of events. */
const readMessage = (text, id) =>
  text.startsWith("{")
    ? JSON.parse(text)
    : text
        .split("\n")
        .filter((line) => line.startsWith("data: {"))
        .map((line) => JSON.parse(line.slice("data: ".length)))
        .find((message) => message.id === id);

/** `call(name, given)` resolves with the result. */
export const openHttpClient = async (url, { isModern }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let session = {};
  let lastId = 0;
  const post = (message, headers) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ jsonrpc: "2.0", ...message });
      const posted = send(url, {
        agent,
        method: "POST",
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          accept: "application/json, text/event-stream",
          ...headers,
        },
      });
      posted.on("error", reject);
      posted.on("response", (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => resolve({ response, text: Buffer.concat(chunks).toString("utf8") }));
      });
      posted.end(body);
    });
  const request = async (method, params) => {
    const id = ++lastId;
    const modern = { "mcp-protocol-version": version, "mcp-method": method, "mcp-name": params.name };
    const { text } = await post(
      { id, method, params: isModern ? { ...params, _meta: meta } : params },
      isModern ? modern : session,
    );
    const message = readMessage(text, id);
    if (message?.result === undefined) throw new Error(`${method}: ${text.slice(0, 300)}`);
    return message.result;
  };
  if (!isModern) {
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: meta.clientInfo };
    hello.clientInfo = { name: "bench", version: "1" };
    const { response } = await post({ id: ++lastId, method: "initialize", params: hello }, {});
    session = { "mcp-protocol-version": "2025-06-18" };
    if (response.headers["mcp-session-id"] !== undefined)
      session["mcp-session-id"] = response.headers["mcp-session-id"];
    await post({ method: "notifications/initialized" }, session);
  }
  return {
    call: (name, given) => request("tools/call", { name, arguments: given }),
    close: () => agent.destroy(),
  };
};
