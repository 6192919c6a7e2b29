// Listed items are sanitized field by field; malformed parts are dropped, not fatal.
import { describe, expect, it } from "vitest";
import {
  repairToolList,
  toListedPrompt,
  toListedResource,
  toListedTool,
} from "../../../../src/upstream/listing/to-listed.js";

describe("toListedTool()", () => {
  it.each([undefined, null, "tool", 5, [], {}, { name: "" }, { name: 5 }])("rejects %j as a tool", (raw) => {
    expect(toListedTool(raw)).toBeUndefined();
  });

  it("keeps valid fields", () => {
    const tool = {
      name: "t",
      title: "T",
      description: "d",
      inputSchema: { type: "object", properties: { a: { type: "string" } } },
      outputSchema: { type: "array" },
      annotations: {
        title: "A",
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    };
    expect(toListedTool(tool)).toEqual(tool);
  });

  it("stores fields that we do not use, so that they can be passed on", () => {
    const others = { icons: [{ src: "data:,x" }], _meta: { a: 1 }, unknown: [1] };
    const listed = toListedTool({ name: "t", inputSchema: { type: "object" }, ...others });
    expect(listed).toEqual({ name: "t", inputSchema: { type: "object" }, others });
    // A page is read twice.
    expect(toListedTool(listed)).toEqual(listed);
  });

  it("drops such fields if they are malformed or too large", () => {
    const tool = { name: "t", inputSchema: { type: "object" } };
    expect(toListedTool({ ...tool, _meta: 5, icons: [{}], execution: "x" })).toEqual(tool);
    expect(toListedTool({ ...tool, _meta: { text: "x".repeat(100_000) } })).toEqual(tool);
    expect(toListedTool({ ...tool, others: { name: "other" } })).toEqual(tool);
  });

  it("drops fields of the wrong type", () => {
    expect(
      toListedTool({
        name: "t",
        title: 1,
        description: {},
        outputSchema: "x",
        annotations: { readOnlyHint: "yes" },
      }),
    ).toEqual({ name: "t", inputSchema: { type: "object" }, annotations: {} });
  });

  it.each([undefined, null, true, "object", [], { type: "string" }, { type: ["object", "null"] }])(
    "turns %j into an object schema",
    (inputSchema) => {
      expect(toListedTool({ name: "t", inputSchema })?.inputSchema).toEqual({ type: "object" });
    },
  );
});

describe("toListedResource() and toListedPrompt()", () => {
  it("name a resource by its URI if it has no name", () => {
    expect(toListedResource({ uri: "a://b", mimeType: 5 })).toEqual({ uri: "a://b", name: "a://b" });
    expect(toListedResource({ name: "no address" })).toBeUndefined();
  });

  it("keep the named arguments of a prompt", () => {
    const raw = { name: "p", arguments: [{ name: "a", required: true, description: "d" }, {}, "x"] };
    expect(toListedPrompt(raw)).toEqual({
      name: "p",
      arguments: [{ name: "a", required: true, description: "d" }],
    });
  });
});

describe("repairToolList()", () => {
  it("repairs a list of tools, and adds the cache hints that protocol version 2026-07-28 requires", () => {
    const message = { id: 1, result: { resultType: "complete", tools: [{ name: "t" }, {}] } };
    repairToolList(message);
    expect(message.result).toEqual({
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "private",
      tools: [{ name: "t", inputSchema: { type: "object" } }],
      "x-left-out": 1,
    });
  });

  it("does not change the result of a tool call", () => {
    const message = { id: 1, result: { content: [], tools: [{}] } };
    repairToolList(message);
    expect(message).toEqual({ id: 1, result: { content: [], tools: [{}] } });
  });
});
