// The direct surface between hostile servers and hostile clients: nobody gets, changes or ends what belongs to another, and the host is not blocked.
import { describe, expect, it, onTestFinished } from "vitest";
import { openDirectSessions, watchLists } from "../../src/surfaces/mcp-server/direct/direct-sessions.js";
import {
  type DirectClient,
  fixtureServer,
  openDirectClient,
  openDirectHost,
} from "../support/direct-client.js";
import { openPort } from "./support/open-port.js";

const servers = {
  hostile: fixtureServer("hostile-messages"),
  mirrors: fixtureServer("mirrors"),
};
const textOf = (answer: Record<string, unknown>): string =>
  (answer.content as { text: string }[])[0]?.text ?? "";

describe("a hostile server", () => {
  const attacks = [
    ...["replayed", "progress", "updates", "cancellations", "changes"],
    ...["huge answer", "huge line", "huge question"],
  ];

  it.each(attacks)("cannot change other calls, or send anything to other clients, with %s", async (kind) => {
    const coordinator = await openDirectHost(servers);
    const ask = async () => {
      throw new Error("Nobody must be asked");
    };
    const [attacked, other] = await Promise.all([
      openDirectClient(coordinator, { capabilities: { elicitation: {}, sampling: {}, roots: {} }, ask }),
      openDirectClient(coordinator, { capabilities: { elicitation: {}, sampling: {}, roots: {} }, ask }),
    ]);
    await other.request("resources/subscribe", { uri: "mirror://watched" });
    const hangs = new AbortController();
    const params = { name: "hang", arguments: {}, _meta: { progressToken: "token-of-another" } };
    const hanging = other.request("tools/call", params, { signal: hangs.signal }).catch(() => undefined);
    await expect.poll(() => other.received.length).toBe(1);

    const waiting = other.call("wait");
    await attacked.call("attack", { kind }).catch(() => undefined);
    // When the server's next answer arrives, everything that the attack sent has been read. It may forge answers to its own calls.
    await expect
      .poll(async () => textOf(await attacked.call("own", { value: "next" }).catch(() => ({ content: [] }))))
      .toBe("next");
    await other.call("go");
    expect(textOf(await waiting)).toBe("honest");
    expect(
      textOf(await other.call("mirror", { result: { content: [{ type: "text", text: "mine" }] } })),
    ).toBe("mine");
    expect(other.received.filter(({ method }) => !method.endsWith("/list_changed"))).toEqual([
      { method: "notifications/progress", params: expect.objectContaining({ progress: 1 }) },
    ]);
    expect(attacked.received.filter(({ params: received }) => received?.message === "forged")).toEqual([]);
    hangs.abort();
    await hanging;
  });

  it("notifies a client only a few times of thousands of changed lists", async () => {
    const coordinator = await openDirectHost(servers);
    const client = await openDirectClient(coordinator);
    await client.call("attack", { kind: "changes" });
    expect(textOf(await client.call("own", { value: "next" }))).toBe("next");
    expect(client.received.length).toBeLessThan(100);
  });

  it("has tools with odd names that reach no other tool and break no list", async () => {
    const hostile = fixtureServer("hostile-messages", "--odd-names");
    const coordinator = await openDirectHost({ hostile, mirrors: servers.mirrors });
    const client = await openDirectClient(coordinator);
    const { tools } = (await client.request("tools/list")) as { tools: { name: string }[] };
    const names = tools.map(({ name }) => name);
    expect(names).toContain("own");
    expect(new Set(names).size).toBe(names.length);
    expect(textOf(await client.call("own", { value: "mine" }))).toBe("mine");
    for (const name of ["toString", "hasOwnProperty", "hostile__own"])
      await expect(client.call(name)).rejects.toMatchObject({ code: -32_602 });
  });
});

describe("a client that changes its name again and again", () => {
  it("does not deprive others of notifications of changed lists", async () => {
    const coordinator = await openDirectHost({ changes: fixtureServer("changes-tools") });
    const options = { coordinator, offers: "direct" } as const;
    const sessions = openDirectSessions(options, () => {});
    onTestFinished(sessions.close);
    const identityOf = (name: string) => ({ capabilities: {}, info: { name, version: "1" } });
    const request = { signal: new AbortController().signal, notify: () => {} };
    const first = identityOf("first");
    const changed: string[] = [];
    const lists = watchLists(
      options,
      (asked) => sessions.read(first, asked),
      (kind) => changed.push(kind),
    );
    onTestFinished(lists.end);
    lists.note("tools/list", await sessions.read(first, { ...request, method: "tools/list" }));
    for (let count = 0; count < 40; count++)
      await sessions.read(identityOf(`other ${count}`), { ...request, method: "tools/list" });
    await coordinator.callTool({ server: "changes", tool: "grow", arguments: { name: "later" } });
    await expect.poll(() => changed, { timeout: 60_000 }).toContain("tools");
  });
});

describe("two callers over HTTP", () => {
  const open = async (capabilities: object, pin?: string) => {
    const port = await openPort({} as object, { offers: "direct" }, servers);
    // Of the same workspace, so that both use the same host.
    const { workspace } = port.coordinator;
    const second = await port.coordinator.addCaller({ name: "second", workspace });
    // A server that starts slowly would be left out of the first lists.
    for (const server of Object.keys(servers)) await port.coordinator.showServer({ server });
    const options = {
      capabilities,
      ...(pin === undefined ? {} : { versionNegotiation: { mode: { pin } } }),
    } as never;
    const [one, other] = await Promise.all([
      port.connect(port.owner.token, options),
      port.connect(second.token, options),
    ]);
    return {
      ...{ port, one, other, second },
      close: async () => {
        await Promise.all([one.close(), other.close()]);
        await port.close();
      },
    };
  };

  it("see neither each other's updates, log lines, progress nor questions", async () => {
    const { one, other, close } = await open({ elicitation: { form: {} }, roots: {} });
    const received: string[] = [];
    const asked: string[] = [];
    for (const [name, client] of [
      ["one", one],
      ["other", other],
    ] as const) {
      client.setNotificationHandler(
        "notifications/resources/updated",
        () => void received.push(`${name} updated`),
      );
      client.setNotificationHandler("notifications/message", () => void received.push(`${name} line`));
      client.setNotificationHandler("notifications/progress", () => void received.push(`${name} progress`));
      client.setRequestHandler("elicitation/create", () => {
        asked.push(name);
        return { action: "accept", content: {} };
      });
    }
    await one.subscribeResource({ uri: "mirror://watched" });
    const controller = new AbortController();
    const hanging = one
      .callTool({ name: "hang", arguments: {} }, { signal: controller.signal, onprogress: () => {} })
      .catch(() => undefined);
    const question = {
      method: "elicitation/create",
      params: { message: "?", requestedSchema: { type: "object", properties: {} } },
    };
    await other.callTool({ name: "ask", arguments: question });
    expect(asked).toEqual(["other"]);
    // The second caller has its own connection to the server, so its touch updates nobody else.
    await other.callTool({ name: "touch", arguments: {} });
    expect(received.filter((line) => line.startsWith("other"))).toEqual([]);
    await one.callTool({ name: "touch", arguments: {} });
    await expect.poll(() => received).toContain("one updated");
    expect(received.filter((line) => line.startsWith("other"))).toEqual([]);
    controller.abort();
    await hanging;
    await close();
  });

  it("cannot cancel each other's requests, whatever ids they name", async () => {
    const { port, one, second, close } = await open({});
    const waiting = one.callTool({ name: "wait", arguments: {} });
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${second.token}`,
    };
    for (let requestId = 0; requestId < 20; requestId++)
      for (const id of [requestId, `direct-${requestId}`]) {
        const params = { requestId: id, reason: "forged" };
        const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params });
        await port.ask({ headers, body });
      }
    await one.callTool({ name: "go", arguments: {} });
    expect(await waiting).toMatchObject({ content: [{ text: "honest" }] });
    await close();
  });

  it("cannot continue each other's held requests", async () => {
    const { port, second, close } = await open({ elicitation: { form: {} } }, "2026-07-28");
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    };
    const request = (token: string, more: object) => {
      const form = { message: "?", requestedSchema: { type: "object", properties: {} } };
      const given = { method: "elicitation/create", params: form };
      const params = { name: "ask", arguments: given, _meta: meta, ...more };
      return port.ask({
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${token}`,
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": "ask",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
    };
    const held = JSON.parse((await request(port.owner.token, {})).text) as {
      result: { requestState: string; inputRequests: Record<string, unknown> };
    };
    const { requestState, inputRequests } = held.result;
    const [key = ""] = Object.keys(inputRequests);
    const answer = { requestState, inputResponses: { [key]: { action: "accept", content: { who: "x" } } } };
    const stolen = JSON.parse((await request(second.token, answer)).text) as { error?: object };
    expect(stolen.error).toMatchObject({ code: -32_602, message: "Invalid or expired requestState" });
    const own = JSON.parse((await request(port.owner.token, answer)).text) as { result?: object };
    expect(JSON.stringify(own.result)).toContain("accept");
    await close();
  });
});

describe("a tool that the policy denies", () => {
  const policy = { default: "allow", deny: ["mirrors.mirror", "mirrors.resources.*", "mirrors.prompts.*"] };
  const denied = (answer: unknown): string => JSON.stringify(answer);

  it.each(["legacy", "modern"] as const)(
    "is neither listed nor callable, under any name, for a %s client",
    async (protocol) => {
      const coordinator = await openDirectHost({ mirrors: servers.mirrors }, { settings: { policy } });
      const client: DirectClient = await openDirectClient(coordinator, { protocol });
      const lists = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"];
      for (const method of lists) {
        const listed = JSON.stringify(await client.request(method));
        expect(listed).not.toMatch(/"mirror"|mirror:\/\/|greet/);
      }
      const result = { content: [{ type: "text", text: "reached" }] };
      for (const name of ["mirror", "mirrors__mirror", "Mirror", "mirror "]) {
        const answer = await client.call(name, { result }).catch((error: Error) => error.message);
        expect(denied(answer)).not.toContain("reached");
      }
      const refused = expect.objectContaining({ message: expect.stringContaining("CALL_DENIED") });
      const uri = "mirror://watched";
      await expect(client.request("resources/read", { uri })).rejects.toEqual(refused);
      await expect(client.request("prompts/get", { name: "greet" })).rejects.toEqual(refused);
      if (protocol === "legacy")
        await expect(client.request("resources/subscribe", { uri })).rejects.toEqual(refused);
    },
  );
});
