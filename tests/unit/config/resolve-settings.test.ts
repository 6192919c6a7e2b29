// Our own settings: layers, validation and messages.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { listSettings, settingsSchema } from "../../../src/config/settings-schema.js";
import { defaultLimits, limitTable } from "../../../src/contracts/index.js";
import { openProject } from "./open-project.js";

describe("resolveSettings()", () => {
  it("has defaults for everything", async () => {
    const { homeFolder, load } = openProject();
    const { settings } = await load({
      environment: { XDG_CACHE_HOME: homeFolder, XDG_STATE_HOME: homeFolder, LOCALAPPDATA: homeFolder },
    });
    expect(settings).toEqual({
      limits: defaultLimits,
      timeouts: {
        fetchTimeoutMs: 600_000,
        connectTimeoutMs: 30_000,
        listTimeoutMs: 30_000,
        callTimeoutMs: 120_000,
        idleTimeoutMs: 1_800_000,
        askTimeoutMs: 600_000,
      },
      launch: "direct",
      executor: "auto",
      jitless: false,
      python: { preload: ["numpy", "pandas", "sklearn"], deny: [], checker: "auto" },
      container: { idleMs: 300_000 },
      packages: [],
      network: { allow: [] },
      profiles: {},
      approve: [],
      audit: "off",
      auditLog: { toStderr: false, maxFileBytes: 67_108_864 },
      pins: "off",
      skillSignatures: "warn",
      pinsFile: expect.stringMatching(/mcp-coordinator.*mcp-coordinator\.lock$/),
      pinsIgnore: {},
      flow: { servers: {}, callers: {}, runs: {} },
      cache: {},
      approvals: "anywhere",
      answers: { elicitation: "people", sampling: "refuse", logs: "warning", roots: [] },
      surface: "default",
      serves: "code",
      output: "json",
      callTool: false,
      runPython: false,
      addServers: { from: {} },
      cacheFolder: join(homeFolder, "mcp-coordinator"),
      stateFolder: expect.stringContaining(join(homeFolder, "mcp-coordinator")),
      vault: "auto",
      vaultFolder: expect.stringMatching(/mcp-coordinator.*vault$/),
      skillsFolder: expect.stringMatching(/mcp-coordinator.*skills$/),
      proposeSkills: false,
      workspace: "default",
      journal: "on",
      answerWithinMs: 50_000,
      syncToDisk: false,
      retention: { keptRuns: 200, keptRunBytes: 1_073_741_824, storedValueDays: 7, hiddenValueHours: 8 },
      http: {
        hosts: [],
        mayAddServers: false,
        sessions: 64,
        sessionIdleMs: 1_800_000,
        requests: 128,
        requestBytes: 4_194_304,
        arrivalMs: 30_000,
      },
      model: { provider: "openai", maxAnswerTokens: 8192, budgetTokens: 300_000 },
      allowSelf: false,
    });
  });

  it("lets files override defaults, the environment override files, and options override all", async () => {
    const { load } = openProject({
      "project/mcp.json": { coordinator: { limits: { timeoutMs: 2000 } } },
      "project/mcp-coordinator.json": {
        coordinator: { limits: { timeoutMs: 9, memoryMb: 100, calls: 10 }, timeouts: { callTimeoutMs: 3 } },
      },
    });
    const read = async (environment: Record<string, string>, timeoutMs?: number) =>
      (await load({ environment, settings: { limits: { timeoutMs } } })).settings;
    const files = await read({});
    expect(files.limits).toEqual({ ...defaultLimits, timeoutMs: 2000, memoryMb: 100, calls: 10 });
    expect(files.timeouts).toMatchObject({ callTimeoutMs: 3, listTimeoutMs: 30_000 });
    const variables = { MCP_COORDINATOR_TIMEOUT_MS: "3000", MCP_COORDINATOR_MEMORY_MB: "" };
    expect((await read(variables)).limits).toMatchObject({ timeoutMs: 3000, memoryMb: 100 });
    expect((await read(variables, 4000)).limits).toMatchObject({ timeoutMs: 4000, memoryMb: 100 });
  });

  it("reads every setting from its own environment variable", async () => {
    const variables = listSettings().map(({ variable }) => variable);
    expect(new Set(variables).size).toBe(variables.length);
    expect(variables).toContain("MCP_COORDINATOR_CALLS_IN_FLIGHT");
    const { workingFolder, load } = openProject();
    const environment = Object.fromEntries(
      listSettings().map(({ variable, type }) => [
        variable,
        type === "boolean" ? "true" : type === "enum" ? "wasm" : type === "array" ? "a, b" : "7",
      ]),
    );
    // A policy is a separate document.
    delete environment.MCP_COORDINATOR_POLICY;
    environment.MCP_COORDINATOR_APPROVALS = "outside";
    environment.MCP_COORDINATOR_AUDIT = "required";
    environment.MCP_COORDINATOR_POST_TO = "https://127.0.0.1:7/lines";
    environment.MCP_COORDINATOR_PINS = "strict";
    environment.MCP_COORDINATOR_SKILL_SIGNATURES = "strict";
    environment.MCP_COORDINATOR_ELICITATION = "agent";
    environment.MCP_COORDINATOR_SAMPLING = "client";
    environment.MCP_COORDINATOR_LOGS = "debug";
    environment.MCP_COORDINATOR_APPROVE = "a.*, writes";
    environment.MCP_COORDINATOR_LAUNCH = "as written";
    environment.MCP_COORDINATOR_SURFACE = "minimal";
    environment.MCP_COORDINATOR_SERVES = "both";
    environment.MCP_COORDINATOR_JOURNAL = "off";
    environment.MCP_COORDINATOR_CHECKER = "ty";
    environment.MCP_COORDINATOR_OUTPUT = "toon";
    environment.MCP_COORDINATOR_VAULT = "file";
    environment.MCP_COORDINATOR_PROVIDER = "anthropic";
    environment.MCP_COORDINATOR_BASE_URL = "http://127.0.0.1:7/v1";
    environment.MCP_COORDINATOR_INPUT_PRICE = "0.7";
    const { settings } = await load({ environment });
    const sevens = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 7]));
    expect(settings).toEqual({
      limits: sevens(Object.keys(limitTable)),
      timeouts: sevens([
        "fetchTimeoutMs",
        "connectTimeoutMs",
        "listTimeoutMs",
        "callTimeoutMs",
        "idleTimeoutMs",
        "askTimeoutMs",
      ]),
      launch: "as written",
      maxStarts: 7,
      executor: "wasm",
      jitless: true,
      python: { interpreter: "7", preload: ["a", "b"], deny: ["a", "b"], checker: "ty" },
      container: { runtime: "7", image: "7", ociRuntime: "7", idleMs: 7 },
      packages: ["a", "b"],
      network: { allow: ["a", "b"] },
      profiles: {},
      approve: ["a.*", "writes"],
      audit: "required",
      auditLog: {
        toStderr: true,
        postTo: "https://127.0.0.1:7/lines",
        postTokenVariable: "7",
        maxFileBytes: 7,
        keptFiles: 7,
      },
      pins: "strict",
      skillSignatures: "strict",
      pinsFile: join(workingFolder, "7"),
      pinsIgnore: {},
      flow: { servers: {}, callers: {}, runs: {} },
      cache: {},
      approvals: "outside",
      answers: {
        elicitation: "agent",
        sampling: "client",
        logs: "debug",
        roots: [join(workingFolder, "a"), join(workingFolder, "b")],
      },
      surface: "minimal",
      serves: "both",
      output: "toon",
      callTool: true,
      runPython: true,
      addServers: { from: {} },
      cacheFolder: join(workingFolder, "7"),
      libraryFolder: join(workingFolder, "7"),
      stateFolder: join(workingFolder, "7"),
      vault: "file",
      vaultFolder: expect.stringMatching(/mcp-coordinator.*vault$/),
      clientMetadataUrl: "7",
      skillsFolder: join(workingFolder, "7"),
      proposeSkills: true,
      workspace: "7",
      journal: "off",
      answerWithinMs: 7,
      syncToDisk: true,
      retention: sevens([
        "keptRuns",
        "keptRunBytes",
        "storedValueDays",
        "keptWorkspaceDays",
        "hiddenValueHours",
      ]),
      http: {
        tokenVariable: "7",
        hosts: ["a", "b"],
        mayAddServers: true,
        ...sevens(["sessions", "sessionIdleMs", "requests", "requestBytes", "arrivalMs"]),
      },
      model: {
        provider: "anthropic",
        baseUrl: "http://127.0.0.1:7/v1",
        model: "7",
        apiKey: "${env:MCP_COORDINATOR_API_KEY}",
        ...sevens(["maxAnswerTokens", "budgetTokens", "outputPrice"]),
        inputPrice: 0.7,
      },
      allowSelf: true,
    });
  });

  it("contains a reference to the model's key, never the key, and does not show one that is written in a file", async () => {
    const key = "sk-0123456789";
    const { load } = openProject({ "project/mcp.json": { coordinator: { model: { apiKey: key } } } });
    const refused = await load().catch((error: Error) => error);
    expect(refused).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(
        'expected a reference to an environment variable, e.g. "${env:MODEL_KEY}"',
      ),
    });
    expect(JSON.stringify(refused)).not.toContain(key);
    const given = openProject();
    const { settings } = await given.load({ environment: { MCP_COORDINATOR_API_KEY: key } });
    expect(JSON.stringify(settings)).not.toContain(key);
  });

  it("does not let a folder that is not trusted choose the model's endpoint", async () => {
    const { load } = openProject({
      "project/mcp.json": {
        coordinator: { model: { baseUrl: "https://elsewhere.example", model: "theirs" } },
      },
    });
    const { settings } = await load({ trust: false, environment: { MCP_COORDINATOR_MODEL: "mine" } });
    expect(settings.model).toMatchObject({ model: "mine" });
    expect(settings.model.baseUrl).toBeUndefined();
  });

  it("resolves the state folder relative to its file, and uses the project's own if it exists", async () => {
    const { workingFolder, load } = openProject({
      "project/conf/a.json": { coordinator: { stateFolder: "../state" } },
      "project/.mcp-coordinator/README": "",
    });
    expect((await load({ config: "conf/a.json" })).settings.stateFolder).toBe(join(workingFolder, "state"));
    expect((await load()).settings.stateFolder).toBe(join(workingFolder, ".mcp-coordinator"));
  });

  it("resolves commands with a path relative to their file, and leaves others to the search path", async () => {
    const { workingFolder, homeFolder, load } = openProject({
      "project/conf/own.json": {
        coordinator: { python: { interpreter: "venv/bin/python3" }, container: { runtime: "~/bin/podman" } },
      },
    });
    const { settings } = await load({ config: "conf/own.json" });
    expect(settings.python.interpreter).toBe(join(workingFolder, "conf", "venv/bin/python3"));
    expect(settings.container.runtime).toBe(join(homeFolder, "bin/podman"));
    const { settings: plain } = await load({
      config: "conf/own.json",
      settings: { container: { runtime: "docker" } },
    });
    expect(plain.container).toMatchObject({ runtime: "docker", idleMs: 300_000 });
  });

  it("resolves the cache folder relative to its file, and expands `~`", async () => {
    const { workingFolder, homeFolder, load } = openProject({
      "project/conf/a.json": { coordinator: { cacheFolder: "cache" } },
    });
    expect((await load({ config: "conf/a.json" })).settings.cacheFolder).toBe(
      join(workingFolder, "conf", "cache"),
    );
    const { settings } = await load({ config: "conf/a.json", settings: { cacheFolder: "~/c" } });
    expect(settings.cacheFolder).toBe(join(homeFolder, "c"));
  });

  it.each([
    [
      { limits: { timeoutMs: 0 } },
      "coordinator.limits.timeoutMs",
      "found 0, expected a whole number from 1 to 3600000",
    ],
    [
      { limits: { timeoutMs: 3_600_001 } },
      "coordinator.limits.timeoutMs",
      "found 3600001, expected a whole number from 1 to 3600000",
    ],
    [
      { limits: { memoryMb: 1.5 } },
      "coordinator.limits.memoryMb",
      "found 1.5, expected a whole number from 1 to 4096",
    ],
    [{ limits: { calls: "10" } }, "coordinator.limits.calls", 'found "10", expected a whole number'],
    [{ limits: [] }, "coordinator.limits", "found a list, expected an object"],
    [{ limits: null }, "coordinator.limits", "found null, expected an object"],
    [
      { timeouts: { callTimeoutMs: -1 } },
      "coordinator.timeouts.callTimeoutMs",
      "found -1, expected a whole number",
    ],
    [{ allowSelf: "yes" }, "coordinator.allowSelf", 'found "yes", expected true or false'],
    [{ cacheFolder: "" }, "coordinator.cacheFolder", 'found "", expected a string that is not empty'],
    [
      { limits: { timeoutMS: 5 } },
      "coordinator.limits.timeoutMS",
      'the nearest is "coordinator.limits.timeoutMs"',
    ],
    [{ limit: {} }, "coordinator.limit", 'the nearest is "coordinator.limits"'],
    [{ timeoutMs: 5 }, "coordinator.timeoutMs", 'the nearest is "coordinator.limits.timeoutMs"'],
    [{ colour: "red" }, "coordinator.colour", "there is no such setting"],
  ])("refuses %j, naming the field, the file and what was expected", async (coordinator, field, state) => {
    const { workingFolder, load } = openProject({ "project/mcp.json": { mcpServers: {}, coordinator } });
    const source = join(workingFolder, "mcp.json");
    await expect(load()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(`Cannot use setting "${field}" of "${source}": `),
      details: { source, field },
    });
    await expect(load()).rejects.toThrow(state);
  });

  it.each([5, null, [], "x"])("refuses %j as the settings", async (coordinator) => {
    const { load } = openProject({ "project/mcp.json": { coordinator } });
    await expect(load()).rejects.toThrow(
      /Cannot use setting "coordinator" of ".*mcp\.json": found .*, expected an object/,
    );
  });

  it("does not suggest a name that is not close", async () => {
    const { load } = openProject({ "project/mcp.json": { coordinator: { colour: "red" } } });
    await expect(load()).rejects.not.toThrow("nearest");
  });

  it("names the environment variable or option that holds an invalid value", async () => {
    const { load } = openProject();
    await expect(load({ environment: { MCP_COORDINATOR_MEMORY_MB: "lots" } })).rejects.toThrow(
      'Cannot use setting "coordinator.limits.memoryMb" of "MCP_COORDINATOR_MEMORY_MB": found "lots", expected a whole number from 1 to 4096',
    );
    await expect(load({ settings: { limits: { calls: 0 } } })).rejects.toThrow(
      'of "settings option": found 0',
    );
  });

  it.each([
    ["Writes", '"writes"'],
    ["write", '"writes"'],
    ["destructiv", '"destructive"'],
    ["filesystem", '"filesystem.*"'],
  ])(
    "refuses an approval rule that can match no call, and suggests a similar one: %s",
    async (rule, nearest) => {
      const { load } = openProject();
      const wrong = { code: "CONFIG_INVALID", hint: expect.stringContaining(nearest) };
      await expect(load({ settings: { approve: ["github.*", rule] } })).rejects.toMatchObject(wrong);
      await expect(load({ settings: { profiles: { x: { approve: [rule] } } } })).rejects.toMatchObject(wrong);
      await expect(load({ environment: { MCP_COORDINATOR_APPROVE: rule } })).rejects.toMatchObject(wrong);
    },
  );

  it("refuses a sandbox that does not exist, and names one to use instead", async () => {
    const { load } = openProject();
    const wrong = {
      code: "CONFIG_INVALID",
      message: expect.stringContaining('found "microvm", expected one of "auto", "isolate"'),
      hint: expect.stringContaining('"container"'),
    };
    await expect(load({ environment: { MCP_COORDINATOR_EXECUTOR: "microvm" } })).rejects.toMatchObject(wrong);
    await expect(
      load({ settings: { profiles: { x: { executor: "microvm" } } } as never }),
    ).rejects.toMatchObject(wrong);
  });

  it("accepts classes, tool names and patterns as approval rules", async () => {
    const approve = ["writes", "destructive", "github.create_issue", "github.*", "*.delete*", "*"];
    const { load } = openProject();
    expect((await load({ settings: { approve } })).settings.approve).toEqual(approve);
  });

  it("never treats a file's __proto__ as a setting", async () => {
    const { load } = openProject({
      "project/mcp.json": '{ "coordinator": { "__proto__": { "allowSelf": true } } }',
    });
    await expect(load()).rejects.toThrow("coordinator.__proto__");
    expect(({} as Record<string, unknown>).allowSelf).toBeUndefined();
  });
});

describe("settingsSchema", () => {
  it("converts to a JSON Schema with defaults and ranges", () => {
    expect(z.toJSONSchema(settingsSchema, { io: "input" })).toMatchObject({
      additionalProperties: false,
      properties: {
        limits: {
          additionalProperties: false,
          properties: {
            memoryMb: {
              type: "integer",
              default: 256,
              maximum: 4096,
            },
          },
        },
      },
    });
  });

  it("stores sign-ins in the folder of the person or the caller, never in one that a file names", async () => {
    const project = openProject({
      "project/mcp.json": { mcpServers: {}, coordinator: { stateFolder: "./state" } },
    });
    const { settings } = await project.load({ config: "mcp.json", trust: true });
    expect(settings.stateFolder).toBe(join(project.workingFolder, "state"));
    expect(settings.vaultFolder.startsWith(project.workingFolder)).toBe(false);
    const given = join(project.workingFolder, "given");
    const environment = { MCP_COORDINATOR_STATE_FOLDER: given };
    expect((await project.load({ environment })).settings.vaultFolder).toBe(join(given, "vault"));
    const own = await project.load({ settings: { stateFolder: given } });
    expect(own.settings.vaultFolder).toBe(join(given, "vault"));
  });
});
