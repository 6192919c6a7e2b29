// The audit: one decision for every call that reaches a server, on every surface, and nothing that a call contains.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AuditEntry, type OpenOptions, openCoordinator } from "../../src/index.js";
import { callSurfaces } from "../support/call-surfaces.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const open = async (settings: object = {}, options: OpenOptions = {}) => {
  const folder = await temporaryFolder();
  const seen = join(folder, "seen.txt");
  writeFileSync(seen, "");
  const state = join(folder, "state");
  const config = join(folder, "mcp.json");
  const server = (name: string, ...args: readonly string[]) => ({
    command: process.execPath,
    args: [fixturePath(name), ...args],
  });
  const mcpServers = { ledger: server("ledger", "--file", seen), library: server("library") };
  const policy = {
    allow: ["ledger.*", "library.*", "network.*"],
    ask: ["ledger.put"],
    deny: [{ rule: "ledger.write(value: secret-*)", name: "no secrets" }],
  };
  writeFileSync(config, JSON.stringify({ mcpServers, coordinator: { audit: "on", policy, ...settings } }));
  const reopen = async () => {
    const coordinator = await openCoordinator({
      config,
      settings: { stateFolder: state, cacheFolder: join(folder, "cache") },
      ...options,
    });
    onTestFinished(() => coordinator.close());
    return coordinator;
  };
  const coordinator = await reopen();
  /** Closes the coordinator, so that every line has been written. */
  const readAudit = async (): Promise<readonly AuditEntry[]> => {
    await coordinator.close();
    const reader = await reopen();
    expect(await reader.verifyAudit()).toMatchObject({ isIntact: true });
    return reader.listAudit({ limit: 1000 });
  };
  const readText = (): string => readFileSync(join(state, "audit", "audit.jsonl"), "utf8");
  return { coordinator, reopen, folder, state, readAudit, readText, seen: () => readFileSync(seen, "utf8") };
};

const decisionsOf = (lines: readonly AuditEntry[]) => lines.filter(({ kind }) => kind === "decision");
const callsOf = (lines: readonly AuditEntry[]) => lines.filter(({ kind }) => kind === "call");

describe.each(Object.entries(callSurfaces))("the audit, in %s,", (_name, makeCall) => {
  it("has one decision and one line for a call that is made", async () => {
    const { coordinator, readAudit, seen } = await open();
    await makeCall(coordinator, "read", "personal-value");
    expect(seen()).toBe('read "personal-value"\n');
    const lines = await readAudit();
    const call = { server: "ledger", tool: "read", effect: "read", attempt: 1, outcome: "answered" };
    expect(callsOf(lines)).toMatchObject([call]);
    expect(decisionsOf(lines)).toMatchObject([{ server: "ledger", tool: "read", decision: "allowed" }]);
    expect(lines[0]).toMatchObject({
      fingerprint: expect.any(String),
      policy: expect.any(String),
      rule: "allow 1",
      arguments: { hmac: expect.any(String), bytes: expect.any(Number) },
    });
    expect(lines[0]?.arguments).toEqual(lines[1]?.arguments);
  });

  it("has a decision and no call for one that a rule denies", async () => {
    const { coordinator, readAudit, seen } = await open();
    await makeCall(coordinator, "write", "secret-personal-value");
    expect(seen()).toBe("");
    const lines = await readAudit();
    expect(callsOf(lines)).toEqual([]);
    expect(decisionsOf(lines)).toMatchObject([{ tool: "write", decision: "denied", rule: "no secrets" }]);
  });

  it("has a decision and no call for one with an invented token", async () => {
    const { coordinator, readAudit, seen } = await open({ policy: { hide: ["email"] } });
    await makeCall(coordinator, "read", "[EMAIL_9]");
    expect(seen()).toBe("");
    const lines = await readAudit();
    expect(callsOf(lines)).toEqual([]);
    const refused = { server: "ledger", tool: "read", decision: "refused", code: "TOKEN_UNKNOWN" };
    expect(decisionsOf(lines)).toMatchObject([refused]);
    expect(decisionsOf(lines)[0]?.rule).toBeUndefined();
  });

  it("says that a limit stopped a call that was allowed", async () => {
    const { coordinator, readAudit } = await open({ flow: { servers: { "ledger.read": { quota: 1 } } } });
    await makeCall(coordinator, "read", "one");
    await makeCall(coordinator, "read", "two");
    const lines = await readAudit();
    expect(callsOf(lines)).toHaveLength(1);
    expect(decisionsOf(lines)).toMatchObject([
      { decision: "allowed" },
      { decision: "allowed" },
      { decision: "refused", code: "QUOTA_EXCEEDED" },
    ]);
  });

  it("has a decision and no call for one that waits for people", async () => {
    const { coordinator, readAudit } = await open();
    await makeCall(coordinator, "put", "personal-value");
    const lines = await readAudit();
    expect(callsOf(lines)).toEqual([]);
    expect(decisionsOf(lines).length).toBeGreaterThan(0);
    for (const { decision, rule } of decisionsOf(lines)) {
      expect(["asked", "denied", "captured"]).toContain(decision);
      expect(rule).toBe("ask 1");
    }
  });

  it("contains no value of any call", async () => {
    const { coordinator, readAudit, readText } = await open();
    for (const tool of ["read", "write", "put", "break"]) await makeCall(coordinator, tool, "personal-value");
    await readAudit();
    expect(readText()).not.toContain("personal");
  });
});

describe("the audit", () => {
  it("names the approver, the run, the sequence and the program of an approved call", async () => {
    const { coordinator, readAudit } = await open();
    const code = 'await ledger.read({ value: 1 }); return await ledger.put({ value: "x" })';
    const { runId } = await coordinator.runCode({ code });
    await coordinator.resumeRun({ runId, answer: true });
    const decided = decisionsOf(await readAudit());
    expect(decided.map(({ tool, decision }) => [tool, decision])).toEqual([
      ["read", "allowed"],
      ["put", "asked"],
      ["put", "approved"],
    ]);
    expect(decided[2]).toMatchObject({
      run: runId,
      sequence: 2,
      approver: "person",
      program: decided[0]?.program,
    });
  });

  it("records calls outside an approved program", async () => {
    const policy = { allow: ["reads"], ask: ["writes"], askBy: "program" };
    const { coordinator, readAudit } = await open({ policy });
    const code = `Object.defineProperty(Object.prototype, "toJSON", {
  value() { return Array.isArray(this) ? this : { value: "evil" }; },
});
await ledger.write({ value: "a" });`;
    await coordinator.runCode({ code, onQuestion: async () => ({ answer: true }) });
    const lines = await readAudit();
    expect(decisionsOf(lines)).toMatchObject([{ decision: "refused", code: "OUTSIDE_MANIFEST" }]);
    expect(callsOf(lines)).toEqual([]);
  });

  it("says that a direct call waits for a person", async () => {
    const { coordinator, readAudit } = await open();
    const onQuestion = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { answer: true };
    };
    await coordinator.callTool({ server: "ledger", tool: "put", arguments: { value: 1 }, onQuestion });
    const decided = decisionsOf(await readAudit());
    expect(decided).toMatchObject([{ decision: "asked", rule: "ask 1" }, { decision: "approved" }]);
  });

  it("has resources, prompts and completion, in programs and of direct clients", async () => {
    const { coordinator, readAudit } = await open();
    const { error } = await coordinator.runCode({
      code: 'await library.resources.read({ uri: "library://rules" }); await library.prompts["review-book"]({ title: "dune" });',
    });
    expect(error).toBeUndefined();
    await coordinator.readOffered({ resource: "offered://library/library%3A%2F%2Frules" }).catch(() => {});
    const session = await coordinator.openDirect({
      identity: { info: { name: "test", version: "1" }, capabilities: {} },
      protocol: "legacy",
      notify: () => {},
    });
    const request = (method: string, params: object) =>
      session.request({
        method,
        params: params as never,
        signal: new AbortController().signal,
        notify: () => {},
      });
    await request("resources/read", { uri: "library://rules" });
    await request("prompts/get", { name: "review-book", arguments: { title: "emma" } });
    await request("completion/complete", {
      ref: { type: "ref/prompt", name: "review-book" },
      argument: { name: "title", value: "u" },
    });
    await session.close();
    const lines = await readAudit();
    const names = callsOf(lines).map(({ tool }) => tool);
    expect(names).toEqual([
      ...["resources.read", "prompts.review-book"],
      ...["resources.read", "prompts.review-book", "complete"],
    ]);
    expect(decisionsOf(lines).map(({ tool }) => tool)).toEqual(names);
  });

  it("has every request of a fetch, redirects included", async () => {
    const web = createServer((request, response) => {
      if (request.url === "/near") response.writeHead(302, { location: "/far" }).end();
      else response.end("personal answer");
    });
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void web.close());
    const host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
    const { coordinator, readAudit } = await open({ network: { allow: [host] } });
    const { error } = await coordinator.runCode({
      code: `return await (await fetch("http://${host}/near")).text()`,
    });
    expect(error).toBeUndefined();
    await coordinator.runCode({ code: 'return await fetch("https://elsewhere.example")' });
    const lines = await readAudit();
    expect(callsOf(lines)).toMatchObject([{ tool: "fetch" }, { tool: "fetch" }]);
    expect(decisionsOf(lines).map(({ decision }) => decision)).toEqual([
      "allowed",
      "allowed",
      "allowed",
      "refused",
    ]);
  });

  it("names the caller and the caller's roles", async () => {
    const policy = { default: "allow", roles: { analyst: { callers: ["ana"], deny: ["ledger.break"] } } };
    const { coordinator, readAudit } = await open({ policy });
    await coordinator.callTool({ server: "ledger", tool: "read", arguments: { value: 1 }, caller: "ana" });
    expect((await readAudit())[0]).toMatchObject({ caller: "ana", roles: ["analyst"], decision: "allowed" });
  });

  it.each(["ledger\u2028", `led-ger${"-".repeat(400)}`])(
    "has the configured name of a server, however a program writes it",
    async (name) => {
      const { coordinator, readAudit } = await open();
      const code = `await callTool(${JSON.stringify(name)}, "personal-value", { value: 1 })`;
      const { error } = await coordinator.runCode({ code, servers: ["library"], isChecked: false });
      expect(error?.code).toBe("SERVER_NOT_ALLOWED");
      const [line, ...others] = await readAudit();
      expect(others).toEqual([]);
      expect(line).toMatchObject({ server: "ledger", decision: "refused", code: "SERVER_NOT_ALLOWED" });
      expect(line?.tool).toBeUndefined();
    },
  );

  it("has a refusal for a call that an approved program does not contain", async () => {
    const policy = { allow: ["reads"], ask: ["writes"], askBy: "program" };
    const { coordinator, readAudit, seen } = await open({ policy });
    const code = `Object.defineProperty(Object.prototype, "toJSON", {
  value() { return Array.isArray(this) ? this : { value: "evil" }; },
});
await ledger.write({ value: "a" });`;
    const { error } = await coordinator.runCode({ code, onQuestion: async () => ({ answer: true }) });
    expect(error?.code).toBe("OUTSIDE_MANIFEST");
    expect(seen()).toBe("");
    const decided = decisionsOf(await readAudit());
    expect(decided).toMatchObject([{ tool: "write", decision: "refused", code: "OUTSIDE_MANIFEST" }]);
  });

  it("has no second decision for calls that a resumed run does not make again", async () => {
    const { coordinator, readAudit } = await open();
    const code =
      'await ledger.write({ value: "a" }); await ask("go on?"); return await ledger.write({ value: "b" })';
    const { runId } = await coordinator.runCode({ code });
    await coordinator.resumeRun({ runId, answer: "yes" });
    const lines = await readAudit();
    expect(decisionsOf(lines)).toHaveLength(2);
    expect(callsOf(lines)).toHaveLength(2);
  });

  it("is off by default, and the strictest setting counts", async () => {
    const off = await open({ audit: "off" });
    await off.coordinator.callTool({ server: "ledger", tool: "read", arguments: { value: 1 } });
    expect(await off.coordinator.listAudit()).toEqual([]);
    const on = await open({ audit: "required" }, { settings: { audit: "off" } as never });
    await on.coordinator.callTool({ server: "ledger", tool: "read", arguments: { value: 1 } });
    expect(await on.coordinator.listAudit()).toHaveLength(2);
  });

  it.each(Object.entries(callSurfaces))(
    "if required, stops a call that cannot be recorded: %s",
    async (_name, makeCall) => {
      const { coordinator, state, seen } = await open({ audit: "required" });
      // A folder in place of the file: nothing can be written to it.
      mkdirSync(join(state, "audit", "audit.jsonl"), { recursive: true });
      const { message } = await makeCall(coordinator, "read", "x");
      expect(message).toContain("the audit is required, and the call could not be recorded");
      expect(seen()).toBe("");
    },
  );

  it("if not required, lets calls through that cannot be recorded", async () => {
    const { coordinator, state, seen } = await open();
    mkdirSync(join(state, "audit", "audit.jsonl"), { recursive: true });
    await coordinator.callTool({ server: "ledger", tool: "read", arguments: { value: 1 } });
    expect(seen()).toBe("read 1\n");
  });

  it("passes every line to a function of the host, and waits for it if required", async () => {
    const lines: AuditEntry[] = [];
    const { coordinator } = await open({ audit: "required" }, { onAudit: (entry) => void lines.push(entry) });
    await coordinator.callTool({ server: "ledger", tool: "read", arguments: { value: 1 } });
    expect(lines.map(({ kind }) => kind)).toEqual(["decision", "call"]);
    const failing = await open({ audit: "required" }, { onAudit: () => Promise.reject(new Error("full")) });
    await expect(
      failing.coordinator.callTool({ server: "ledger", tool: "read", arguments: { value: 1 } }),
    ).rejects.toMatchObject({ code: "AUDIT_FAILED" });
    expect(failing.seen()).toBe("");
  });

  it("sends lines to an endpoint in order, with a token, and again after a failure", async () => {
    const bodies: string[] = [];
    const tokens = new Set<string | undefined>();
    let isDown = true;
    const web = createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += part;
      tokens.add(request.headers.authorization);
      if (!isDown) bodies.push(body);
      response.writeHead(isDown ? 503 : 204).end();
      isDown = false;
    });
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void web.close());
    const postTo = `http://127.0.0.1:${(web.address() as AddressInfo).port}/lines`;
    const { coordinator, readAudit } = await open(
      { auditLog: { postTo, postTokenVariable: "AUDIT_TOKEN" } },
      { environment: { ...process.env, AUDIT_TOKEN: "t0ken" } },
    );
    for (const value of [1, 2, 3])
      await coordinator.callTool({ server: "ledger", tool: "read", arguments: { value } });
    const lines = await readAudit();
    const sent = bodies.join("").split("\n").slice(0, -1);
    expect(sent.map((line) => (JSON.parse(line) as AuditEntry).n)).toEqual(lines.map(({ n }) => n));
    expect([...tokens]).toEqual(["Bearer t0ken"]);
  });

  it("is sent again if the endpoint fails while the coordinator closes", async () => {
    const bodies: string[] = [];
    let requests = 0;
    const web = createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += part;
      if (++requests > 2) bodies.push(body);
      response.writeHead(requests > 2 ? 204 : 503).end();
    });
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void web.close());
    const postTo = `http://127.0.0.1:${(web.address() as AddressInfo).port}/lines`;
    const { coordinator, readAudit } = await open({ auditLog: { postTo } });
    await coordinator.callTool({ server: "ledger", tool: "read", arguments: { value: 1 } });
    expect(await readAudit()).toHaveLength(2);
    expect(bodies.join("").split("\n")).toHaveLength(3);
  });

  it("is not sent unencrypted to another machine", async () => {
    const { coordinator } = await open({ auditLog: { postTo: "http://logs.example/lines" } });
    await expect(coordinator.listServers()).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("is exported as one file", async () => {
    const { coordinator, folder } = await open({ audit: "required", auditLog: { maxFileBytes: 500 } });
    for (const value of [1, 2, 3])
      await coordinator.callTool({ server: "ledger", tool: "read", arguments: { value } });
    const path = join(folder, "copy.jsonl");
    expect(await coordinator.exportAudit({ path })).toEqual({ path, lines: 6 });
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(7);
    await expect(coordinator.exportAudit({ path })).rejects.toMatchObject({
      code: "USAGE",
      message: expect.stringMatching(/: the file already exists$/),
    });
  });
});
