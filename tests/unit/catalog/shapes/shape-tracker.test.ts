// What a process learns while it runs, separate from the stored shapes until it is merged.
import { describe, expect, it } from "vitest";
import { openShapeTracker, toServerCatalog } from "../../../../src/catalog/index.js";
import { learnShape } from "../../../../src/catalog/shapes/learn-shape.js";
import type { ListedTool, Tool, ToolResult } from "../../../../src/contracts/index.js";

const toTool = (listed: Partial<ListedTool> = {}): Tool => {
  const tools = [{ name: "get_order", inputSchema: { type: "object" }, ...listed }];
  const [tool] = toServerCatalog(
    { server: "shop", tools, resources: [], resourceTemplates: [], prompts: [] },
    "shop",
  ).tools;
  if (tool === undefined) throw new Error("The catalog is empty");
  return tool;
};

const toResult = (value: unknown): ToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
});
const learn = (value: unknown) => learnShape(undefined, { value, isCut: false });

describe("openShapeTracker()", () => {
  it("learns from answers and joins them with the stored shape", () => {
    const tracker = openShapeTracker();
    const tool = toTool();
    expect(tracker.read(tool)).toBeUndefined();
    tracker.observe(tool, toResult({ a: 1 }));
    expect(tracker.read(tool)).toEqual(learn({ a: 1 }));
    tracker.add(tool, { ...learn({ b: "x" }), answers: 40 });
    expect(tracker.read(tool)).toMatchObject({
      answers: 41,
      type: { fields: { a: { isOptional: true }, b: { isOptional: true } } },
    });
  });

  it("returns what was learned only once, and still knows it", () => {
    const tracker = openShapeTracker();
    const tool = toTool();
    tracker.add(tool, learn({ a: 1 }));
    tracker.observe(tool, toResult({ a: 2 }));
    const { server, name, fingerprint } = tool;
    const key = { server, tool: name, fingerprint };
    expect(tracker.takeLearned()).toEqual([{ key, shape: learn({ a: 2 }) }]);
    expect(tracker.takeLearned()).toEqual([]);
    expect(tracker.read(tool)?.answers).toBe(2);
  });

  it("learns nothing from errors or if the tool declares its output", () => {
    const tracker = openShapeTracker();
    const declared = toTool({ outputSchema: { type: "object" } });
    tracker.observe(declared, toResult({ a: 1 }));
    tracker.observe(toTool(), { ...toResult({ a: 1 }), isError: true });
    expect(tracker.takeLearned()).toEqual([]);
  });

  it("starts again when the tool changes", () => {
    const tracker = openShapeTracker();
    tracker.observe(toTool(), toResult({ a: 1 }));
    expect(tracker.read(toTool({ description: "Another" }))).toBeUndefined();
  });

  it("looks at the first answers, at more of the short ones, and then at a sample", () => {
    const tracker = openShapeTracker();
    const [short, long] = [toTool(), toTool({ name: "list_orders" })];
    for (let index = 0; index < 160; index += 1) {
      tracker.observe(short, toResult({ a: index }));
      tracker.observe(long, toResult({ a: "x".repeat(1000) }));
    }
    expect(tracker.read(short)?.answers).toBe(70);
    expect(tracker.read(long)?.answers).toBe(18);
  });
});
