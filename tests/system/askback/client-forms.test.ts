// Servers that ask back, answered in the client of the agent: by a form, a URL or the client's model.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  Client,
  type ClientCapabilities,
  type ElicitRequestParams,
  type ElicitResult,
} from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openServe, transports } from "../../support/transports.js";
import { idOf } from "../durable/open-agent.js";
import { askers, toAskerConfig } from "./open-asker.js";

interface AgentOptions {
  readonly transport?: (typeof transports)[number];
  readonly mode?: "auto" | "legacy";
  readonly settings?: object;
  readonly capabilities?: ClientCapabilities;
  readonly answer?: (params: ElicitRequestParams) => ElicitResult;
}

const openAgent = async ({
  transport = "stdio",
  mode = "auto",
  settings,
  capabilities = {},
  answer,
}: AgentOptions) => {
  const folder = await temporaryFolder();
  const config = join(folder, "mcp.json");
  writeFileSync(config, JSON.stringify(toAskerConfig(folder, settings)));
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode }, capabilities });
  const asked: ElicitRequestParams[] = [];
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params);
      return answer(params);
    });
  const sampled: unknown[] = [];
  if (capabilities.sampling !== undefined)
    client.setRequestHandler("sampling/createMessage", async ({ params }) => {
      sampled.push(params);
      return { role: "assistant", content: { type: "text", text: "four" }, model: "test-model" };
    });
  const env = { PATH: process.env.PATH ?? "", HOME: folder };
  const server = await openServe(transport, { config, env });
  await client.connect(server.toTransport());
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return {
    asked,
    sampled,
    run: async (given: Record<string, unknown>) => {
      const { content } = await client.callTool({ name: "run_code", arguments: given });
      return (content as { text: string }[]).map(({ text }) => text).join("\n");
    },
  };
};

const names = Object.keys(askers) as (keyof typeof askers)[];
const form = { elicitation: { form: {} } };
const ways = names.flatMap((server) =>
  transports.flatMap((transport) =>
    (["auto", "legacy"] as const).map((mode) => ({ server, transport, mode })),
  ),
);

describe("a server that asks, in the agent's client", () => {
  it.each(ways)(
    "gets a form of the client: $server server, $transport, $mode client",
    async ({ server, transport, mode }) => {
      const answer = (): ElicitResult => ({ action: "accept", content: { name: "Ada", seat: "window" } });
      const agent = await openAgent({ transport, mode, capabilities: form, answer });
      const text = await agent.run({ code: `return (await ${server}.book({})).content` });
      expect(JSON.parse(text.split("\n")[0] ?? "")).toEqual({ name: "Ada", seat: "window", bags: 1 });
      expect(agent.asked).toMatchObject([
        {
          message: `The server "${server}" asks, during the call of "book":\n> Which seat do you want?`,
          requestedSchema: { required: ["name"], properties: { seat: { enum: ["window", "aisle"] } } },
        },
      ]);
    },
  );

  it.each(names)(
    "is quoted in the form, so that it cannot pass for an approval: %s server",
    async (server) => {
      const agent = await openAgent({ capabilities: form, answer: () => ({ action: "decline" }) });
      await agent.run({ code: `return await ${server}.hostile({ kind: "spoof" })` });
      const [{ message } = { message: "" }] = agent.asked;
      expect(
        message
          .split("\n")
          .slice(1)
          .every((line) => line.startsWith("> ")),
      ).toBe(true);
      for (const hidden of ["\u202e", "\u001b", "\u0007"]) expect(message).not.toContain(hidden);
    },
  );

  it.each(names)(
    "has its URL shown by a client that can show URLs, and described by one that cannot: %s",
    async (server) => {
      const code = `return await ${server}.visit({})`;
      const url = "https://pay.example.com/checkout?id=7";
      const able = await openAgent({
        capabilities: { elicitation: { form: {}, url: {} } },
        answer: () => ({ action: "accept" }),
      });
      expect(await able.run({ code })).toContain("accept");
      expect(able.asked).toMatchObject([{ mode: "url", url }]);
      const other = await openAgent({
        capabilities: form,
        answer: () => ({ action: "accept", content: { answer: true } }),
      });
      expect(await other.run({ code })).toContain("accept");
      expect(other.asked[0]?.message).toContain(`an address of pay.example.com:\n${url}`);
    },
  );

  it.each(names)("is not answered by the agent in the person's place: %s server", async (server) => {
    const agent = await openAgent({});
    const text = await agent.run({ code: `return await ${server}.book({})` });
    expect(text).toContain("You cannot answer for them");
    const refused = await agent.run({ code: "", resume: idOf(text), answer: { name: "Agent" } });
    expect(refused).toContain(`only people can answer the server "${server}"`);
  });

  it.each(ways.filter(({ transport }) => transport === "stdio"))(
    "may use the client's model if the setting allows it: $server server, $mode client",
    async ({ server, mode }) => {
      const settings = { answers: { sampling: "client" } };
      const agent = await openAgent({ mode, settings, capabilities: { sampling: {} } });
      expect(await agent.run({ code: `return await ${server}.think({})` })).toContain("four");
      expect(agent.sampled).toMatchObject([{ maxTokens: 100 }]);
      const without = await openAgent({ mode, settings });
      expect(await without.run({ code: `return await ${server}.think({})` })).toContain(`SAMPLING_REFUSED`);
    },
  );
});
