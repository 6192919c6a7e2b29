// Personal values stay hidden outside of answers too: in lists, questions, log lines and completion, with an external detector, after expiry.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Detect, type OpenedCoordinator, openCoordinator } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));
const isRunning = (processId: number): boolean => {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
};

const kinds = ["email", "phone", "name", "card"];
const canaries = /Quillfeather|zoe\.quill|canary-mail|555 0177|4111 1111|Bluebird/;

const open = async (
  policy: object = {},
  options: { readonly detect?: Detect } = {},
  settings: object = {},
) => {
  const folder = await temporaryFolder();
  const args = [fixturePath("customers"), "--lists", "--file", join(folder, "crm.txt")];
  writeFileSync(join(folder, "crm.txt"), "");
  writeFileSync(
    join(folder, "mcp.json"),
    JSON.stringify({
      mcpServers: { crm: { command: process.execPath, args } },
      coordinator: { audit: "on", ...settings, policy: { hide: kinds, ...policy } },
    }),
  );
  const coordinator = await openCoordinator({
    config: join(folder, "mcp.json"),
    settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
    ...options,
  });
  onTestFinished(() => coordinator.close());
  return { coordinator, folder, readCalls: () => readFileSync(join(folder, "crm.txt"), "utf8") };
};

const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? listFiles(path) : [path];
  });
/** Files with a personal value: journals, results, recordings, the audit. Public names are kept as servers list them. */
const findLeaks = (folder: string): readonly string[] =>
  listFiles(join(folder, "state"))
    .filter((path) => !path.includes("direct-names"))
    .filter((path) => canaries.test(readFileSync(path, "latin1")));

/** Everything that a client of the direct surface sees. */
const openClient = async (coordinator: OpenedCoordinator, answer: object = { action: "decline" }) => {
  const seen: unknown[] = [];
  const note = (message: unknown): void => void seen.push(message);
  const ask = async (message: unknown): Promise<never> => {
    seen.push(message);
    return answer as never;
  };
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {} };
  const session = await coordinator.openDirect({
    identity: { info: { name: "test", version: "1" }, capabilities },
    protocol: "legacy",
    notify: note,
    ask,
  });
  onTestFinished(() => session.close());
  const { signal } = new AbortController();
  const request = async (method: string, params: object = {}): Promise<string> => {
    const text = await session.request({ method, params: params as never, signal, notify: note, ask });
    seen.push(text);
    return text ?? "";
  };
  return { request, transcript: () => JSON.stringify(seen), close: () => session.close() };
};

describe("a client of the direct surface", () => {
  it.each([
    ["tools/call", { name: "list" }],
    ["tools/call", { name: "note" }],
    ["tools/call", { name: "parts" }],
    ["tools/call", { name: "fail" }],
    ["tools/call", { name: "log" }],
    ["tools/call", { name: "form" }],
    ["tools/call", { name: "page" }],
    ["tools/call", { name: "think" }],
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["resources/read", { uri: "note://1" }],
    ["prompts/list", {}],
    ["prompts/get", { name: "greet" }],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "to", value: "" } },
    ],
  ])("sees tokens only: %s %j", async (method, params) => {
    const { coordinator, folder } = await open();
    const { request, transcript, close } = await openClient(coordinator);
    await request(method, params);
    await close();
    expect(transcript()).toContain("[EMAIL_1]");
    expect(transcript()).not.toMatch(canaries);
    await coordinator.close();
    expect(findLeaks(folder)).toEqual([]);
  });

  it("reads a resource by a URI with a token, and the server gets the original URI", async () => {
    const { coordinator, folder, readCalls } = await open();
    const { request, transcript, close } = await openClient(coordinator);
    const { resources } = JSON.parse(await request("resources/list")) as { resources: { uri: string }[] };
    expect(resources[1]?.uri).toBe("mail://box/[EMAIL_1]");
    await request("resources/read", { uri: resources[1]?.uri });
    expect(readCalls()).toContain("resources/read mail://box/zoe.quill@canary-mail.com");
    expect(transcript()).not.toMatch(canaries);
    await close();
    await coordinator.close();
    expect(findLeaks(folder)).toEqual([]);
  });

  it("answers a question with a token, and the server gets the value", async () => {
    const { coordinator } = await open();
    const { request, transcript } = await openClient(coordinator, {
      action: "accept",
      content: { to: "[EMAIL_1]" },
    });
    await request("tools/call", { name: "form" });
    // The server echoes its arguments, and its answer is hidden again.
    expect(transcript()).toContain("accept");
    expect(transcript()).not.toMatch(canaries);
  });
});

describe("the lists for clients of programs", () => {
  it("have tokens, and what they name can be read", async () => {
    const { coordinator, readCalls } = await open();
    await coordinator.listTools({ server: "crm" });
    const { resources } = await coordinator.listResources({});
    const prompts = await coordinator.listPrompts();
    expect(JSON.stringify([resources, prompts])).toContain("[EMAIL_1]");
    expect(JSON.stringify([resources, prompts])).not.toMatch(canaries);
    const mail = resources.find(({ uri }) => uri.includes("mail://"));
    await coordinator.readOffered({ resource: mail?.uri ?? "" });
    expect(readCalls()).toContain("resources/read mail://box/zoe.quill@canary-mail.com");
  });
});

describe("a question of a server", () => {
  it.each(["form", "page", "think"])(
    "in a run has tokens, and so has everything that is stored: %s",
    async (tool) => {
      const sampling = { answers: { sampling: "client" } };
      const { coordinator, folder } = await open({}, {}, sampling);
      const asked: unknown[] = [];
      const result = await coordinator.runCode({
        code: `return await crm.${tool}({})`,
        canSample: true,
        onQuestion: async (question) => {
          asked.push(question);
          return { isDeclined: true };
        },
      });
      const shown = JSON.stringify([asked, result]);
      expect(shown).toContain("[EMAIL_1]");
      expect(shown).not.toMatch(canaries);
      await coordinator.close();
      expect(findLeaks(folder)).toEqual([]);
    },
  );

  it("in a direct call has tokens", async () => {
    const { coordinator } = await open();
    const asked: unknown[] = [];
    const answer = await coordinator
      .callTool({
        server: "crm",
        tool: "form",
        onQuestion: async (question) => {
          asked.push(question);
          return { isDeclined: true };
        },
      })
      .catch((error: unknown) => error);
    expect(JSON.stringify(asked)).toContain("[EMAIL_1]");
    expect(JSON.stringify([asked, answer])).not.toMatch(canaries);
  });
});

describe("log lines and _meta", () => {
  it("have tokens in a program", async () => {
    const { coordinator, folder } = await open();
    const lines: string[] = [];
    const result = await coordinator.runCode({
      code: "await crm.log({}); return (await crm.list.raw({}))._meta",
      isChecked: false,
      onProgress: ({ message }) => void lines.push(message),
    });
    expect(result.value).toEqual({ owner: "[EMAIL_1]" });
    expect(lines.join()).toContain("[EMAIL_1]");
    expect(lines.join()).not.toMatch(canaries);
    const recording = await coordinator.exportRun({ runId: result.runId });
    expect(JSON.stringify(recording)).not.toMatch(canaries);
    await coordinator.close();
    expect(findLeaks(folder)).toEqual([]);
  });
});

describe("an external detector", () => {
  const toDetector = (...args: readonly string[]) => ({
    detector: { command: process.execPath, args: [fixturePath("detects"), ...args], timeoutMs: 20_000 },
  });
  const nick = { server: "crm", tool: "nick" };

  it("finds what ours do not, and sees only what they leave", async () => {
    const file = join(await temporaryFolder(), "read.txt");
    const { coordinator, readCalls } = await open(toDetector("--file", file));
    expect(await coordinator.callTool(nick)).toBe("Call [NAME_1], then [NAME_1] again");
    await coordinator.callTool({ server: "crm", tool: "list" });
    expect(readFileSync(file, "utf8")).toContain("Call Bluebird");
    expect(readFileSync(file, "utf8")).not.toMatch(/Quillfeather|canary-mail/);
    await coordinator.callTool({ server: "crm", tool: "send", arguments: { value: "[NAME_1]" } });
    expect(readCalls()).toContain('send {"value":"Bluebird"}');
  });

  it.each(["beyond", "negative", "overlapping", "unknown", "short", "other", "garbage", "crash"])(
    "that answers wrongly (%s) withholds the answer, and nothing is stored",
    async (way) => {
      const { coordinator, folder } = await open(toDetector("--as", way));
      const { error } = await coordinator.runCode({ code: "return await crm.nick({})", isChecked: false });
      expect(error?.code).toBe("ANSWER_WITHHELD");
      expect(JSON.stringify(error)).not.toMatch(canaries);
      await coordinator.close();
      expect(findLeaks(folder)).toEqual([]);
    },
  );

  it("that does not answer, or cannot be started, withholds the answer", async () => {
    const silent = { ...toDetector("--as", "silent").detector, timeoutMs: 200 };
    const slow = await open({ detector: silent });
    await expect(slow.coordinator.callTool(nick)).rejects.toMatchObject({ code: "ANSWER_WITHHELD" });
    const missing = await open({ detector: { command: "/nowhere/detector" } });
    await expect(missing.coordinator.callTool(nick)).rejects.toMatchObject({ code: "ANSWER_WITHHELD" });
  });

  it("ends with the command that started it, even if it ignores the end of its input", async () => {
    const file = join(await temporaryFolder(), "pid.txt");
    const { folder } = await open(toDetector("--stays", file));
    const words = ["call", "crm", "nick", "--config", join(folder, "mcp.json")];
    const env = { PATH: process.env.PATH, HOME: folder };
    const { stdout } = spawnSync(process.execPath, [bin, ...words], { env, encoding: "utf8" });
    expect(stdout).toContain("[NAME_1]");
    const processId = Number(readFileSync(file, "utf8"));
    await expect.poll(() => isRunning(processId), { timeout: 60_000 }).toBe(false);
  });

  it("can be a URL on this machine", async () => {
    const web = createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += part;
      const { texts } = JSON.parse(body) as { texts: readonly string[] };
      const found = texts.map((text) =>
        text.startsWith("Call Bluebird") ? [{ start: 5, end: 13, kind: "name" }] : [],
      );
      response.end(JSON.stringify({ found }));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => web.once("listening", resolve));
    onTestFinished(() => void web.close());
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
    const { coordinator } = await open({ detector: { url } });
    // The second one is found because it was seen before.
    expect(await coordinator.callTool(nick)).toBe("Call [NAME_1], then [NAME_1] again");
    await expect(open({ detector: { url: "http://example.com/" } })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining('"detector.url": is not an address with https'),
    });
  });

  it("can be a function of the embedding program", async () => {
    const right = await open({}, { detect: async (texts) => texts.map(() => []) });
    expect(await right.coordinator.callTool(nick)).toContain("Bluebird");
    const wrong = await open({}, { detect: async () => [[{ start: 0, end: 999, kind: "name" }]] });
    await expect(wrong.coordinator.callTool(nick)).rejects.toMatchObject({ code: "ANSWER_WITHHELD" });
    const failing = await open({}, { detect: () => Promise.reject(new Error("down")) });
    await expect(failing.coordinator.callTool(nick)).rejects.toMatchObject({ code: "ANSWER_WITHHELD" });
  });

  it("is never started for a policy that came with a project", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "read.txt");
    const args = [fixturePath("customers"), "--file", join(folder, "crm.txt")];
    const crm = { command: process.execPath, args };
    const policy = { hide: kinds, ...toDetector("--file", file) };
    writeFileSync(
      join(folder, ".mcp.json"),
      JSON.stringify({ mcpServers: { crm }, coordinator: { policy } }),
    );
    const coordinator = await openCoordinator({
      workingFolder: folder,
      environment: { HOME: folder },
      trust: true,
      settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
    });
    onTestFinished(() => coordinator.close());
    expect(await coordinator.callTool(nick)).toContain("Bluebird");
    expect(() => statSync(file)).toThrow();
  });
});
