// Specifics of the wasm engine: a sandbox that is reset by copying, and an engine that throws where others stop.
import { afterAll, describe, expect, it } from "vitest";
import {
  defaultLimits,
  type GuestJob,
  type GuestOutcome,
  type Limits,
} from "../../../../src/contracts/index.js";
import { openWasmExecutor } from "../../../../src/executors/engines/typescript.js";
import { toJob, toProgram } from "../../../support/guest-job.js";

const executor = openWasmExecutor({ limits: { ...defaultLimits, concurrentRuns: 1 } });
afterAll(() => executor.close());

const run = (
  body: string,
  limits: Partial<Limits> = {},
  extra: Partial<GuestJob> = {},
): Promise<GuestOutcome> =>
  executor.run(toJob({ code: toProgram(body), limits: { ...defaultLimits, ...limits }, ...extra }));
const readValue = async (outcome: Promise<GuestOutcome>): Promise<unknown> => {
  const ended = await outcome;
  return ended.status === "completed" ? JSON.parse(ended.valueJson ?? "null") : ended;
};

describe("a fresh sandbox", () => {
  it("is small again after a run that grew", async () => {
    const { memoryBytes: before = 0 } = await run("return 1");
    const { memoryBytes: grown = 0 } = await run("globalThis.list = new Array(2e6).fill(7); return 1");
    const { memoryBytes: after } = await run("return 1");

    expect(grown).toBeGreaterThan(4 * before);
    expect(after).toBe(before);
    expect(await readValue(run("return typeof list"))).toBe("undefined");
  });

  it("keeps nothing of a run that was interrupted", async () => {
    await run(
      "globalThis.leak = 1; Array.prototype.push = () => { throw new Error('broken') }; for (;;) {}",
      {
        timeoutMs: 50,
      },
    );

    expect(await readValue(run("const list = []; list.push(typeof leak); return list"))).toEqual([
      "undefined",
    ]);
  });

  it("has its own clock and jobs", async () => {
    await run("setTimeout(() => console.log('late'), 5); throw new Error('ended first')");

    expect(await run("await sleep(30); return 1")).toMatchObject({ status: "completed", logs: [] });
  });
});

describe("limits", () => {
  it("stops at a memory limit below and above that of its process", async () => {
    const fill = (millions: number) => `const list = new Array(${millions}e6).fill(7); return list.length`;

    expect(await run(fill(2), { memoryMb: 16 })).toMatchObject({ status: "stopped", reason: "memory" });
    expect(await readValue(run(fill(2), { memoryMb: 512 }))).toBe(2e6);
    expect(await run(fill(20), { memoryMb: 64 })).toMatchObject({ status: "stopped", reason: "memory" });
  });

  it("stops at its memory limit when an answer does not fit", async () => {
    const body = JSON.stringify("x".repeat(24e6));
    const host: GuestJob["host"] = { call: async () => ({ status: "answered", format: "json", body }) };

    expect(await run('return (await callTool("a", "b")).length', { memoryMb: 16 }, { host })).toMatchObject({
      status: "stopped",
      reason: "memory",
    });
    expect(await readValue(run('return (await callTool("a", "b")).length', {}, { host }))).toBe(24e6);
  });

  it("lets a program catch its own stack overflow", async () => {
    expect(await readValue(run("const f = () => f(); try { f() } catch (error) { return error.name }"))).toBe(
      "RangeError",
    );
  });

  it("fails only the run that overflows the engine's own stack", async () => {
    expect(await run('return JSON.parse("[".repeat(2e5) + "]".repeat(2e5)).length')).toMatchObject({
      status: "failed",
      failure: { name: "RangeError" },
    });
    expect(await readValue(run("return 1"))).toBe(1);
  });

  it("stops a program that prints endlessly at once, in the same process", async () => {
    const { processes } = executor.statistics();

    expect(await run('for (;;) console.log("x".repeat(100))', { outputBytes: 5000 })).toMatchObject({
      status: "stopped",
      reason: "output",
    });
    expect(await readValue(run("return 1"))).toBe(1);
    expect(executor.statistics().processes).toBe(processes);
  });
});

describe("modules", () => {
  const importing = (source: string): Partial<GuestJob> => ({
    code: 'import { value } from "lib"; export default async function program() { globalThis.runs = (globalThis.runs ?? 0) + 1; return [value, runs] }',
    files: [{ path: "lib", source }],
    session: "modules",
  });

  it("belong to the run, even in a session that had others of the same name", async () => {
    expect(await readValue(run("", {}, importing("export const value = 'first'")))).toEqual(["first", 1]);
    expect(await readValue(run("", {}, importing("export const value = 'second'")))).toEqual(["second", 2]);
    expect(await executor.resetSession("modules")).toBe(true);
    expect(await readValue(run("", {}, importing("export const value = 'third'")))).toEqual(["third", 1]);
    await executor.resetSession("modules");
  });

  it("that are missing are reported by name, without host details", async () => {
    const { failure } = (await run(
      "",
      {},
      {
        code: 'import { value } from "nowhere"; export default async function program() { return value }',
      },
    )) as GuestOutcome & { readonly failure?: { readonly message: string } };

    expect(failure?.message).toBe('Cannot import "nowhere": no such module');
    expect(
      await readValue(
        run('try { await import("constructor") } catch (error) { return [error.message, error.stack] }'),
      ),
    ).toEqual([
      'Cannot import "constructor": no such module',
      expect.not.stringMatching(/[/\\]|file:|node:/),
    ]);
  });

  it("that throw while they load fail the run with their own message", async () => {
    expect(
      await run(
        "",
        {},
        {
          code: 'import "lib"; export default async function program() {}',
          files: [{ path: "lib", source: 'throw new TypeError("not today")' }],
        },
      ),
    ).toMatchObject({ status: "failed", failure: { name: "TypeError", message: "not today" } });
  });
});

describe("inspect()", () => {
  it("lists the walls, the engine's own first", async () => {
    expect(await executor.inspect()).toMatchObject({
      isAvailable: true,
      walls: expect.arrayContaining(["WebAssembly memory", "own process", "empty environment"]),
    });
  });
});
