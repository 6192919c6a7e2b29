import { describe, expect, it } from "vitest";
import type { Tool } from "../../../../src/contracts/index.js";
import { needsApproval } from "../../../../src/coordinator/runs/needs-approval.js";

const tool = (name: string, facts: Partial<Tool> = {}): Tool => ({
  server: "git-hub",
  name,
  functionName: name,
  description: "",
  inputSchema: { type: "object" },
  isReadOnly: false,
  isDestructive: true,
  fingerprint: name,
  ...facts,
});

describe("needsApproval()", () => {
  it.each([
    ["git-hub.delete_repo", "delete_repo", true],
    ["git-hub.delete_repo", "delete_repository", false],
    ["git-hub.delete_*", "delete_repo", true],
    ["git-hub.delete_*", "undelete_repo", false],
    ["*.delete_*", "delete_repo", true],
    ["*_repo", "delete_repo", true],
    ["git-hub.*_re*po", "delete_repo", true],
    ["git-hub.*o*o", "do", false],
    ["*", "anything", true],
    ["git.hub.x", "x", false],
    ["", "x", false],
  ])("matches %j with %j: %s", (rule, name, expected) => {
    expect(needsApproval([rule], tool(name))).toBe(expected);
  });

  it("recognizes writes and tools declared as destructive", () => {
    const read = tool("read", { isReadOnly: true });
    const gentle = tool("add", { isDestructive: false });
    const judge = (rule: string) => [read, gentle, tool("drop")].map((one) => needsApproval([rule], one));
    expect(judge("writes")).toEqual([false, true, true]);
    expect(judge("destructive")).toEqual([false, false, true]);
  });

  it("matches a rule full of stars quickly", () => {
    expect(needsApproval(["*a".repeat(5000)], tool("a".repeat(4000)))).toBe(false);
  });
});
