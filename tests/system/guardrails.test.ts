// Guardrails hold for every program, every call and everything that is shown, on every surface.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type OpenedCoordinator, openCoordinator, type RunRequest } from "../../src/index.js";
import { callSurfaces } from "../support/call-surfaces.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const open = async (guardrails: object, settings: object = {}, others: object = {}) => {
  const folder = await temporaryFolder();
  const toServer = (name: string) => {
    writeFileSync(join(folder, `${name}.txt`), "");
    return { command: process.execPath, args: [fixturePath(name), "--file", join(folder, `${name}.txt`)] };
  };
  const mcpServers = {
    ledger: toServer("ledger"),
    crm: toServer("customers"),
    ...others,
  };
  const policy = { guardrails, ...(settings as { policy?: object }).policy };
  writeFileSync(
    join(folder, "mcp.json"),
    JSON.stringify({ mcpServers, coordinator: { audit: "on", ...settings, policy } }),
  );
  const coordinator = await openCoordinator({
    config: join(folder, "mcp.json"),
    settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
  });
  onTestFinished(() => coordinator.close());
  const readCalls = (name = "ledger") => readFileSync(join(folder, `${name}.txt`), "utf8");
  const readAudit = async () => {
    await coordinator.close();
    return readFileSync(join(folder, "state", "audit", "audit.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return { coordinator, folder, readCalls, readAudit };
};

const inner = { name: "inner names", pattern: "\\.corp\\.example\\.com", because: "they stay inside" };
const blockInput = [{ ...inner, on: ["input"], mode: "block" }];
const warnInput = [{ ...inner, on: ["input"], mode: "warn" }];

describe.each(Object.entries(callSurfaces))("a guardrail on input, in %s,", (_name, makeCall) => {
  it("blocks a call by its arguments, and says why without the pattern", async () => {
    const { coordinator, readCalls, readAudit } = await open(blockInput);
    const { message } = await makeCall(coordinator, "write", "db.corp.example.com");
    expect(message).toContain('the guardrail "inner names" blocks it: they stay inside');
    expect(message).not.toContain("corp");
    expect(readCalls()).toBe("");
    expect(await readAudit()).toMatchObject([
      { kind: "decision", tool: "write", decision: "denied", rule: "inner names", code: "GUARDRAIL_BLOCKED" },
    ]);
  });

  it("lets other calls through", async () => {
    const { coordinator, readCalls } = await open(blockInput);
    expect((await makeCall(coordinator, "read", "db.example.com")).message).toBe("");
    expect(readCalls()).toBe('read "db.example.com"\n');
  });

  it("that warns lets the call through, and is in the audit", async () => {
    const { coordinator, readCalls, readAudit } = await open(warnInput);
    expect((await makeCall(coordinator, "read", "db.corp.example.com")).message).toBe("");
    expect(readCalls()).toBe('read "db.corp.example.com"\n');
    const decisions = (await readAudit()).filter(({ kind }) => kind === "decision");
    expect(decisions).toMatchObject([{ tool: "read", decision: "allowed", warned: ["inner names"] }]);
  });
});

/** Each answers the form of the server `crm` with the same text, and returns all that is shown. */
const answering: Readonly<Record<string, (coordinator: OpenedCoordinator, to: string) => Promise<unknown>>> =
  {
    "a run": (coordinator, to) =>
      coordinator.runCode({
        code: "return await crm.form({})",
        onQuestion: async () => ({ answer: { to } }),
      }),
    "a direct call": async (coordinator, to) => {
      const shown: unknown[] = [];
      const call = { server: "crm", tool: "form", onWarning: (text: string) => void shown.push(text) };
      shown.push(await coordinator.callTool({ ...call, onQuestion: async () => ({ answer: { to } }) }));
      return shown;
    },
    "a direct client": (coordinator, to) =>
      requestDirect("tools/call", { name: "form", arguments: {} }, async () => ({
        action: "accept",
        content: { to },
      }))(coordinator),
  };

describe.each(Object.entries(answering))(
  "a guardrail on input, for an answer to a server in %s,",
  (_name, answer) => {
    it("withholds what it blocks from the server", async () => {
      const { coordinator, readAudit } = await open(blockInput);
      const shown = await answer(coordinator, "db.corp.example.com").catch((error: unknown) => error);
      expect(JSON.stringify(shown)).not.toContain("db.corp");
      expect(await readAudit()).toContainEqual(
        expect.objectContaining({ kind: "guardrail", decision: "denied", rule: "inner names" }),
      );
    });

    it("that warns lets it through, says so, and is in the audit", async () => {
      const { coordinator, readAudit } = await open(warnInput);
      const shown = JSON.stringify(await answer(coordinator, "db.corp.example.com"));
      expect(shown).toContain("db.corp");
      expect(shown).toMatch(/the guardrail .*inner names.* applies to the input of/);
      expect(await readAudit()).toContainEqual(
        expect.objectContaining({ kind: "guardrail", decision: "warned", rule: "inner names" }),
      );
    });
  },
);

const runs =
  (request: RunRequest) =>
  (coordinator: OpenedCoordinator): Promise<unknown> =>
    coordinator.runCode({ output: "json", ...request });
const requestDirect =
  (method: string, params: object, ask?: () => Promise<object>) =>
  async (coordinator: OpenedCoordinator): Promise<unknown> => {
    const notes: unknown[] = [];
    const session = await coordinator.openDirect({
      identity: { info: { name: "test", version: "1" }, capabilities: ask ? { elicitation: {} } : {} },
      protocol: "legacy",
      notify: (message) => void notes.push(message),
    });
    const { signal } = new AbortController();
    const notify = (message: unknown): void => void notes.push(message);
    const answer = await session
      .request({ method, params: params as never, signal, notify, ask: ask as never })
      ?.catch((error: unknown) => ({ message: (error as Error).message }));
    await session.close();
    return [answer, notes];
  };

/** Each shows what the server `crm` says. */
const outputs: Readonly<Record<string, (coordinator: OpenedCoordinator) => Promise<unknown>>> = {
  "the value of a TypeScript program": runs({ code: "return await crm.list({})" }),
  "the value of a Python program": runs({ language: "python", code: "result = crm.list()\nresult" }),
  "printed lines": runs({ code: 'console.log("fine"); console.log(JSON.stringify(await crm.list({})))' }),
  "printed lines of a Python program": runs({ language: "python", code: 'print("fine")\nprint(crm.list())' }),
  "the error of a program": runs({ code: "throw new Error(JSON.stringify(await crm.list({})))" }),
  "the error of a tool": runs({ code: "return await crm.fail({})" }),
  "the error of a server": runs({ code: "return await crm.refuse({})" }),
  "a question of a program": runs({ code: "return await ask(JSON.stringify(await crm.list({})))" }),
  "a plan": runs({ mode: "plan", code: "const all = await crm.list({}); await crm.send({ value: all })" }),
  "a call that waits for approval": runs({
    code: "const all = await crm.list({}); return await crm.send({ value: all })",
    approve: ["crm.send"],
  }),
  "a session": runs({ session: "one", code: "return await crm.list({})" }),
  "a background run": async (coordinator) => {
    const { runId } = await coordinator.startRun({ code: "console.log(await crm.list({})); return 1" });
    return coordinator.waitForRun({ runId });
  },
  "a skill": async (coordinator) => {
    const code = "return await crm.list({})";
    await coordinator.saveSkill({ name: "read-all", description: "Reads.", code });
    return coordinator.runSkill({ name: "read-all", output: "json" });
  },
  "a resource": runs({ code: 'return await crm.resources.read({ uri: "note://1" })', isChecked: false }),
  "a prompt": runs({ code: "return await crm.prompts.greet({})", isChecked: false }),
  "a direct call": (coordinator) =>
    coordinator.callTool({ server: "crm", tool: "list" }).catch((error: unknown) => error),
  "the error of a direct call": (coordinator) =>
    coordinator.callTool({ server: "crm", tool: "refuse" }).catch((error: unknown) => error),
  "the last words of a server, in a direct call": (coordinator) =>
    coordinator.callTool({ server: "crm", tool: "crash" }).catch((error: unknown) => error),
  "the answer to a direct client": requestDirect("tools/call", { name: "list", arguments: {} }),
  "the error to a direct client": requestDirect("tools/call", { name: "refuse", arguments: {} }),
  "a resource for a direct client": requestDirect("resources/read", { uri: "note://1" }),
  "a prompt for a direct client": requestDirect("prompts/get", { name: "greet" }),
};

const mail = { name: "no mail", on: ["output"], pattern: "canary-mail", because: "it is private" };

const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? listFiles(path) : [path];
  });

describe.each(Object.entries(outputs))("a guardrail on output, for %s,", (_name, show) => {
  it("withholds what it blocks, and says so", async () => {
    const { coordinator, readAudit } = await open([{ ...mail, mode: "block" }]);
    const shown = JSON.stringify(await show(coordinator));
    expect(shown).toContain("no mail");
    expect(shown).toContain("it is private");
    expect(shown).not.toContain("canary-mail");
    expect(await readAudit()).toContainEqual(
      expect.objectContaining({ kind: "guardrail", decision: "denied", rule: "no mail" }),
    );
  });

  it("shows it with a warning, if it only warns", async () => {
    const { coordinator, readAudit } = await open([{ ...mail, mode: "warn" }]);
    const shown = JSON.stringify(await show(coordinator));
    expect(shown).toContain("canary-mail");
    expect(await readAudit()).toContainEqual(
      expect.objectContaining({ kind: "guardrail", decision: "warned", rule: "no mail" }),
    );
  });
});

describe("a guardrail on output", () => {
  const blockMail = [{ ...mail, mode: "block" }];

  it("is seen by the model and the person as a warning", async () => {
    const { coordinator } = await open([{ ...mail, mode: "warn" }]);
    const { shown } = await coordinator.runCode({ code: "return await crm.list({})", output: "json" });
    expect(shown?.texts.join("\n")).toContain(
      'Warning: the guardrail "no mail" applies to the returned value: it is private',
    );
    const direct = JSON.stringify(await requestDirect("tools/call", { name: "list" })(coordinator));
    expect(direct).toContain("applies to the answer of");
    const warnings: string[] = [];
    await coordinator.callTool({ server: "crm", tool: "list", onWarning: (text) => warnings.push(text) });
    expect(warnings).toEqual([expect.stringContaining('the answer of "crm.list"')]);
  });

  it("withholds only the lines that it blocks, even while the program runs", async () => {
    const { coordinator } = await open(blockMail);
    const streamed: string[] = [];
    const { logs, status } = await coordinator.runCode({
      code: 'console.log("one"); console.log(await crm.note({})); console.log("two")',
      onLog: ({ text }) => streamed.push(text),
    });
    expect(status).toBe("completed");
    const withheld = expect.stringMatching(/^\[Cannot show this.*"no mail" blocks it/);
    expect(logs.map(({ text }) => text)).toEqual(["one", withheld, "two"]);
    expect(streamed).toEqual(["one", withheld, "two"]);
  });

  it("withholds all lines if what it blocks is spread over several", async () => {
    const { coordinator } = await open([{ ...mail, pattern: "one\\ntwo", mode: "block" }]);
    const { logs } = await coordinator.runCode({ code: 'console.log("one"); console.log("two")' });
    expect(logs.map(({ text }) => text)).toEqual([expect.stringContaining("no mail")]);
  });

  it("sees through the escapes of JSON in printed lines, even while the program runs, and in a direct answer", async () => {
    const { coordinator } = await open(blockMail);
    const streamed: string[] = [];
    const { logs } = await coordinator.runCode({
      code: 'console.log("one"); console.log(await crm.plant({ value: \'{"to":"zoe@canary\\\\u002dmail.com"}\' }));',
      onLog: ({ text }) => streamed.push(text),
      isChecked: false,
    });
    const withheld = expect.stringContaining('"no mail" blocks it');
    expect(logs.map(({ text }) => text)).toEqual(["one", withheld]);
    expect(streamed).toEqual(["one", withheld]);
    const value = '{"to":"zoe@canary\\u002dmail.com"}';
    const direct = requestDirect("tools/call", { name: "plant", arguments: { value } });
    const shown = JSON.stringify(await direct(coordinator));
    expect(shown).toContain("no mail");
    expect(shown).not.toContain("u002dmail");
  });

  it("withholds progress while a call is open", async () => {
    const { coordinator, folder } = await open(blockMail);
    const progress: string[] = [];
    await coordinator.runCode({
      code: "return await crm.work({})",
      onProgress: ({ message }) => {
        progress.push(message);
        writeFileSync(join(folder, "customers.txt.release"), "");
      },
    });
    expect(progress).toEqual([expect.stringContaining('"no mail" blocks it')]);
  });

  it("does not ask a server's question that it blocks, in a run and in a direct call", async () => {
    const { coordinator } = await open(blockMail);
    const asked: unknown[] = [];
    const onQuestion = async (question: unknown) => {
      asked.push(question);
      return { isDeclined: true } as const;
    };
    const result = await coordinator.runCode({ code: "return await crm.form({})", onQuestion });
    const answer = await coordinator
      .callTool({ server: "crm", tool: "form", onQuestion })
      .catch((error: unknown) => error);
    expect(asked).toEqual([]);
    expect(JSON.stringify([result, answer])).not.toContain("canary-mail");
  });

  it("withholds what a server prints while it fails to start, in a direct call", async () => {
    const args = ["-e", "console.error('lost ' + ['canary', 'mail.com'].join('-')); process.exit(3)"];
    const broken = { command: process.execPath, args };
    const call = { server: "broken", tool: "any" };
    const warned = await open([{ ...mail, mode: "warn" }], {}, { broken });
    const shown: unknown = await warned.coordinator.callTool(call).catch((error: unknown) => error);
    expect(String(shown)).toContain("canary-mail.com");
    const { coordinator, readAudit } = await open([{ ...mail, mode: "block" }], {}, { broken });
    const error: unknown = await coordinator.callTool(call).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "GUARDRAIL_BLOCKED" });
    expect(JSON.stringify(error)).not.toContain("canary-mail");
    const line = { kind: "guardrail", server: "(output)", decision: "denied", rule: "no mail" };
    expect(await readAudit()).toContainEqual(expect.objectContaining(line));
  });

  it("leaves the run resumable: another program returns something else, and no call is made again", async () => {
    const { coordinator, readCalls } = await open(blockMail);
    const code = 'await ledger.write({ value: "once" }); const all = await crm.list({});';
    const { runId, status, error } = await coordinator.runCode({ code: `${code} return all` });
    expect([status, error?.code]).toEqual(["failed", "GUARDRAIL_BLOCKED"]);
    const resumed = await coordinator.resumeRun({ runId, code: `${code} return all.rows.length` });
    expect(resumed.value).toBe(1);
    expect(readCalls()).toBe('write "once"\n');
  });

  it("reads large texts in a thread, and blocks what is too large to be read", async () => {
    const { coordinator } = await open([{ ...mail, pattern: "needle", mode: "block" }]);
    const value = (text: string, times: number) => ({ value: { text, times } });
    const call = (given: object) =>
      coordinator.callTool({ server: "crm", tool: "flood", arguments: given as never });
    expect(String(await call(value("hay ", 500_000))).length).toBe(2_000_000);
    await expect(call(value("hay ".repeat(1000).concat("needle"), 500))).rejects.toMatchObject({
      code: "GUARDRAIL_BLOCKED",
    });
    await expect(call(value("hay ", 5_000_000))).rejects.toMatchObject({
      code: "GUARDRAIL_BLOCKED",
      message: expect.stringContaining("too large to be read"),
    });
  });
});

describe("a guardrail on code", () => {
  const code = 'const one = 1;\nawait ledger.write({ value: "db.corp.example.com" });\nreturn one';
  const python = 'one = 1\nledger.write(value="db.corp.example.com")';
  const block = [{ ...inner, on: "code", mode: "block" }];

  it.each([
    ["typescript", { code }],
    ["python", { code: python, language: "python" }],
    ["typescript, unchecked", { code, isChecked: false }],
    ["typescript, in a session", { code, session: "one" }],
    ["typescript, as a plan", { code, mode: "plan" }],
    ["typescript, simulated", { code, simulate: true }],
  ] as readonly (readonly [string, RunRequest])[])(
    "refuses a program before its first call, with the line: %s",
    async (_name, request) => {
      const { coordinator, readCalls, readAudit } = await open(block);
      const { error } = await coordinator.runCode(request);
      expect(error).toMatchObject({
        code: "GUARDRAIL_BLOCKED",
        line: 2,
        message: 'Cannot run the program: the guardrail "inner names" blocks it: they stay inside',
      });
      expect(readCalls()).toBe("");
      expect(await readAudit()).toMatchObject([
        { kind: "guardrail", decision: "denied", rule: "inner names" },
      ]);
    },
  );

  it("that is also on output still says why the program is refused, without quoting it", async () => {
    const { coordinator } = await open([{ ...inner, on: ["code", "output"], mode: "block" }]);
    const { error } = await coordinator.runCode({ code });
    expect(error).toMatchObject({
      code: "GUARDRAIL_BLOCKED",
      line: 2,
      message: 'Cannot run the program: the guardrail "inner names" blocks it: they stay inside',
    });
    expect(JSON.stringify(error)).not.toContain("corp.example.com");
  });

  it("is reported by the check, and refuses skills and what a program imports", async () => {
    const { coordinator, readCalls } = await open(block);
    const { diagnostics, isValid } = await coordinator.checkCode({ code });
    expect(isValid).toBe(false);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "GUARDRAIL_BLOCKED", line: 2 }]);
    const skill = { name: "inside", description: "Writes.", code };
    const saved = await coordinator.saveSkill(skill).then(
      () => coordinator.runSkill({ name: "inside" }),
      (error: unknown) => ({ error }),
    );
    expect(JSON.stringify(saved)).toContain("inner names");
    expect(readCalls()).toBe("");
  });

  it("that warns names the line in the result", async () => {
    const { coordinator, readCalls } = await open([{ ...inner, on: "code", mode: "warn" }]);
    const { notes, value } = await coordinator.runCode({ code });
    expect(value).toBe(1);
    expect(notes?.join("\n")).toContain(
      'Warning: the guardrail "inner names" applies to the program: they stay inside (line 2)',
    );
    expect(readCalls()).not.toBe("");
  });

  it("refuses a background run", async () => {
    const { coordinator } = await open(block);
    const started = await coordinator.startRun({ code }).catch((error: unknown) => ({ error, runId: "" }));
    const ended = started.runId === "" ? started : await coordinator.waitForRun({ runId: started.runId });
    expect(JSON.stringify(ended)).toContain("inner names");
  });
});

describe("guardrails", () => {
  it("see the values behind tokens, and never show them", async () => {
    const guardrails = [{ name: "no mail", on: ["input"], pattern: "canary-mail", mode: "block" }];
    const policy = { hide: ["email"], reveal: { "ledger.write": ["email"] } };
    const { coordinator, readCalls } = await open(guardrails, { policy });
    const { error } = await coordinator.runCode({
      code: "const { rows } = await crm.list({}); await ledger.write({ value: rows[0].email })",
      isChecked: false,
    });
    expect(error).toMatchObject({ code: "GUARDRAIL_BLOCKED" });
    expect(error?.message).not.toContain("canary");
    expect(readCalls()).toBe("");
  });

  it("apply to fetch, too", async () => {
    const seen: string[] = [];
    const web = createServer((request, response) => {
      seen.push(request.url ?? "");
      response.end("done");
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => web.once("listening", resolve));
    onTestFinished(() => void web.close());
    const host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
    const { coordinator } = await open(blockInput, { network: { allow: [host] } });
    const { value } = await coordinator.runCode({
      code: `const codes = [];
        for (const [path, init] of [["/db.corp.example.com"], ["/", { method: "POST", body: "db.corp.example.com" }], ["/fine"]])
          codes.push(await fetch("http://${host}" + path, init).then(({ status }) => status, ({ message }) => message));
        return codes`,
      isChecked: false,
    });
    const blocked = expect.stringContaining('"inner names" blocks it');
    expect(value).toEqual([blocked, blocked, 200]);
    expect(seen).toEqual(["/fine"]);
  });

  it("apply to a resumed run and to calls of a committed plan", async () => {
    const { coordinator, readCalls, folder } = await open([]);
    const code =
      'await ledger.write({ value: "one" }); const go = await ask("go on?"); return await ledger.write({ value: "db.corp.example.com" })';
    const { runId } = await coordinator.runCode({ code });
    const { plan } = await coordinator.runCode({
      mode: "plan",
      code: 'await ledger.write({ value: "x.corp.example.com" })',
    });
    await coordinator.close();
    writeFileSync(join(folder, "policy.yaml"), JSON.stringify({ guardrails: blockInput }));
    const stricter = await openCoordinator({
      config: join(folder, "mcp.json"),
      settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
    });
    onTestFinished(() => stricter.close());
    const resumed = await stricter.resumeRun({ runId, answer: "yes" });
    expect(resumed.error?.message).toContain('"inner names" blocks it');
    const committed = await stricter
      .commitPlan({ planId: plan?.planId ?? "" })
      .catch((error: unknown) => ({ error }));
    expect(JSON.stringify(committed)).toContain("inner names");
    expect(readCalls()).toBe('write "one"\n');
  });

  it("of one policy are not removed by another", async () => {
    const { coordinator, folder } = await open(blockInput);
    await coordinator.close();
    writeFileSync(join(folder, "policy.yaml"), "guardrails: []\n");
    const narrower = await openCoordinator({
      config: join(folder, "mcp.json"),
      settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
    });
    onTestFinished(() => narrower.close());
    const call = { server: "ledger", tool: "read", arguments: { value: "db.corp.example.com" } };
    await expect(narrower.callTool(call)).rejects.toMatchObject({ code: "GUARDRAIL_BLOCKED" });
  });

  it("with a mistake are reported with file and line", async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers: {} }));
    const text = 'guardrails:\n  - name: one\n    on: [code]\n    pattern: "("\n    mode: block\n';
    writeFileSync(join(folder, "policy.yaml"), text);
    await expect(openCoordinator({ config: join(folder, "mcp.json") })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/policy\.yaml:4: "guardrails\.0\.pattern": is not a pattern/),
    });
  });

  it("are listed by the check of the policy, and explained for a call", async () => {
    const { coordinator } = await open([
      ...blockInput,
      { name: "keys", on: "output", detect: "secret", mode: "warn" },
    ]);
    expect(await coordinator.checkPolicy()).toMatchObject([
      { name: "inner names", answer: "block", text: "/\\.corp\\.example\\.com/ on input" },
      { name: "keys", answer: "warn", text: "secret on output" },
    ]);
    const given = { server: "ledger", tool: "read" };
    const value = "db.corp.example.com";
    expect(await coordinator.explainCall({ ...given, arguments: { value } })).toMatchObject({
      answer: "deny",
      rules: [{ name: "inner names", answer: "block" }],
    });
    expect(await coordinator.explainCall(given)).toMatchObject({ answer: "allow", rules: [] });
  });

  it("withhold the line that an error quotes, and do not call it empty", async () => {
    const { coordinator } = await open([{ ...mail, mode: "block" }]);
    const code = 'throw new Error("failed"); // x@canary-mail.com';
    const { error, shown } = await coordinator.runCode({ code, output: "json" });
    expect([error?.line, error?.excerpt]).toEqual([1, undefined]);
    expect(JSON.stringify(shown)).toMatch(/at line 1, column \d+\\n/);
  });

  it("leave no trace of what they withhold in the stored results", async () => {
    const { coordinator, folder } = await open([{ ...mail, mode: "block" }]);
    await coordinator
      .startRun({ code: 'console.log("x@canary-mail" + ".com"); return "x@canary-mail" + ".org"' })
      .then(({ runId }) => coordinator.waitForRun({ runId }));
    await coordinator.close();
    const found = listFiles(join(folder, "state")).filter((path) =>
      /canary-mail\.(?:com|org)/.test(readFileSync(path, "latin1")),
    );
    expect(found).toEqual([]);
  });
});
