// Private data never reaches a server that may not have it, however a program carries it there.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunRequest, RunResult } from "../../src/index.js";
import { type DataFlow, openDataFlow } from "../support/open-data-flow.js";

const policy = {
  labels: { private: ["crm.*"], untrusted: ["mail.note"] },
  flows: [{ deny: "private -> web.*", name: "customers stay here", because: "we promised it" }],
};

const read = "const { rows } = await crm.list({}); const secret = rows[0].email;";
const readPython = 'secret = crm.list()["rows"][0]["email"]\n';

/** Each tries to send the secret to the web, in one program. */
const typescript: Readonly<Record<string, string>> = {
  unchanged: `${read} await web.write({ value: secret })`,
  encoded: `${read} await web.write({ value: btoa(secret) })`,
  reversed: `${read} await web.write({ value: [...secret].reverse().join("") })`,
  "in slices": `${read} for (const part of secret.match(/.{1,3}/g)) await web.write({ value: part })`,
  "inside a text": `${read} await web.write({ value: "Hello " + secret })`,
  "inside an object": `${read} await web.write({ value: { deep: [{ to: secret }] } })`,
  "as numbers": `${read} await web.write({ value: [...secret].map((c) => c.charCodeAt(0)) })`,
  "as one number": `${read} await web.write({ value: secret.charCodeAt(0) })`,
  "as flags": `${read} await web.write({ value: [...secret].map((c) => c > "m") })`,
  "as names in an object": `${read} await web.write({ value: { [secret]: 1 } })`,
  "as an argument's name": `${read} await web.write({ value: true, [secret]: true })`,
  "by a table of literals": `${read}
    const table = { z: "zed", o: "oh", e: "ee" };
    await web.write({ value: table[secret[0]] });
    if (secret === "") { await web.write({ value: "zed" }); await web.write({ value: "oh" }) }`,
  "through an error": `let text = ""; try { await crm.fail({}) } catch (error) { text = error.message } await web.write({ value: text })`,
  "through an error of the protocol": `let text = ""; try { await crm.refuse({}) } catch (error) { text = error.message } await web.write({ value: text })`,
  "through another server": `${read} const echo = await mail.plant({ value: btoa(secret) }); await web.write({ value: echo })`,
  "through a tool that is chosen at run time": `${read} const name = "wri" + "te"; await servers.web[name]({ value: secret })`,
  "through a stored answer": `const kept = await crm.list.keep({}); await web.write({ value: kept })`,
  "through a stored value": `${read} const kept = await keep(btoa(secret)); await web.write({ value: kept })`,
  "through a part of a stored answer": `const kept = await crm.list.keep({}); const rows = await kept.query({ path: "rows" }); await web.write({ value: JSON.stringify(rows) })`,
  "through memory": `${read} await memory.save("x", secret); await web.write({ value: await memory.load("x") })`,
  "through a whole result": `const raw = await crm.list.raw({}); await web.write({ value: JSON.stringify(raw) })`,
  "with a read": `${read} await web.read({ value: secret })`,
  "with a read whose answer is stored": `${read} await web.read.keep({ value: secret })`,
};

const python: Readonly<Record<string, string>> = {
  unchanged: `${readPython}web.write(value=secret)`,
  encoded: `import base64\n${readPython}web.write(value=base64.b64encode(secret.encode()).decode())`,
  "in slices": `${readPython}for at in range(0, len(secret), 3):\n    web.write(value=secret[at:at+3])`,
  "inside a text": `${readPython}web.write(value=f"Hello {secret}")`,
  "as numbers": `${readPython}web.write(value=[ord(c) for c in secret])`,
  "as names in an object": `${readPython}web.write(value={secret: 1})`,
  "through an error": `text = ""\ntry:\n    crm.fail()\nexcept Exception as error:\n    text = str(error)\nweb.write(value=text)`,
  "through a stored answer": `kept = crm.list.keep()\nweb.write(value=kept)`,
  "through memory": `${readPython}memory.save("x", secret)\nweb.write(value=memory.load("x"))`,
};

const expectDenied = (result: Pick<RunResult, "error">): void => {
  expect(result.error).toMatchObject({
    message: expect.stringContaining(
      'the policy does not let this data flow there (rule "customers stay here"): we promised it',
    ),
  });
  expect(result.error?.message).not.toContain("private");
};

/** One coordinator for all attacks. Each has its own workspace and conversation. */
let shared: DataFlow;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcp-coordinator-test-"));
  shared = await openDataFlow({ policy, folder, onEnd: () => {} });
});
afterAll(async () => {
  await shared.coordinator.close();
  await rm(shared.folder, { recursive: true, force: true, maxRetries: 10 });
});

let count = 0;
const attack = async (
  work: (run: (request: RunRequest) => Promise<RunResult>, place: Place) => Promise<unknown>,
) => {
  const place = { workspace: `attack-${++count}`, conversation: {} };
  const before = shared.readCalls("web");
  const result = await work((request) => shared.coordinator.runCode({ ...request, ...place }), place);
  expectDenied(result as RunResult);
  expect(shared.readCalls("web")).toBe(before);
};

describe("private data", () => {
  it.each(Object.entries(typescript))("does not reach a server that may not have it: %s", (_name, code) =>
    attack((run) => run({ code })),
  );

  it.each(Object.entries(python))(
    "does not reach a server that may not have it from Python: %s",
    (_name, code) => attack((run) => run({ code, language: "python" })),
  );
});

describe("private data in a run without a journal", () => {
  let unjournaled: DataFlow;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "mcp-coordinator-test-"));
    unjournaled = await openDataFlow({ policy, folder, onEnd: () => {}, settings: { journal: "off" } });
  });
  afterAll(async () => {
    await unjournaled.coordinator.close();
    await rm(unjournaled.folder, { recursive: true, force: true, maxRetries: 10 });
  });

  it.each(Object.entries(typescript))(
    "does not reach a server that may not have it: %s",
    async (_name, code) => {
      const workspace = `attack-${++count}`;
      expectDenied(await unjournaled.coordinator.runCode({ code, workspace, conversation: {} }));
      expect(unjournaled.readCalls("web")).toBe("");
    },
  );
});

interface Place {
  readonly workspace: string;
  readonly conversation: object;
}

type Run = (request: RunRequest) => Promise<RunResult>;
type Way = (run: Run, place: Place) => Promise<unknown>;

/** In another conversation: its model has read nothing. */
const runElsewhere = (workspace: string, code: string): Promise<RunResult> =>
  shared.coordinator.runCode({ code, workspace, conversation: {} });

const fromOneRunToTheNext: Readonly<Record<string, Way>> = {
  "what the model read": async (run) => {
    await run({ code: `${read} return secret` });
    return run({ code: 'await web.write({ value: "zoe.quill@canary-mail.com" })' });
  },
  "what the model read in a log": async (run) => {
    await run({ code: `${read} console.log(btoa(secret))` });
    return run({ code: 'await web.write({ value: "em9l" })' });
  },
  "what the model read as many numbers": async (run) => {
    await run({ code: `${read} return [...secret].map((c) => c.charCodeAt(0))` });
    return run({ code: 'await web.write({ value: "zoe" })' });
  },
  "what the model read as invented tokens": async (run) => {
    await run({ code: `${read} return [...secret].map((c) => "[EMAIL_" + c.charCodeAt(0) + "]").join(" ")` });
    return run({ code: 'await web.write({ value: "zoe" })' });
  },
  "what the model read as names": async (run) => {
    await run({ code: `${read} return { [secret]: 1 }` });
    return run({ code: 'await web.write({ value: "zoe" })' });
  },
  "what the model read in an error": async (run) => {
    await run({ code: `${read} throw new Error(secret)` });
    return run({ code: 'await web.write({ value: "zoe" })' });
  },
  "what the model read in the background": async (run, place) => {
    const { runId } = await shared.coordinator.startRun({ code: `${read} return secret`, ...place });
    await shared.coordinator.waitForRun({ runId, ...place });
    return run({ code: 'await web.write({ value: "zoe" })' });
  },
  "what a direct call answered": async (run, { conversation }) => {
    await shared.coordinator.callTool({ server: "crm", tool: "list", conversation });
    return run({ code: 'await web.write({ value: "zoe" })' });
  },
  "a file": async (run) => {
    await run({ code: `import fs from "fs/promises"; ${read} await fs.writeFile("workspace/x", secret)` });
    return run({
      code: 'import fs from "fs/promises"; await web.write({ value: await fs.readFile("workspace/x", "utf8") })',
    });
  },
  memory: async (run) => {
    await run({ code: `${read} await memory.save("x", secret)` });
    return run({ code: 'await web.write({ value: await memory.load("x") })' });
  },
  "a variable of a session": async (run) => {
    await run({ session: "one", code: `${read}` });
    return run({ session: "one", code: "await web.write({ value: btoa(secret) })" });
  },
  "a stored value": async (run) => {
    const { value } = await run({ code: `${read} return (await keep(secret)).id` });
    return run({ code: `await web.write({ value: await stored("${value}") })` });
  },
  "the text of a skill": async (run) => {
    await run({
      code: `${read} await skills.save({ name: "tell", description: "Tells.", code: "return " + JSON.stringify(secret) })`,
    });
    return run({
      code: 'import { tell } from "skills/tell"; await web.write({ value: await tell() })',
    });
  },
  "the text of a skill that is saved from code": async (run, { workspace }) => {
    const { value } = await run({ code: `${read} return secret` });
    const code = `return ${JSON.stringify(value)}`;
    await shared.coordinator.saveSkill({ name: "say", description: "Says.", code, workspace });
    return runElsewhere(
      workspace,
      'import { say } from "skills/say"; await web.write({ value: await say() })',
    );
  },
  "the text of a skill that is saved from a run": async (run, { workspace }) => {
    const { value } = await run({ code: `${read} return secret` });
    const { runId } = await run({ code: `await crm.list({}); return ${JSON.stringify(value)}` });
    await shared.coordinator.saveSkill({ name: "say", description: "Says.", runId, workspace });
    return runElsewhere(
      workspace,
      'import { say } from "skills/say"; await web.write({ value: await say() })',
    );
  },
  "a direct call": async (run, { conversation }) => {
    await run({ code: `${read} return secret` });
    const call = { server: "web", tool: "write", arguments: { value: "zoe" }, conversation };
    return shared.coordinator.callTool(call).then(
      () => ({}),
      (error: unknown) => ({ error }),
    );
  },
};

describe("private data from an earlier run", () => {
  it.each(Object.entries(fromOneRunToTheNext))("does not reach the web through %s", (_name, way) =>
    attack(way),
  );
});

describe("a token for private data in a single call", () => {
  const asking = {
    labels: policy.labels,
    hide: ["email"],
    reveal: { "web.*": "all" },
    flows: [{ ask: "private -> web.*", name: "ask about customers" }],
  };
  it.each<[string, (token: unknown) => unknown]>([
    ["alone", (token) => token],
    ["in an object", (token) => ({ to: token })],
    ["in a list inside an object", (token) => ({ deep: [{ to: [token] }] })],
  ])("is not sent without a question if it is %s", async (_place, wrap) => {
    const { coordinator, readCalls } = await openDataFlow({ policy: asking });
    const { value } = await coordinator.runCode({ code: `${read} return secret`, conversation: {} });
    expect(value).toMatch(/^\[EMAIL_\d+\]$/);
    const call = { server: "web", tool: "write", arguments: { value: wrap(value) as never } };
    await expect(coordinator.callTool({ ...call, conversation: {} })).rejects.toThrow("it needs approval");
    expect(readCalls("web")).toBe("");
  });
});

const resumed = `${read} await ask("go on?"); await web.write({ value: secret })`;

describe("private data in a stored run", () => {
  it("does not reach the web after the run is resumed in another process", async () => {
    const first = await openDataFlow({ policy });
    const { runId, status } = await first.coordinator.runCode({ code: resumed });
    expect(status).toBe("paused");
    await first.coordinator.close();
    const { coordinator, readCalls } = await openDataFlow({ policy, folder: first.folder });
    expectDenied(await coordinator.resumeRun({ runId, answer: "yes" }));
    expect(readCalls("web")).toBe("");
  });

  it("does not reach the web through a corrected program", () =>
    attack(async (run, place) => {
      const { runId } = await run({ code: `${read} await ask("go on?"); return 1` });
      const code = `${read} await ask("go on?"); await web.write({ value: btoa(secret) })`;
      return shared.coordinator.resumeRun({ runId, answer: "yes", code, ...place });
    }));

  it("does not reach the web through a program that was written after private data was read", async () => {
    const first = await openDataFlow({ policy });
    await first.coordinator.runCode({ code: `${read} return secret` });
    const { runId } = await first.coordinator.runCode({
      code: 'await ask("go on?"); await web.write({ value: "zoe.quill" })',
    });
    await first.coordinator.close();
    const { coordinator, readCalls } = await openDataFlow({ policy, folder: first.folder });
    expectDenied(await coordinator.resumeRun({ runId, answer: "yes" }));
    expect(readCalls("web")).toBe("");
  });

  it("does not reach the web through a plan or its commit", async () => {
    await attack((run) => run({ code: `${read} await web.write({ value: secret })`, mode: "plan" }));
    // The policy forbids it only after the plan was made.
    const first = await openDataFlow({ policy: { labels: policy.labels, flows: [] } });
    const { runId, error } = await first.coordinator.runCode({
      code: `${read} await web.write({ value: btoa(secret) })`,
      mode: "plan",
    });
    expect(error).toBeUndefined();
    await first.coordinator.close();
    const { coordinator, readCalls } = await openDataFlow({ policy, folder: first.folder });
    expectDenied(await coordinator.commitPlan({ planId: runId }));
    expect(readCalls("web")).toBe("");
  });

  it("does not reach the web through a model that only read the result of the run", () =>
    attack(async (run, place) => {
      const { runId } = await run({ code: `${read} return secret` });
      const conversation = {};
      await shared.coordinator.runStatus({ runId, workspace: place.workspace, conversation });
      return shared.coordinator.runCode({
        code: 'await web.write({ value: "zoe" })',
        workspace: place.workspace,
        conversation,
      });
    }));
});
