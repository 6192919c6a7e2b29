// What a check found is remembered: in this process whatever it was, for the next one only what is right.
import { describe, expect, it } from "vitest";
import type { CheckRequest, CheckResult, Diagnostic } from "../../../src/checker/check.js";
import { rememberChecks } from "../../../src/checker/remember-checks.js";
import type { Json } from "../../../src/contracts/index.js";
import { toRequest } from "./servers.js";

const toResult = (diagnostics: readonly Partial<Diagnostic>[]): CheckResult =>
  ({ diagnostics, manifest: { calls: [], hasDynamicCalls: false } }) as unknown as CheckResult;

const openMemory = () => {
  const kept = new Map<string, Json>();
  return {
    kept,
    read: async (key: string) => kept.get(key),
    write: (key: string, result: Json) => void kept.set(key, result),
  };
};

const open = (find: (request: CheckRequest) => CheckResult, compiler?: string) => {
  let checks = 0;
  const check = rememberChecks(async (request) => {
    checks++;
    return find(request);
  }, compiler);
  return { check, count: () => checks };
};

describe("rememberChecks()", () => {
  it("checks a program once for all processes that share a memory and a compiler", async () => {
    const memory = openMemory();
    const request = { ...(await toRequest("return 1")), memory };
    const first = open(() => toResult([{ severity: "warning", code: "ADVICE" as never }]), "one");
    const result = await first.check(request);
    expect(await first.check(request)).toBe(result);
    expect(first.count()).toBe(1);
    const second = open(() => toResult([]), "one");
    expect(await second.check(request)).toEqual(result);
    expect(second.count()).toBe(0);
    const third = open(() => toResult([]), "another");
    await third.check(request);
    await third.check({ ...(await toRequest("return 2")), memory });
    expect(third.count()).toBe(2);
  });

  it.each([
    ["a mistake", { severity: "error", code: "TOOL_UNKNOWN" }],
    ["a compiler that failed", { severity: "warning", code: "NOT_CHECKED" }],
  ] as const)("tells the next process nothing of %s", async (_, diagnostic) => {
    const memory = openMemory();
    const { check, count } = open(() => toResult([diagnostic]));
    await check({ ...(await toRequest("return 1")), memory });
    expect(memory.kept.size).toBe(0);
    expect(count()).toBe(1);
  });

  it("believes nothing that is no result", async () => {
    const request = await toRequest("return 1");
    for (const found of [null, 1, {}, { diagnostics: [] }, { diagnostics: {}, manifest: { calls: [] } }]) {
      const { check, count } = open(() => toResult([]));
      await check({ ...request, memory: { read: async () => found, write: () => {} } });
      expect(count()).toBe(1);
    }
  });
});
