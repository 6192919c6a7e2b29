// The cache of check results: any result within this process, only clean ones for later processes.
import { describe, expect, it } from "vitest";
import type { CheckResult, Diagnostic } from "../../../../src/checker/index.js";
import { CoordinatorError, type Json } from "../../../../src/contracts/index.js";
import { rememberChecks } from "../../../../src/coordinator/checks/checker.js";
import type { ProgramCheck } from "../../../../src/coordinator/checks/checker-handlers.js";

const toCheck = (text: string): ProgramCheck => ({
  language: "typescript",
  text,
  imported: [],
  isSession: false,
  servers: [],
  identifiers: [],
  adapterNames: [],
});

const toResult = (diagnostics: readonly Partial<Diagnostic>[]): CheckResult =>
  ({ diagnostics, manifest: { calls: [], hasDynamicCalls: false } }) as unknown as CheckResult;

const requester = { workspace: "default" };

const openMemory = () => {
  const kept = new Map<string, Json>();
  return {
    kept,
    read: async (key: string) => kept.get(key),
    write: (key: string, result: Json) => void kept.set(key, result),
  };
};

const open = (find: () => CheckResult, compiler?: string) => {
  let checks = 0;
  const check = rememberChecks(
    async () => {
      checks++;
      return find();
    },
    async () => compiler,
  );
  return { check, count: () => checks };
};

describe("rememberChecks()", () => {
  it("checks a program once for all processes that share a cache and a compiler", async () => {
    const options = { requester, catalogs: [], memory: openMemory() };
    const first = open(() => toResult([{ severity: "warning", code: "ADVICE" }]), "one");
    const result = await first.check(toCheck("return 1"), options);
    expect(await first.check(toCheck("return 1"), options)).toBe(result);
    expect(first.count()).toBe(1);
    const second = open(() => toResult([]), "one");
    expect(await second.check(toCheck("return 1"), options)).toEqual(result);
    expect(second.count()).toBe(0);
    const third = open(() => toResult([]), "another");
    await third.check(toCheck("return 1"), options);
    await third.check(toCheck("return 2"), options);
    expect(third.count()).toBe(2);
  });

  it.each([
    ["a mistake", { severity: "error", code: "TOOL_UNKNOWN" }],
    ["a compiler that failed", { severity: "warning", code: "NOT_CHECKED" }],
  ] as const)("passes nothing about %s to the next process", async (_, diagnostic) => {
    const memory = openMemory();
    const { check, count } = open(() => toResult([diagnostic]));
    await check(toCheck("return 1"), { requester, catalogs: [], memory });
    expect(memory.kept.size).toBe(0);
    expect(count()).toBe(1);
  });

  it("checks again if another caller cancelled the shared check", async () => {
    const asked: string[] = [];
    const check = rememberChecks(
      async (_, { requester: { workspace } }) => {
        asked.push(workspace);
        if (workspace === "a") throw new CoordinatorError("RUN_CANCELLED", "Cancelled");
        return toResult([]);
      },
      async () => undefined,
    );
    const first = check(toCheck("return 1"), { requester: { workspace: "a" }, catalogs: [] });
    const second = check(toCheck("return 1"), { requester: { workspace: "b" }, catalogs: [] });
    await expect(first).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    expect(await second).toEqual(toResult([]));
    expect(asked).toEqual(["a", "b"]);
  });

  it("ignores a stored entry that is not a result", async () => {
    for (const found of [null, 1, {}, { diagnostics: [] }, { diagnostics: {}, manifest: { calls: [] } }]) {
      const { check, count } = open(() => toResult([]));
      const memory = { read: async () => found as Json, write: () => {} };
      await check(toCheck("return 1"), { requester, catalogs: [], memory });
      expect(count()).toBe(1);
    }
  });
});
