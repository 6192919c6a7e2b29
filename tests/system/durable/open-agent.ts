// An agent's client on the server that records every call, over stdio or HTTP.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, type ElicitResult } from "@modelcontextprotocol/client";
import { openServe, type transports } from "../../support/transports.js";
import { toLedgerConfig } from "./open-ledger.js";

export interface AgentOptions {
  readonly settings?: object;
  readonly mode?: "auto" | "legacy";
  /** What people answer to a form; without it the client shows none. */
  readonly answer?: (message: string) => ElicitResult;
}

export interface OpenAgent {
  readonly client: Client;
  /** One call of run_code: its texts. */
  readonly run: (
    given: Record<string, unknown>,
  ) => Promise<{ readonly text: string; readonly isError: boolean | undefined }>;
  readonly close: () => Promise<void>;
}

export const openAgent = async (
  transport: (typeof transports)[number],
  folder: string,
  { settings = {}, mode = "auto", answer }: AgentOptions = {},
): Promise<OpenAgent> => {
  const { coordinator, ...servers } = toLedgerConfig(folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "mcp.json"),
    JSON.stringify({ ...servers, coordinator: { ...coordinator, ...settings } }),
  );
  writeFileSync(join(folder, "seen.txt"), "", { flag: "a" });
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode },
      ...(answer === undefined ? {} : { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => answer(params.message));
  const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_STATE_HOME: join(folder, "state-home") };
  const server = await openServe(transport, { config: join(folder, "mcp.json"), env });
  await client.connect(server.toTransport());
  return {
    client,
    run: async (given) => {
      const { content, isError } = await client.callTool({ name: "run_code", arguments: given });
      return { text: (content as { text: string }[]).map(({ text }) => text).join("\n"), isError };
    },
    close: async () => {
      await client.close();
      await server.close();
    },
  };
};

/** The run that a text names. */
export const idOf = (text: string): string => /"([0-9a-f]{12})"/.exec(text)?.[1] ?? "";
