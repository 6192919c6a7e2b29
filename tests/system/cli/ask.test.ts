// `mcp-coordinator ask` as a process: the answer on stdout, progress on stderr, exit codes, approvals at a terminal.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openScriptedModel, type Script } from "../../support/scripted-model.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { hasTerminal, openTerminal } from "../../support/terminal.js";
import { readSeen, toLedgerConfig } from "../durable/open-ledger.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));
const key = "sk-secret-0123456789";

const writes = {
  text: "I write it.",
  calls: [
    { name: "run_code", arguments: { code: "const { id } = await ledger.write({ value: 7 });\nreturn id;" } },
  ],
};
const answers = ([shown = ""]: readonly string[]) => ({ text: `Stored as ${shown}.` });

const open = async (script: Script, settings: object = {}, model: object = {}) => {
  const root = await temporaryFolder();
  const folder = join(root, "project");
  mkdirSync(folder);
  const endpoint = await openScriptedModel(script);
  const { coordinator, ...servers } = toLedgerConfig(folder);
  const config = join(root, "mcp.json");
  const own = { provider: "ollama", model: "scripted", baseUrl: endpoint.baseUrl, ...model };
  writeFileSync(
    config,
    JSON.stringify({ ...servers, coordinator: { ...coordinator, ...settings, model: own } }),
  );
  writeFileSync(join(folder, "seen.txt"), "");
  const run = async (words: readonly string[], environment: object = {}) => {
    const child = spawn(process.execPath, [bin, "ask", ...words, "--config", config], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: root, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, stdout, stderr };
  };
  return { root, folder, config, endpoint, run, seen: () => readSeen(folder) };
};

test("ask prints the answer to stdout, and steps and costs to stderr", async () => {
  const { run, seen, endpoint } = await open([writes, answers], {}, { inputPrice: 3, outputPrice: 15 });
  const { code, stdout, stderr } = await run(["Store", "7", "in", "the", "ledger"]);
  expect(stdout).toBe("Stored as entry-7.\n");
  expect(stderr).toContain("I write it.\nrun_code: 2 lines\n");
  expect(stderr).toMatch(/2 turns, run_code 1×, read [\d,]+ and wrote [\d,]+ tokens, \$0\.\d{4}\n/);
  expect(code).toBe(0);
  expect(seen()).toEqual(["write 7"]);
  expect(JSON.stringify(endpoint.requests[0]?.body.messages)).toContain("Store 7 in the ledger");
});

test("ask --json prints one document with every field, and --model names another model", async () => {
  const { run, endpoint } = await open([writes, answers]);
  const { code, stdout, stderr } = await run(["Store 7", "--json", "--model", "other"]);
  expect(JSON.parse(stdout)).toEqual({
    status: "answered",
    answer: "Stored as entry-7.",
    stopReason: null,
    error: null,
    model: "other",
    turns: 2,
    calls: { run_code: 1 },
    isCut: false,
    usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    isEstimated: false,
    cost: null,
    waiting: [],
  });
  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(endpoint.requests[0]?.body.model).toBe("other");
});

test.each(["--budget", "--turns"])("ask %s stops the model with exit code 1", async (option) => {
  const { run } = await open([writes, writes, answers]);
  const { code, stdout, stderr } = await run(["Store 7", option, option === "--turns" ? "1" : "100"]);
  expect(stderr).toContain(
    `error The model was stopped at ${option === "--turns" ? "the maximum" : "its budget"}`,
  );
  expect(stdout).toBe(option === "--turns" ? "I write it.\n" : "");
  expect(code).toBe(1);
});

test("ask refuses a budget that it does not understand, and a task without words, with exit code 2", async () => {
  const { run, endpoint } = await open([]);
  for (const words of [["x", "--budget", "0.5"], ["x", "--budget", "much"], ["x", "--budget", "0"], []]) {
    const { code, stderr } = await run(words);
    expect([words, code, stderr]).toEqual([words, 2, expect.stringContaining("error Cannot ")]);
  }
  expect((await run(["x", "--budget", "0.50usd"])).stderr).toContain("prices are not set");
  expect(endpoint.requests).toHaveLength(0);
});

test("ask without a model says how to configure one, and reads it from the environment", async () => {
  const { run, endpoint } = await open(
    [writes, answers],
    {},
    { provider: undefined, model: undefined, baseUrl: undefined },
  );
  const missing = await run(["Store 7"]);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain("error Cannot ask a model: none is configured\nhint  Set ");
  const given = await run(["Store 7"], {
    MCP_COORDINATOR_PROVIDER: "anthropic",
    MCP_COORDINATOR_MODEL: "scripted",
    MCP_COORDINATOR_BASE_URL: endpoint.baseUrl,
    MCP_COORDINATOR_API_KEY: key,
  });
  expect(given).toMatchObject({ code: 0, stdout: "Stored as entry-7.\n" });
  expect(endpoint.requests[0]?.headers["x-api-key"]).toBe(key);
});

test("ask never prints the key: not if the endpoint repeats it, and not if a file contains it", async () => {
  const failures = [{ status: 401, body: { error: { message: `no such key: ${key}` } } }];
  const { run, config } = await open([{ failures }], {}, { provider: "openai", apiKey: "${env:OWN_KEY}" });
  const refused = await run(["Store 7", "--verbose"], { OWN_KEY: key });
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain("no such key: ***");
  expect(refused.stdout + refused.stderr).not.toContain(key);
  writeFileSync(config, JSON.stringify({ coordinator: { model: { model: "m", apiKey: key } } }));
  const written = await run(["Store 7", "--verbose"]);
  expect(written.code).toBe(1);
  expect(written.stderr).toContain(
    'expected a reference to an environment variable, e.g. "${env:MODEL_KEY}"',
  );
  expect(written.stdout + written.stderr).not.toContain(key);
});

test("ask without a terminal leaves a call that needs approval to a person, with exit code 5", async () => {
  const { run, seen } = await open([writes, { text: "It needs your approval." }], { approve: ["writes"] });
  const { code, stdout, stderr } = await run(["Store 7"]);
  expect(stdout).toBe("It needs your approval.\n");
  expect(stderr).toMatch(/A run waits for an answer: .+ resume /);
  expect(code).toBe(5);
  expect(seen()).toEqual([]);
});

describe.skipIf(!hasTerminal)("at a terminal (needs script)", () => {
  test("ask shows the call that needs approval, and makes it when the person types the code", async () => {
    const { root, folder, config, seen } = await open([writes, answers], { approve: ["writes"] });
    const terminal = openTerminal(["ask", "Store 7", "--config", config], root, folder);
    await terminal.press("to allow, Enter to refuse: ", "");
    expect(terminal.read()).toContain('ledger.write {"value":7}');
    expect(seen()).toEqual([]);
    await terminal.press("", `${/Type (\w+) to allow/.exec(terminal.read())?.[1]}\n`);
    expect(await terminal.ended).toBe(0);
    expect(terminal.read()).toContain("Stored as entry-7.");
    expect(seen()).toEqual(["write 7"]);
  });
});
