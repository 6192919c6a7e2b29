import { describe, expect, it } from "vitest";
import type { Tool } from "../../../../src/contracts/index.js";
import { openPlan } from "../../../../src/coordinator/running/open-plan.js";

const tool = (name: string, isReadOnly = false): Tool => ({
  server: "shop",
  name,
  functionName: name,
  description: "",
  inputSchema: { type: "object" },
  isReadOnly,
  isDestructive: false,
  fingerprint: "f",
});

describe("openPlan()", () => {
  it("captures every tool that does not say it only reads", () => {
    const plan = openPlan("p");
    expect([plan.captures(tool("list", true)), plan.captures(tool("order"))]).toEqual([false, true]);
  });

  it.each([
    ["the same text", { id: "order-77" }, true],
    ["a text that holds it", { note: "see order-77, please" }, true],
    ["a number of it, also in a text", { note: "number 4711." }, true],
    ["a longer number", { note: "number 147110" }, false],
    ["something else", { id: "order-78", count: 3 }, false],
  ])("marks calls that are given what was made up: %s", (_what, given, isMarked) => {
    const plan = openPlan("p");
    plan.add(
      tool("order"),
      { item: "book" },
      { structuredContent: { id: "order-77", total: 4711, count: 3 } },
    );
    plan.add(tool("pay"), given, {});
    expect(plan.read().calls[1]?.usesSimulated === true).toBe(isMarked);
  });

  it("looks into JSON that came as text", () => {
    const plan = openPlan("p");
    plan.add(tool("order"), {}, { content: [{ type: "text", text: '[{"id":"order-77"}]' }] });
    plan.add(tool("pay"), { orders: [{ id: "order-77" }] }, {});
    expect(plan.read()).toMatchObject({ planId: "p", calls: [{}, { usesSimulated: true }] });
  });
});
