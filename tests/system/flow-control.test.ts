// Flow control with real servers: their rate limits, configured limits and cached answers, in programs and direct calls.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../src/index.js";
import { callSurfaces } from "../support/call-surfaces.js";
import { fixturePath, startFixture } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const open = async (mcpServers: object, settings: object = {}) => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers, coordinator: settings }));
  const coordinator = await openCoordinator({
    config: join(folder, "mcp.json"),
    settings: {
      stateFolder: join(folder, "state"),
      cacheFolder: join(folder, "cache"),
      limits: { timeoutMs: 170_000 },
    },
  });
  onTestFinished(() => coordinator.close());
  return coordinator;
};
const openRefusing = async (words: readonly string[], settings: object = {}) => {
  const { port, stop } = await startFixture("refuses-often", words);
  onTestFinished(stop);
  return open({ often: { url: `http://127.0.0.1:${port}/mcp` } }, settings);
};
const openLedger = async (settings: object = {}, ...words: readonly string[]) => {
  const seen = join(await temporaryFolder(), "seen.txt");
  writeFileSync(seen, "");
  const args = [fixturePath("ledger"), "--file", seen, ...words];
  const coordinator = await open({ ledger: { command: process.execPath, args } }, settings);
  return { coordinator, readCalls: () => readFileSync(seen, "utf8").split("\n").slice(0, -1) };
};

interface Stats {
  readonly done: readonly string[];
  readonly most: number;
  readonly refused: number;
}
const reading = ["seconds", "date", "busy", "protocol", "text", "fields"];
const toCode = (tools: readonly string[], count: number): string => `
  const tools = ${JSON.stringify(tools)};
  const answers = await Promise.all(Array.from({ length: ${count} }, (_, value) =>
    often[tools[value % tools.length]]({ value })));
  return answers.filter((answer, value) => answer.value === value).length;`;

describe("500 calls of a server that refuses many of them in six ways", () => {
  it("all succeed, none beyond the cap of the settings, and no write is made twice", async () => {
    const flow = { servers: { often: { concurrency: 10, retry: "refused" } } };
    const coordinator = await openRefusing([], { flow });
    const { value: result, error } = await coordinator.runCode({ code: toCode([...reading, "write"], 500) });
    expect(error).toBeUndefined();
    expect(result).toBe(500);
    const { done, most, refused } = (await coordinator.callTool({
      server: "often",
      tool: "stats",
    })) as never as Stats;
    expect(refused).toBeGreaterThan(45);
    expect(most).toBeLessThanOrEqual(10);
    expect(done).toHaveLength(500);
    expect(new Set(done).size).toBe(500);
  });

  it("all succeed without any setting if the server accepts only four at once", async () => {
    const coordinator = await openRefusing(["--at-once", "4"]);
    const { value: result, error } = await coordinator.runCode({ code: toCode(reading, 500) });
    expect(error).toBeUndefined();
    expect(result).toBe(500);
  });

  it("all succeed in Python", async () => {
    const coordinator = await openRefusing(["--at-once", "4"]);
    const code = `
tools = [often.seconds, often.date, often.busy, often.protocol, often.text, often.fields]
return sum(tools[value % 6](value=value)["value"] == value for value in range(100))`;
    const { value: result, error } = await coordinator.runCode({ code, language: "python" });
    expect(error).toBeUndefined();
    expect(result).toBe(100);
  });
});

describe("a server that refuses", () => {
  it("is not called again for a write, unless the settings say so", async () => {
    const coordinator = await openRefusing([]);
    const code = `
      let refused = 0;
      for (let value = 0; value < 20; value++) await often.write({ value }).catch((error) => { if (error.code === "RATE_LIMITED") refused++; });
      return refused;`;
    expect((await coordinator.runCode({ code })).value).toBe(2);
    const { done } = (await coordinator.callTool({ server: "often", tool: "stats" })) as never as Stats;
    expect(done).toHaveLength(18);
  });

  it("and asks for a wait beyond the run's time limit fails the call at once, with the time", async () => {
    const coordinator = await openRefusing(["--always"]);
    const code = `
      const failures = await Promise.all(["seconds", "busy", "protocol"].map((tool) => often[tool]({ value: 1 }).catch((error) => error)));
      return failures.map((error) => [error.code, /in \\d+ s/.test(error.message)]);`;
    const { value: result } = await coordinator.runCode({ code });
    expect(result).toEqual(Array.from({ length: 3 }, () => ["RATE_LIMITED", true]));
    const direct = coordinator.callTool({ server: "often", tool: "seconds", arguments: { value: 1 } });
    await expect(direct).rejects.toMatchObject({
      code: "RATE_LIMITED",
      details: { retryAfterMs: expect.any(Number) },
    });
    const { done } = (await coordinator
      .callTool({ server: "often", tool: "stats" })
      .catch((error: unknown) => error)) as never as Partial<Stats>;
    expect(done).toBeUndefined();
  });
});

describe.each(Object.entries(callSurfaces))("the limits of the settings, in %s,", (_name, makeCall) => {
  it("refuse a call beyond the quota", async () => {
    const flow = { servers: { "ledger.read": { quota: 1 } } };
    const { coordinator, readCalls } = await openLedger({ flow });
    expect((await makeCall(coordinator, "read", "one")).message).toBe("");
    const second = await makeCall(coordinator, "read", "two");
    expect(second.message).toContain("has no calls left");
    expect(readCalls()).toEqual(['read "one"']);
  });
});

describe("the limits of the settings", () => {
  it("apply to each run and each caller", async () => {
    const flow = { runs: { "*": { quota: 2 } }, callers: { ana: { quota: "3/day" } } };
    const { coordinator, readCalls } = await openLedger({ flow });
    const code = 'for (const value of ["a", "b", "c"]) await ledger.read({ value })';
    for (const caller of ["ana", "ana", "ben"]) {
      const { error } = await coordinator.runCode({ code, caller });
      expect(error?.message).toContain("has no calls left");
    }
    expect(readCalls()).toHaveLength(2 + 1 + 2);
  });

  it("release the quota of a call that was not made", async () => {
    const coordinator = await openRefusing([], {
      flow: { servers: { often: { quota: 12, retry: "never" } } },
    });
    const code = `
      const codes = [];
      for (let value = 0; value < 14; value++) await often.seconds({ value }).catch((error) => codes.push(error.code));
      return codes;`;
    // The tenth is refused by the server, so twelve others are made.
    expect((await coordinator.runCode({ code })).value).toEqual(["RATE_LIMITED", "QUOTA_EXCEEDED"]);
  });

  it("make calls wait, and fail at once if the wait is too long", async () => {
    const { coordinator, readCalls } = await openLedger({ flow: { servers: { ledger: { rate: "2/h" } } } });
    const code = `
      const settled = await Promise.allSettled([1, 2, 3].map((value) => ledger.read({ value })));
      return settled.map(({ reason }) => reason?.code ?? "made");`;
    expect((await coordinator.runCode({ code })).value).toEqual(["made", "made", "RATE_LIMITED"]);
    expect(readCalls()).toHaveLength(2);
  });

  it("are checked when they are read", async () => {
    await expect(openLedger({ flow: { servers: { ledger: { rate: "often" } } } })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  });
});

describe("a cached answer", () => {
  it("is used for an equal read, shown as such, recorded, and invalidated by a write", async () => {
    const { coordinator, readCalls } = await openLedger({ cache: { "ledger.re*": "1h" }, audit: "required" });
    const code = `
      const read = () => ledger.read({ value: "x" });
      await read(); await read(); await ledger.read({ value: "y" });
      await ledger.write({ value: "z" });
      await read();`;
    const { calls, runId, error } = await coordinator.runCode({ code });
    expect(error).toBeUndefined();
    expect(calls.map(({ isCached }) => isCached)).toEqual([undefined, true, undefined, undefined, undefined]);
    expect(readCalls()).toEqual(['read "x"', 'read "y"', 'write "z"', 'read "x"']);
    const lines = await coordinator.listAudit();
    expect(lines.filter(({ kind }) => kind === "call")).toHaveLength(4);
    expect(lines.filter(({ decision }) => decision === "cached")).toMatchObject([
      { run: runId, sequence: 2 },
    ]);
  });

  it("is shared by direct calls, but not between callers", async () => {
    const { coordinator, readCalls } = await openLedger({ cache: { "ledger.read": "1h" } });
    const request = { server: "ledger", tool: "read", arguments: { value: "x" } };
    for (const caller of ["ana", "ana", "ben", undefined]) await coordinator.callTool({ ...request, caller });
    expect(readCalls()).toHaveLength(3);
  });

  it("is shared by equal concurrent reads, and is never a write or an error", async () => {
    const { coordinator, readCalls } = await openLedger({ cache: { "*": "1h" } });
    const code = `
      await Promise.all([1, 2, 3].map(() => ledger.wait({ value: 50 })));
      for (let count = 0; count < 2; count++) { await ledger.put({ value: 1 }); await ledger.break({ value: 1 }).catch(() => {}); }`;
    await coordinator.runCode({ code });
    const calls = readCalls();
    expect(calls.filter((line) => line.startsWith("wait"))).toHaveLength(1);
    expect(calls.filter((line) => line.startsWith("put"))).toHaveLength(2);
    expect(calls.filter((line) => line.startsWith("break"))).toHaveLength(2);
  });

  it("does not exist without a setting", async () => {
    const { coordinator, readCalls } = await openLedger();
    await coordinator.runCode({ code: "await ledger.read({ value: 1 }); await ledger.read({ value: 1 })" });
    expect(readCalls()).toHaveLength(2);
  });
});

describe("a resource with its own lifetime", () => {
  /** What programs of both languages get that read it twice each. */
  const readFourTimes = async (coordinator: Awaited<ReturnType<typeof open>>, name: string) => {
    const uri = `library://${name}`;
    const programs = {
      typescript: `const read = () => library.resources.read({ uri: "${uri}" }); return [await read(), await read()]`,
      python: `read = lambda: library.resources.read(uri="${uri}")\nreturn [read(), read()]`,
    } as const;
    const texts: unknown[] = [];
    for (const language of ["typescript", "python"] as const) {
      const { value, error } = await coordinator.runCode({ code: programs[language], language });
      expect(error).toBeUndefined();
      texts.push(...(value as { text: string }[][]).flat().map(({ text }) => text));
    }
    return texts;
  };

  it("is read once within that time, by programs of both languages", async () => {
    const args = [fixturePath("library"), "--valid", "3600000"];
    const coordinator = await open({ library: { command: process.execPath, args } });
    expect(await readFourTimes(coordinator, "valid")).toEqual(["1", "1", "1", "1"]);
    expect(await readFourTimes(coordinator, "unsaid")).toEqual(["1", "2", "3", "4"]);
  });
});

describe("an entry of `flow` or `cache` that matches no tool", () => {
  it("is reported with the nearest name", async () => {
    const flow = { servers: { leger: { rate: "1/s" }, "ledger.*": { rate: "9/s" } } };
    const { coordinator } = await openLedger({ flow, cache: { "ledger.reed": "1s", "ledger.r*": "1s" } });
    await coordinator.listTools({ server: "ledger" });
    expect(await coordinator.checkApprovals()).toEqual([
      'The entry "leger" of "flow.servers" matches no tool, the nearest name is "ledger"',
      'The entry "ledger.reed" of "cache" matches no tool, the nearest name is "ledger.read"',
    ]);
  });
});
