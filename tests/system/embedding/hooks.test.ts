// Hooks around runs and calls: they see, change, answer and refuse; removed values appear nowhere.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type CallFacts,
  type OpenedCoordinator as Coordinator,
  defineTool,
  type Hooks,
  type OpenOptions,
  openCoordinator,
  type Plugin,
  toolResult,
} from "../../../src/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { toLedgerConfig } from "../durable/open-ledger.js";

let folder = "";
let coordinator: Coordinator | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-hooks-"));
});
afterEach(async () => {
  await coordinator?.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = async (more: Partial<OpenOptions>): Promise<Coordinator> => {
  const { mcpServers, coordinator: settings } = toLedgerConfig(folder);
  coordinator = await openCoordinator({
    config: {
      mcpServers: {
        ...mcpServers,
        echo: { command: process.execPath, args: [fixturePath("echo"), "--log", join(folder, "echo.log")] },
      },
      coordinator: settings,
    },
    ...more,
  });
  return coordinator;
};

const openHooked = async (hooks: Hooks) => {
  const { runCode } = await open({ hooks });
  return (code: string, more = {}) => runCode({ code, ...more });
};

const seen = (): readonly string[] => {
  try {
    return readFileSync(join(folder, "seen.txt"), "utf8").trim().split("\n");
  } catch {
    return [];
  }
};

/** Every byte that is on disk below the folder. */
const readAll = (at = folder): string =>
  readdirSync(at, { withFileTypes: true })
    .map((entry) =>
      entry.isDirectory()
        ? readAll(join(at, entry.name))
        : entry.isFile()
          ? readFileSync(join(at, entry.name), "utf8")
          : "",
    )
    .join("\n");

describe("beforeCall", () => {
  it("sees a call with its run and the tool's description", async () => {
    const calls: CallFacts[] = [];
    const run = await openHooked({ beforeCall: (call) => void calls.push(call) });
    const { runId } = await run("return await echo.echo({ text: 'hi' })", { workspace: "acme" });
    expect(calls).toEqual([
      expect.objectContaining({
        server: "echo",
        tool: "echo",
        arguments: { text: "hi" },
        isReadOnly: true,
        isDestructive: false,
        runId,
        workspace: "acme",
      }),
    ]);
  });

  it("changes arguments, one hook after the other", async () => {
    const add = (n: number): Plugin => ({
      name: `add ${n}`,
      beforeCall: async ({ arguments: given }) => ({ arguments: { ...given, a: Number(given.a) * 10 + n } }),
    });
    const { runCode } = await open({ plugins: [add(1), add(2)] });
    expect(await runCode({ code: "return await echo.add({ a: 0, b: 0 })" })).toMatchObject({
      value: { sum: 12 },
    });
  });

  it("cannot change anything by modifying its arguments", async () => {
    const run = await openHooked({
      beforeCall: ({ arguments: given }) => {
        Object.assign(given, { a: 1000 });
      },
    });
    expect((await run("return await echo.add({ a: 1, b: 1 })")).value).toEqual({ sum: 2 });
  });

  it("cannot set invalid arguments, and the server is not called", async () => {
    const run = await openHooked({ beforeCall: () => ({ arguments: { a: "many" } }) });
    const { error } = await run("return await echo.add({ a: 1, b: 1 })");
    expect(error?.code).toBe("CALL_VETOED");
    expect(error?.message).toContain('the plugin "hooks" returned arguments that do not fit');
    expect(readFileSync(join(folder, "echo.log"), "utf8")).not.toContain("call add");
  });

  it("can answer instead of the server, and the hooks after calls see that answer", async () => {
    const answers: unknown[] = [];
    const run = await openHooked({
      beforeCall: ({ tool }) =>
        tool === "add"
          ? { answer: { sum: -1 } }
          : { answer: toolResult({ content: [{ type: "text", text: "kept" }] }) },
      afterCall: ({ answer }) => void answers.push(answer),
    });
    const { value } = await run("return [await echo.add(1, 1), await echo.echo('x')]");
    expect(value).toEqual([{ sum: -1 }, "kept"]);
    expect(answers).toEqual([{ sum: -1 }, "kept"]);
    expect(readFileSync(join(folder, "echo.log"), "utf8")).not.toContain("call");
  });

  it("vetoes with a reason that a program can catch and a model can read", async () => {
    const run = await openHooked({
      beforeCall: ({ isReadOnly }) => (isReadOnly ? undefined : { veto: "only reading is allowed today" }),
    });
    const caught = await run(
      "try { await ledger.write(1) } catch (error) { return [error.name, error.code, error.message] }",
    );
    expect(caught.value).toEqual([
      "ToolError",
      "CALL_VETOED",
      expect.stringContaining('Cannot call "ledger.write": only reading is allowed today'),
    ]);
    const { error, shown } = await run("return await ledger.write(2)", { output: "json" });
    expect(error).toMatchObject({ code: "CALL_VETOED", kind: "user" });
    expect(shown?.texts.join("\n")).toContain("only reading is allowed today");
    expect(seen()).toEqual([]);
  });

  it("vetoes by throwing, with the plugin's name and no path of the host", async () => {
    const { runCode } = await open({
      plugins: [
        {
          name: "guard",
          beforeCall: () => {
            throw new Error(`no rule in ${process.cwd()}/rules.json`);
          },
        },
      ],
    });
    const { error } = await runCode({ code: "return await ledger.write(1)" });
    expect(error).toMatchObject({
      code: "CALL_VETOED",
      message: expect.stringContaining('the plugin "guard" failed: no rule in (a path of the host)'),
    });
    expect(seen()).toEqual([]);
  });

  it("that hangs is stopped by the run's time limit", async () => {
    const run = await openHooked({ beforeCall: () => new Promise(() => {}) });
    const result = await run("return await ledger.write(1)", { limits: { timeoutMs: 500 } });
    expect(result).toMatchObject({ status: "stopped", error: { code: "LIMIT_TIME" } });
    expect(seen()).toEqual([]);
  });

  it("applies to a call without a program, within the time limit of the call", async () => {
    const { callTool } = await open({
      hooks: { beforeCall: ({ runId }) => (runId === undefined ? new Promise(() => {}) : undefined) },
      settings: { timeouts: { callTimeoutMs: 200 } },
    });
    await expect(
      callTool({ server: "ledger", tool: "write", arguments: { value: 1 } }),
    ).rejects.toMatchObject({
      code: "CALL_VETOED",
      message: 'Cannot call "ledger.write": the plugin "hooks" did not answer within 200 ms',
    });
    expect(seen()).toEqual([]);
  });

  it("does not run for simulated or planned calls", async () => {
    const calls: string[] = [];
    const run = await openHooked({ beforeCall: ({ tool }) => void calls.push(tool) });
    await run("return await ledger.write(1)", { simulate: true });
    await run("await ledger.write(1); return await ledger.read(1)", { mode: "plan" });
    expect(calls).toEqual(["read"]);
  });
});

describe("afterCall", () => {
  it("can remove a value before the program, the journal and the learned types see it", async () => {
    const secret = "4111-1111";
    const run = await openHooked({
      afterCall: ({ answer }) =>
        JSON.stringify(answer ?? "").includes(secret) ? { answer: { card: "(hidden)" } } : undefined,
    });
    const code = [
      "const parts = ['4111', '1111'];",
      "const row = await echo.echo({ text: JSON.stringify({ card: parts.join('-'), pin_code: 1 }) });",
      "throw new Error(JSON.stringify(row));",
    ].join("\n");
    const { error, runId } = await run(code);
    expect(error?.message).toBe('{"card":"(hidden)"}');
    await coordinator?.close();
    // The arguments came from the program; the answer is stored nowhere.
    const journal = readAll(join(folder, "state"))
      .split("\n")
      .filter((line) => line.includes('"type":"answer"'));
    expect(journal.join("\n")).toContain("(hidden)");
    expect(journal.join("\n")).not.toContain(secret);
    expect(readAll(join(folder, "cache"))).not.toContain("pin_code");
    expect(runId).toBeDefined();
  });

  it("also sees failures, and may answer instead", async () => {
    const errors: unknown[] = [];
    const run = await openHooked({
      afterCall: ({ error, tool }) => {
        errors.push(error);
        return tool === "fail" ? { answer: "not so bad" } : undefined;
      },
    });
    expect((await run("return await echo.fail({ message: 'oh' })")).value).toBe("not so bad");
    expect((await run("return await echo.refuse()")).error?.code).toBe("UPSTREAM_FAILED");
    expect(errors).toEqual([
      { code: "TOOL_FAILED", message: "oh" },
      expect.objectContaining({ code: "UPSTREAM_FAILED" }),
    ]);
  });

  it("leaves a result unchanged if it returns nothing", async () => {
    const run = await openHooked({ afterCall: () => undefined });
    const { value } = await run("return await echo.add.raw({ a: 1, b: 1 })");
    expect(value).toEqual({ content: [{ type: "text", text: '{"sum":2}' }], structuredContent: { sum: 2 } });
    expect(await openRaw()).toEqual(value);
  });

  it("that withholds an answer does not cause a repeated write", async () => {
    let isStrict = true;
    const run = await openHooked({
      afterCall: () => (isStrict ? { veto: "the answer has a name in it" } : undefined),
    });
    const { error, runId } = await run("return await ledger.write(1)");
    expect(error).toMatchObject({
      code: "ANSWER_VETOED",
      message: expect.stringContaining(
        'Cannot take the answer of "ledger.write": the answer has a name in it',
      ),
    });
    isStrict = false;
    const resumed = await coordinator?.resumeRun({ runId });
    expect(resumed?.error?.code).toBe("RUN_UNCERTAIN");
    expect(seen()).toEqual(["write 1"]);
  });
});

const openRaw = async (): Promise<unknown> =>
  coordinator?.callTool({ server: "echo", tool: "add", arguments: { a: 1, b: 1 }, isRaw: true });

describe("a resumed run", () => {
  it("runs no hook for calls that the journal answers, and runs it again for refused calls", async () => {
    const calls: string[] = [];
    let isOpen = false;
    const run = await openHooked({
      beforeCall: ({ tool, arguments: { value } }) => {
        calls.push(`${tool} ${value}`);
        return value === 2 && !isOpen ? { veto: "not yet" } : undefined;
      },
    });
    const { runId, error } = await run("await ledger.write(1); await ledger.write(2); return 'done'");
    expect(error?.code).toBe("CALL_VETOED");
    isOpen = true;
    expect(await coordinator?.resumeRun({ runId })).toMatchObject({ status: "completed", value: "done" });
    expect(calls).toEqual(["write 1", "write 2", "write 2"]);
    expect(seen()).toEqual(["write 1", "write 2"]);
    const { made } = (await coordinator?.showRun({ runId })) ?? { made: [] };
    expect(made.map(({ decision }) => decision)).toEqual(["allowed", "allowed"]);
  });
});

describe("a call that needs approval", () => {
  it("is shown as the program made it, and passes the hooks after approval", async () => {
    const asked: unknown[] = [];
    const statuses: string[] = [];
    const run = await openHooked({
      beforeCall: () => ({ arguments: { value: 2 } }),
      afterRun: ({ result }) => void statuses.push(result.status),
    });
    const { value } = await run("return (await ledger.write(1)).value", {
      approve: ["writes"],
      onQuestion: async ({ calls }: { calls: unknown }) => {
        asked.push(calls);
        return { answer: true };
      },
    });
    expect(asked).toEqual([[{ server: "ledger", tool: "write", arguments: { value: 1 } }]]);
    expect(value).toBe(2);
    expect(seen()).toEqual(["write 2"]);
    expect(statuses).toEqual(["paused", "completed"]);
  });
});

describe("beforeRun", () => {
  it("changes the program, the limits and the servers", async () => {
    const run = await openHooked({
      beforeRun: ({ code, description }) =>
        description === "narrow"
          ? { servers: ["ledger"] }
          : { code: `const greeting = "hello";\n${code}`, limits: { calls: 1 } },
    });
    expect((await run("return greeting")).value).toBe("hello");
    expect((await run("await echo.class(); return await echo.class()")).error?.code).toBe("LIMIT_CALLS");
    expect(
      (await run("return await echo.class()", { description: "narrow", isChecked: false })).error?.code,
    ).toBe("SERVER_NOT_ALLOWED");
  });

  it("vetoes a run before it does anything", async () => {
    const run = await openHooked({
      beforeRun: async ({ code }) => (code.includes("ledger") ? { veto: "the ledger is closed" } : undefined),
    });
    expect(await run("return await ledger.write(1)")).toMatchObject({
      status: "failed",
      error: { code: "RUN_VETOED", message: "Cannot run the program: the ledger is closed" },
      calls: [],
    });
    expect(seen()).toEqual([]);
    expect((await run("return 1")).value).toBe(1);
  });

  it("is subject to its own limits and to the time limit of the run", async () => {
    const run = await openHooked({
      beforeRun: ({ code }) => (code === "hang" ? new Promise(() => {}) : { limits: { calls: -1 } }),
    });
    expect((await run("return 1")).error?.code).toBe("USAGE");
    expect((await run("hang", { limits: { timeoutMs: 100 } })).error).toMatchObject({
      code: "RUN_VETOED",
      message: 'Cannot run the program: the plugin "hooks" did not answer within 100 ms',
    });
  });

  it("runs again when the run is resumed, with the original program", async () => {
    const programs: string[] = [];
    const run = await openHooked({
      beforeRun: ({ code }) => {
        programs.push(code);
        return { code: `const start = 1;\n${code}` };
      },
    });
    const code = "await ledger.write(start); throw new Error('later')";
    const { runId } = await run(code);
    await coordinator?.resumeRun({ runId });
    expect(programs).toEqual([code, code]);
    expect(seen()).toEqual(["write 1"]);
  });
});

describe("afterRun", () => {
  it("changes value, output and error before they are stored", async () => {
    const run = await openHooked({
      afterRun: ({ result }) => ({
        ...(result.value === undefined ? {} : { value: { n: Number(result.value) + 1 } }),
        logs: result.logs.map((line) => ({ ...line, text: line.text.replaceAll("Ada", "A.") })),
        errorMessage: "Something about A.",
      }),
    });
    expect(
      await run("console.log('Hello ' + ['A', 'da'].join('')); return 1", { output: "json" }),
    ).toMatchObject({
      value: { n: 2 },
      logs: [{ text: "Hello A." }],
      shown: { texts: expect.arrayContaining([expect.stringContaining("Hello A.")]) },
    });
    expect((await run("throw new Error(['A', 'da'].join(''))")).error?.message).toBe("Something about A.");
    await coordinator?.close();
    expect(readAll()).not.toContain("Ada");
  });

  it("withholds a result, even by failing", async () => {
    const { runCode } = await open({
      plugins: [
        {
          name: "auditor",
          afterRun: ({ result }) => {
            if (result.value === "bad") throw new Error("cannot be written down");
          },
        },
      ],
    });
    expect(await runCode({ code: "return 'good'" })).toMatchObject({ value: "good" });
    const withheld = await runCode({ code: "console.log('x'); return 'bad'" });
    expect(withheld).toMatchObject({
      status: "failed",
      logs: [],
      error: {
        code: "RUN_VETOED",
        message: 'Cannot return the result: the plugin "auditor" failed: cannot be written down',
      },
    });
    expect(withheld).not.toHaveProperty("value");
  });

  it("also runs for a refused run", async () => {
    const codes: unknown[] = [];
    const run = await openHooked({ afterRun: ({ result }) => void codes.push(result.error?.code) });
    await run("return await echo.nothing()");
    await run("return 1");
    expect(codes).toEqual(["PROGRAM_INVALID", undefined]);
  });
});

describe("a hook", () => {
  it.each([
    [
      "beforeCall",
      { beforeCall: () => ({ vetto: "no" }) },
      'answered with "vetto", expected "arguments", "answer" or "veto"',
    ],
    ["beforeCall", { beforeCall: () => "no" }, "answered with a string, expected an object"],
    [
      "afterCall",
      { afterCall: () => ({ result: 1 }) },
      'answered with "result", expected "answer" or "veto"',
    ],
    ["afterCall", { afterCall: () => ({ answer: new Map() }) }, "returned an answer that is not JSON"],
    ["beforeRun", { beforeRun: () => ({ code: 1 }) }, "returned a program that is not a string"],
    ["afterRun", { afterRun: () => ({ logs: ["x"] }) }, "returned lines that are not a list"],
    [
      "afterRun",
      { afterRun: () => ({ value: () => 1 }) },
      "returned a value that is not JSON: it is a function",
    ],
  ])("%s that returns an invalid answer refuses the call (case %#)", async (_name, hooks, words) => {
    const run = await openHooked(hooks as unknown as Hooks);
    const { status, error } = await run("return await echo.class()");
    expect(status).toBe("failed");
    expect(error?.code).toMatch(/_VETOED$/);
    expect(error?.message).toContain(`the plugin "hooks" ${words}`);
  });
});

describe("plugins", () => {
  it("can provide tools, whose calls pass all hooks", async () => {
    const calls: string[] = [];
    const { runCode, listServers } = await open({
      plugins: [
        { name: "audit", beforeCall: ({ server, tool }) => void calls.push(`${server}.${tool}`) },
        {
          name: "clock",
          tools: {
            clock: {
              zone: defineTool({
                input: z.object({}),
                run: () => "UTC",
                annotations: { readOnlyHint: true },
              }),
            },
          },
        },
      ],
    });
    expect(await runCode({ code: "return await clock.zone()" })).toMatchObject({ value: "UTC" });
    expect(calls).toEqual(["clock.zone"]);
    expect((await listServers()).find(({ name }) => name === "clock")?.source).toBe("plugin clock");
  });

  it.each([
    ["they have no name", [{}], "Cannot use a plugin: it has no name"],
    [
      "a hook is not a function",
      [{ name: "odd", beforeCall: "module.js" }],
      'Cannot use the plugin "odd": its "beforeCall" is a string, expected a function',
    ],
  ])("are refused if %s", async (_what, plugins, message) => {
    await expect(open({ plugins: plugins as unknown as Plugin[] })).rejects.toMatchObject({
      code: "USAGE",
      message,
    });
  });

  it("cannot come from a configuration", async () => {
    await expect(
      openCoordinator({ config: { mcpServers: {}, coordinator: { plugins: ["./x.mjs"] } as never } }),
    ).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});
