// A real MCP client whose calls of run_code can carry forged answers and states that no client library would send.
import { Client } from "@modelcontextprotocol/client";
import type { OpenServe } from "../../support/transports.js";

export interface ForgerOptions {
  readonly transport: ReturnType<OpenServe["toTransport"]>;
  readonly era: "2025" | "2026";
  readonly canAsk: boolean;
}

export interface Forger {
  /** One call of run_code. `forged` goes beside its arguments. A refusal of the protocol is text, too. */
  readonly run: (given: Record<string, unknown>, forged?: Record<string, unknown>) => Promise<string>;
  /** States that the server has handed out, in order. */
  readonly states: readonly string[];
  /** Forms that the server has shown. */
  readonly shown: readonly string[];
  readonly close: () => Promise<void>;
}

export const accepted = { answer: { action: "accept", content: { answer: true } } };

/** People who see a form of this client always close it. */
export const openForger = async ({ transport, era, canAsk }: ForgerOptions): Promise<Forger> => {
  const states: string[] = [];
  const shown: string[] = [];
  let forged: Record<string, unknown> | undefined;
  const client = new Client(
    { name: "forger", version: "1" },
    {
      versionNegotiation: { mode: era === "2026" ? { pin: "2026-07-28" } : "legacy" },
      ...(canAsk ? { capabilities: { elicitation: { form: {} } } } : {}),
    },
  );
  if (canAsk)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      shown.push(params.message);
      return { action: "cancel" };
    });
  // Typed as any transport: the two kinds differ in the other facts about a message.
  const wire = transport as {
    send: (message: unknown, options?: unknown) => Promise<void>;
    onmessage?: (message: unknown, extra?: unknown) => void;
  };
  const send = wire.send.bind(transport);
  wire.send = (message, options) => {
    const { method, params, ...rest } = message as { method?: string; params?: object };
    if (method !== "tools/call" || forged === undefined) return send(message, options);
    const changed = { ...rest, method, params: { ...params, ...forged } };
    forged = undefined;
    return send(changed, options);
  };
  await client.connect(transport);
  const receive = wire.onmessage?.bind(transport);
  wire.onmessage = (message, extra) => {
    const { result } = message as { result?: { requestState?: string } };
    if (typeof result?.requestState === "string") states.push(result.requestState);
    receive?.(message, extra);
  };
  return {
    states,
    shown,
    run: async (given, extra) => {
      forged = extra;
      try {
        const { content } = await client.callTool({ name: "run_code", arguments: given });
        return (content as { text: string }[]).map(({ text }) => text).join("\n");
      } catch (error) {
        return String(error);
      } finally {
        forged = undefined;
      }
    },
    close: () => client.close(),
  };
};
