// Types that several tools have are printed once.
import { describe, expect, it } from "vitest";
import { openSharedTypes, renderDeclaration } from "../../../../src/codegen/index.js";
import { toTool } from "../catalogs.js";

const error = {
  type: "object",
  properties: {
    code: { enum: ["NOT_FOUND", "FORBIDDEN", "CONFLICT", "RATE_LIMITED", "UNAVAILABLE"] },
    message: { type: "string" },
    retryAfterSeconds: { type: "integer" },
  },
  required: ["code", "message"],
};
const toFailing = (name: string, properties: object) =>
  toTool({
    name,
    inputSchema: { type: "object", properties: {} },
    outputSchema: { type: "object", properties: { ...properties, error }, required: [] },
  });

describe("openSharedTypes()", () => {
  it("names a type that several tools have, and prints it once", () => {
    const tools = [
      toFailing("open", { id: { type: "string" } }),
      toFailing("close", { at: { type: "string" } }),
    ];
    const shared = openSharedTypes(tools);
    const texts = tools.map((tool) => renderDeclaration({ tool, identifier: "shop", shared }));
    for (const text of texts) {
      expect(text).toContain("error?: Shared1;");
      expect(text).not.toContain("retryAfterSeconds");
    }
    expect(shared.render()).toMatch(
      /^export type Shared1 = \{\n {2}code:[\s\S]+retryAfterSeconds\?: number;\n\};\n$/,
    );
  });

  it("does not name types that only one tool has, or that are short", () => {
    const tools = [toFailing("open", {}), toTool({ name: "other" })];
    const shared = openSharedTypes(tools);
    expect(renderDeclaration({ tool: tools[0] as never, identifier: "shop", shared })).toBe(
      renderDeclaration({ tool: tools[0] as never, identifier: "shop" }),
    );
    expect(shared.render()).toBe("");
  });
});
