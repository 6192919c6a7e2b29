// A plain SDK client on a stdio server.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export const connect = async ({ command, args, env = {} }) => {
  const client = new Client({ name: "bench", version: "1" });
  const transport = new StdioClientTransport({
    command,
    args,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stderr: "ignore",
    // The sheet of 10,000 rows is one message.
    maxBufferSize: 64 * 1024 * 1024,
  });
  await client.connect(transport, { timeout: 120_000 });
  return client;
};

/** The texts of an answer that a model reads. */
export const textsOf = ({ content }) => content.flatMap(({ text }) => (text === undefined ? [] : [text]));
