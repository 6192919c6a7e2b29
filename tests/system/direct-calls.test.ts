// Everything that a client of the direct surface uses is a run of one call: the same journal, limits, approvals, rules, hooks and meter as in programs.
import { describe, expect, it } from "vitest";
import type { OpenedCoordinator } from "../../src/index.js";
import {
  type DirectClient,
  fixtureServer,
  openDirectClient,
  openDirectHost,
} from "../support/direct-client.js";

const mirrors = { mirrors: fixtureServer("mirrors") };
const ref = { type: "ref/resource", uri: "mirror://by-id/{id}" };

type Use = readonly [method: string, params: object, tool: string, given: object];

/** Each use that is not a tool call: its request, and the call that it is in the journal. */
const uses = [
  ["resources/read", { uri: "mirror://by-id/7" }, "resources.read", { uri: "mirror://by-id/7" }],
  ["prompts/get", { name: "greet", arguments: { who: "Ada" } }, "prompts.greet", { who: "Ada" }],
  [
    "completion/complete",
    { ref, argument: { name: "id", value: "4" }, context: { arguments: { a: "b" } } },
    "complete",
    { template: "mirror://by-id/{id}", argument: "id", value: "4", known: { a: "b" } },
  ],
  ["resources/subscribe", { uri: "mirror://watched" }, "resources.watch", { uri: "mirror://watched" }],
] as const satisfies readonly Use[];

const listCalls = async (coordinator: OpenedCoordinator) => {
  const runs = await coordinator.listRuns();
  return Promise.all(runs.map(({ runId }) => coordinator.showRun({ runId })));
};
const refused = (code: string) => expect.objectContaining({ message: expect.stringContaining(code) });
const use = (client: DirectClient, [method, params]: Use) => client.request(method, params);

describe.each(uses)("%s through the direct surface", (...one) => {
  const [method, params, tool, given] = one;

  it("is stored as a run of one call, with its arguments", async () => {
    const coordinator = await openDirectHost(mirrors);
    const client = await openDirectClient(coordinator);
    await use(client, one);
    const [run, ...others] = await listCalls(coordinator);
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      status: "completed",
      made: [{ server: "mirrors", tool, arguments: given, effect: "read", status: "answered" }],
    });
  });

  it("is refused by a rule of the policy, and that is stored, too", async () => {
    const deny = [`mirrors.${tool}`];
    const coordinator = await openDirectHost(mirrors, { settings: { policy: { default: "allow", deny } } });
    const client = await openDirectClient(coordinator);
    await expect(use(client, one)).rejects.toEqual(refused("CALL_DENIED"));
    expect(await listCalls(coordinator)).toMatchObject([
      { status: "failed", made: [{ tool, decision: "denied", code: "CALL_DENIED" }] },
    ]);
  });

  it("waits for a person who approves it in a form of the client", async () => {
    const policy = { ask: ["mirrors.resources.read", "mirrors.prompts.*", "mirrors.complete"] };
    const coordinator = await openDirectHost(mirrors, { settings: { policy } });
    const answers = [false, true];
    const asked: unknown[] = [];
    const client = await openDirectClient(coordinator, {
      capabilities: { elicitation: { form: {} } },
      ask: async (message) => {
        asked.push(message.params?.message);
        return { action: "accept", content: { approve: answers.shift() ?? false } };
      },
    });
    await expect(use(client, one)).rejects.toEqual(refused("CALL_DENIED"));
    await use(client, one);
    expect(asked).toEqual(Array(2).fill(`May this call be made?\nmirrors.${tool}(${JSON.stringify(given)})`));
  });

  it("is seen by hooks, which can refuse it", async () => {
    const seen: unknown[] = [];
    const coordinator = await openDirectHost(mirrors, {
      hooks: {
        beforeCall: (facts) => {
          seen.push([facts.server, facts.tool, facts.arguments]);
          return { veto: "not today" };
        },
      },
    });
    const client = await openDirectClient(coordinator);
    await expect(use(client, one)).rejects.toEqual(refused("CALL_VETOED"));
    expect(seen).toEqual([["mirrors", tool, given]]);
  });

  it("gets the server's own result, with the fields of the client's request", async () => {
    const client = await openDirectClient(await openDirectHost(mirrors));
    const results: Record<string, object> = {
      "resources/read": { contents: [{ uri: "mirror://by-id/7", unknownField: "kept" }], unknownField: 1 },
      "prompts/get": { messages: [{ content: { text: "Hello Ada" } }], unknownField: true },
      "completion/complete": { completion: { values: ["mirror://by-id/{id} id"], total: 1 } },
      "resources/subscribe": {},
    };
    expect(await client.request(method, params)).toMatchObject(results[method] as object);
  });
});

describe("the direct surface", () => {
  it("refuses a resource that is larger than the limit for answers", async () => {
    const settings = { limits: { answerBytes: 20_000 } };
    const client = await openDirectClient(await openDirectHost(mirrors, { settings }));
    await client.request("resources/read", { uri: "mirror://by-id/7" });
    await expect(
      client.request("resources/read", { uri: `mirror://by-id/${"7".repeat(20_000)}` }),
    ).rejects.toEqual(refused("LIMIT_ANSWER"));
  });

  it("counts the tokens of resources and prompts", async () => {
    const coordinator = await openDirectHost(mirrors);
    const client = await openDirectClient(coordinator);
    await client.request("resources/read", { uri: "mirror://by-id/7" });
    await client.request("prompts/get", { name: "greet", arguments: { who: "Ada" } });
    const [one, other] = await listCalls(coordinator);
    for (const run of [one, other]) {
      expect(run?.result?.meter?.answerTokens).toBeGreaterThan(5);
      expect(run?.result?.meter?.callTokens).toBeGreaterThan(5);
    }
  });

  it("lets hooks change a resource, and stores only what they leave", async () => {
    const coordinator = await openDirectHost(mirrors, {
      hooks: { afterCall: () => ({ answer: [{ uri: "mirror://by-id/7", text: "removed" }] }) },
    });
    const client = await openDirectClient(coordinator);
    expect(await client.request("resources/read", { uri: "mirror://by-id/7" })).toEqual({
      contents: [{ uri: "mirror://by-id/7", text: "removed" }],
      unknownField: 1,
    });
  });

  it("lets a person make a read at a terminal that the client could not ask for", async () => {
    const settings = { policy: { ask: ["mirrors.resources.read"] } };
    const coordinator = await openDirectHost(mirrors, { settings });
    const client = await openDirectClient(coordinator);
    const read = client.request("resources/read", { uri: "mirror://by-id/7" });
    await expect(read).rejects.toEqual(refused("resume"));
    const [run] = await coordinator.listRuns();
    const result = await coordinator.resumeRun({ runId: run?.runId ?? "", answer: true });
    expect(JSON.stringify(result.value)).toContain("content of mirror://by-id/7");
  });

  it("applies the rules on a resource to subscriptions of it", async () => {
    const policy = { default: "allow", deny: ["mirrors.resources.read(uri: mirror://by-id/7)"] };
    const client = await openDirectClient(await openDirectHost(mirrors, { settings: { policy } }));
    const subscribe = (id: number) => client.request("resources/subscribe", { uri: `mirror://by-id/${id}` });
    await expect(subscribe(7)).rejects.toEqual(refused("CALL_DENIED"));
    await subscribe(8);
  });

  it("leaves no run waiting for a subscription, which nobody can make later", async () => {
    const settings = { policy: { ask: ["mirrors.resources.read"] } };
    const coordinator = await openDirectHost(mirrors, { settings });
    const client = await openDirectClient(coordinator);
    const subscribed = client.request("resources/subscribe", { uri: "mirror://watched" });
    await expect(subscribed).rejects.toEqual(refused("CALL_DENIED"));
    expect(await listCalls(coordinator)).toMatchObject([{ status: "failed" }]);
  });

  it("refuses more subscriptions than one client may have", async () => {
    const client = await openDirectClient(await openDirectHost(mirrors, { settings: { journal: "off" } }));
    const subscribe = (id: number) => client.request("resources/subscribe", { uri: `mirror://by-id/${id}` });
    for (let id = 0; id < 1000; id++) await subscribe(id);
    await expect(subscribe(1000)).rejects.toMatchObject({ code: -32_000 });
    await client.request("resources/unsubscribe", { uri: "mirror://by-id/7" });
    await subscribe(1000);
  });
});
