// The servers' tools as models get them today: every definition in the context, every answer through the model.
import { connect } from "../tokens/connect.mjs";

/** Clients cut long results; this is about 25,000 tokens. */
const maxCharacters = 100_000;

const toContent = (part) => {
  if (part.type === "image") return { type: "image", data: part.data, mimeType: part.mimeType };
  const text = part.type === "text" ? part.text : JSON.stringify(part);
  const isCut = text.length > maxCharacters;
  return {
    type: "text",
    text: isCut ? `${text.slice(0, maxCharacters)}\n(cut, ${text.length} characters)` : text,
  };
};

/** Tools are named as in most clients: server, two underscores, tool. */
const toTool = (server, client, { name, description = "", inputSchema }) => ({
  name: `${server}__${name}`.replace(/[^\w-]/g, "_").slice(0, 64),
  description,
  inputSchema,
  call: async (given, signal) => {
    try {
      const { content = [], isError } = await client.callTool({ name, arguments: given }, { signal });
      return { content: content.map(toContent), ...(isError === true ? { isError } : {}) };
    } catch (error) {
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  },
});

export const openDirectTools = async (entries) => {
  const clients = [];
  const close = () => Promise.allSettled(clients.map((client) => client.close()));
  try {
    const tools = [];
    for (const [server, entry] of Object.entries(entries)) {
      const client = await connect(entry);
      clients.push(client);
      const { tools: listed } = await client.listTools();
      tools.push(...listed.map((tool) => toTool(server, client, tool)));
    }
    return { tools, close };
  } catch (error) {
    await close();
    throw error;
  }
};
