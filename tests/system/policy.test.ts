// A policy holds for every call, on every surface: programs in both languages, direct calls, skills, plans, resumed and background runs.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type JsonObject, openCoordinator } from "../../src/index.js";
import { callSurfaces } from "../support/call-surfaces.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const open = async (
  policy: object,
  file?: { readonly name: string; readonly text: string },
  settings: object = {},
) => {
  const folder = await temporaryFolder();
  const seen = join(folder, "seen.txt");
  writeFileSync(seen, "");
  const args = [fixturePath("ledger"), "--file", seen];
  writeFileSync(
    join(folder, "mcp.json"),
    JSON.stringify({
      mcpServers: { ledger: { command: process.execPath, args } },
      coordinator: { policy, ...settings },
    }),
  );
  if (file !== undefined) writeFileSync(join(folder, file.name), file.text);
  const coordinator = await openCoordinator({
    config: join(folder, "mcp.json"),
    settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
  });
  onTestFinished(() => coordinator.close());
  return { coordinator, folder, readCalls: () => readFileSync(seen, "utf8").split("\n").slice(0, -1) };
};

const policy = {
  allow: ["ledger.*"],
  ask: ["ledger.put"],
  deny: [
    { rule: "ledger.write(value: secret-*)", name: "no secrets", because: "secrets stay here" },
    "ledger.break",
  ],
};

describe.each(Object.entries(callSurfaces))("the policy, in %s,", (_name, makeCall) => {
  it("denies a call by a condition, and gives the reason without the pattern", async () => {
    const { coordinator, readCalls } = await open(policy);
    const { message } = await makeCall(coordinator, "write", "secret-1");
    expect(message).toContain('the policy denies it (rule "no secrets"): secrets stay here');
    expect(message).not.toContain("secret-*");
    expect(readCalls()).toEqual([]);
  });

  it("denies every call of a denied tool", async () => {
    const { coordinator, readCalls } = await open(policy);
    const { message } = await makeCall(coordinator, "break", "x");
    expect(message).toContain('the policy denies it (rule "deny 2")');
    expect(readCalls()).toEqual([]);
  });

  it("lets an allowed call through", async () => {
    const { coordinator, readCalls } = await open(policy);
    const { message } = await makeCall(coordinator, "read", "x");
    expect(message).toBe("");
    expect(readCalls()).toEqual(['read "x"']);
  });

  it("holds a call that a person must approve", async () => {
    const { coordinator, readCalls } = await open(policy);
    await makeCall(coordinator, "put", "x");
    expect(readCalls()).toEqual([]);
  });
});

describe.each(Object.entries(callSurfaces))("a flow, in %s,", (_name, makeCall) => {
  const flows = {
    context: "untrusted",
    flows: [{ deny: "untrusted -> ledger.write, ledger.put#value", because: "strangers wrote it" }],
  };

  it("denies a call that untrusted text may have caused", async () => {
    const { coordinator, readCalls } = await open(flows);
    for (const tool of ["write", "put"]) {
      const { message } = await makeCall(coordinator, tool, "x");
      expect(message).toContain(
        'the policy does not let this data flow there (rule "flow 1"): strangers wrote it',
      );
      expect(message).not.toContain("untrusted");
    }
    expect(readCalls()).toEqual([]);
  });

  it("does not affect other calls", async () => {
    const { coordinator, readCalls } = await open(flows);
    expect((await makeCall(coordinator, "read", "x")).message).toBe("");
    expect(readCalls()).toEqual(['read "x"']);
  });
});

describe("a policy", () => {
  it("is read from policy.yaml beside the configuration, with line numbers", async () => {
    await expect(
      open({}, { name: "policy.yaml", text: "deny:\n  - ledger.write\n  - delete\n" }),
    ).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/policy\.yaml:3: "deny\.1": "delete" selects nothing/),
    });
  });

  it("asks for quotes around a pattern that YAML reads as a reference", async () => {
    await expect(
      open({}, { name: "policy.yaml", text: "allow: [reads]\ndeny: [*.delete_*]\n" }),
    ).rejects.toMatchObject({
      code: "CONFIG_UNREADABLE",
      message: expect.stringMatching(/policy\.yaml": line 2 has \*\.delete_\* without quotes$/),
      hint: expect.stringContaining('Write it in quotes: "*.delete_*".'),
    });
  });

  it("joins the policies of several files by the strictest answer", async () => {
    const { coordinator } = await open(
      { allow: ["ledger.*"] },
      { name: "policy.yaml", text: "deny: [ledger.write]\n" },
    );
    const { error } = await coordinator.runCode({ code: 'return await ledger.write({ value: "x" })' });
    expect(error?.message).toContain("the policy denies it");
  });

  it("explains a fetch as it is decided: without a method, it reads", async () => {
    const { coordinator } = await open({ allow: ["reads"], default: "deny" });
    const explain = async (given: JsonObject) =>
      (await coordinator.explainCall({ server: "network", tool: "fetch", arguments: given })).answer;
    expect(await explain({ url: "https://acme.com/" })).toBe("allow");
    expect(await explain({ url: "https://acme.com/", method: "head" })).toBe("allow");
    expect(await explain({ url: "https://acme.com/", method: "POST" })).toBe("deny");
  });

  it("hides denied tools from search, lists and the outline", async () => {
    const { coordinator } = await open(policy);
    const names = (await coordinator.listTools({ server: "ledger" })).map(({ name }) => name);
    expect(names).toContain("write");
    expect(names).not.toContain("break");
    const { hits } = await coordinator.searchTools({ query: "does break" });
    expect(hits.map((hit) => JSON.stringify(hit)).join()).not.toContain("ledger.break");
    const outline = await coordinator.outlineCatalog({ maxTokens: 2000, frame: "" });
    expect(JSON.stringify(outline)).toContain("ledger.write");
    expect(JSON.stringify(outline)).not.toContain("break");
  });

  it("that denies by default hides what no rule lets through, and refuses it with the line", async () => {
    const { coordinator, readCalls } = await open({ allow: ["reads"], default: "deny" });
    const tools = (await coordinator.listTools({})).map(({ name }) => name);
    expect(tools).toContain("read");
    expect(tools).not.toContain("write");
    const code = "await ledger.read({ value: 1 });\nawait ledger.write({ value: 1 });";
    const { error } = await coordinator.runCode({ code });
    expect(error).toMatchObject({ code: "PROGRAM_INVALID" });
    expect(error?.message).toContain('the policy denies it (rule "default")');
    const dynamic = "await ledger.read({ value: 1 });\nawait ledger[['write'][0]]({ value: 1 });";
    const called = await coordinator.runCode({ code: dynamic });
    expect(called.error?.message).toContain('the policy denies it (rule "default")');
    expect(readCalls()).toEqual(["read 1"]);
  });

  it("is tested with the calls of a file, and each result has its line", async () => {
    const { coordinator, folder } = await open(policy);
    const path = join(folder, "cases.yaml");
    writeFileSync(
      path,
      "- { call: ledger.write, with: { value: a }, expect: allow }\n- { call: ledger.write, with: { value: secret-1 }, expect: allow }\n",
    );
    expect(await coordinator.testPolicy({ path })).toMatchObject([
      { line: 1, answer: "allow", isPassed: true },
      { line: 2, answer: "deny", isPassed: false },
    ]);
  });

  it.each([
    [
      "- { call: ledger.write, expected: deny }",
      'example 1 (line 1) has the unknown key "expected"',
      'Did you mean "expect"?',
    ],
    [
      "- { call: ledger.write, expect: deny, role: admin }",
      'example 1 (line 1) has the unknown key "role"',
      "Expected a list of",
    ],
    [
      "- { call: ledger.read, expect: allow }\n- { call: write, expect: deny }",
      'example 2 (line 2) has no "call" of the form server.tool',
      "Expected a list of",
    ],
    [
      "- { call: ledger.write, expect: no }",
      'example 1 (line 1) has no "expect" with allow, ask or deny',
      "Expected a list of",
    ],
  ])("names the mistake in the example %s", async (text, state, hint) => {
    const { coordinator, folder } = await open(policy);
    const path = join(folder, "cases.yaml");
    writeFileSync(path, text);
    await expect(coordinator.testPolicy({ path })).rejects.toMatchObject({
      code: "USAGE",
      message: `Cannot read the examples in "${path}": ${state}`,
      hint: expect.stringContaining(hint),
    });
  });

  it("hides what a role is denied from its callers only, and refuses their programs with the line", async () => {
    const { coordinator, readCalls } = await open({
      allow: ["ledger.*"],
      roles: { analyst: { callers: ["ana"], deny: ["writes"] } },
    });
    await coordinator.listTools({ server: "ledger" });
    const search = async (caller?: string) =>
      JSON.stringify((await coordinator.searchTools({ query: "does write", caller })).hits);
    expect(await search()).toContain("ledger.write");
    expect(await search("ana")).not.toContain("ledger.write");
    expect(await search("bob")).toContain("ledger.write");
    const outline = async (caller?: string) =>
      JSON.stringify(await coordinator.outlineCatalog({ maxTokens: 2000, frame: "", caller }));
    expect(await outline("ana")).not.toContain("ledger.write");
    expect(await outline("ana")).toContain("ledger.read");
    expect(await outline("bob")).toContain("ledger.write");
    const code = 'return await ledger.write({ value: "x" })';
    const denied = await coordinator.runCode({ code, caller: "ana" });
    expect(denied.error).toMatchObject({ line: 1, message: expect.stringContaining("analyst: deny 1") });
    const listed = await coordinator.runCode({
      code: 'return (await listTools("ledger")).map(({ name }) => name)',
      caller: "ana",
    });
    expect(JSON.stringify(listed.value)).not.toContain("write");
    expect(readCalls()).toEqual([]);
    expect((await coordinator.runCode({ code, caller: "bob" })).error).toBeUndefined();
  });

  it("reports a call of a denied tool with its line before anything is called", async () => {
    const { coordinator, readCalls } = await open(policy);
    const code = 'await ledger.write({ value: "fine" });\nreturn await ledger.break({ value: "x" })';
    for (const language of ["typescript", "python"] as const) {
      const program =
        language === "typescript" ? code : 'ledger.write(value="fine")\nledger.break_(value="x")';
      const { diagnostics } = await coordinator.checkCode({ code: program, language });
      expect(diagnostics).toMatchObject([{ severity: "error", code: "CALL_DENIED", line: 2 }]);
    }
    const { status } = await coordinator.runCode({ code });
    expect(status).toBe("failed");
    expect(readCalls()).toEqual([]);
  });

  it("that denies more in the meantime applies to a resumed run, but not to calls that were already made", async () => {
    const { coordinator, readCalls, folder } = await open({ allow: ["ledger.*"] });
    const code =
      'await ledger.write({ value: "one" }); await ask("go on?"); return await ledger.write({ value: "two" })';
    const { runId, status } = await coordinator.runCode({ code });
    expect(status).toBe("paused");
    await coordinator.close();
    writeFileSync(join(folder, "policy.yaml"), "deny: [ledger.write]\n");
    const stricter = await openCoordinator({
      config: join(folder, "mcp.json"),
      settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
    });
    onTestFinished(() => stricter.close());
    const result = await stricter.resumeRun({ runId, answer: "yes" }).catch((error: unknown) => ({ error }));
    expect((result.error as { message: string }).message).toContain("the policy denies it");
    expect(readCalls()).toEqual(['write "one"']);
  });

  it("rules on fetch as network.fetch", async () => {
    const rules = { deny: ["network.fetch(url: https://evil.org/**)"], default: "allow" };
    const { coordinator } = await open(rules, undefined, { network: { allow: ["evil.org"] } });
    const { error } = await coordinator.runCode({ code: 'return await fetch("https://evil.org/x")' });
    expect(error?.message).toContain("the policy denies it");
  });
});
