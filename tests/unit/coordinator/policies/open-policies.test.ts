// Only the person's own policy declares inverse calls: what a project declares is listed as unused.
import { describe, expect, it } from "vitest";
import type { Configuration, PolicyDocument } from "../../../../src/contracts/index.js";
import { findInverse, listIgnoredUndo } from "../../../../src/coordinator/policies/open-policies.js";

const toPolicy = (call: string, isProject?: true): PolicyDocument => ({
  file: "policy.yaml",
  document: { undo: { "notes.add": { call } } },
  isProject,
});
const toHost = (policies: readonly PolicyDocument[]) => ({
  configuration: { policies, servers: [{ name: "notes" }] } as unknown as Configuration,
});
const add = { server: "notes", name: "add", functionName: "add" };
const invert = (policies: readonly PolicyDocument[]) =>
  findInverse(toHost(policies), add)?.invert({ arguments: {} });

describe("findInverse()", () => {
  it("finds what the person's own policy declares", () => {
    expect(invert([toPolicy("notes.remove")])).toMatchObject({ call: { server: "notes", tool: "remove" } });
  });

  it("ignores undo rules of a project, even if it has the only policy", () => {
    expect(invert([toPolicy("notes.erase", true)])).toBeUndefined();
    expect(listIgnoredUndo(toHost([toPolicy("notes.erase", true)]))).toHaveLength(1);
  });

  it("ignores undo rules of every policy but the first", () => {
    const policies = [toPolicy("notes.remove"), toPolicy("notes.erase"), toPolicy("notes.erase", true)];
    expect(invert(policies)).toMatchObject({ call: { tool: "remove" } });
    expect(listIgnoredUndo(toHost(policies))).toHaveLength(2);
  });
});
