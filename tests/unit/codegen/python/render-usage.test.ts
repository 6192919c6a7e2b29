// One-line Python that shows how to use a tool.
import { describe, expect, it } from "vitest";
import { renderPythonImport, renderPythonSignature } from "../../../../src/codegen/index.js";
import type { ListedTool } from "../../../../src/contracts/index.js";
import { readGoldenCases, toTool } from "../catalogs.js";

const text = { type: "string" };
const sign = (listed: Partial<ListedTool>, maxLength = 200): string =>
  renderPythonSignature({ tool: toTool(listed), name: "place_order", maxLength });

describe("renderPythonSignature()", () => {
  it("shows keywords, required ones first, and the keys of the result", () => {
    const properties = { notes: { type: "array", items: text }, item: text, kind: { enum: ["a", "b"] } };
    expect(
      sign({
        inputSchema: { type: "object", properties, required: ["item"] },
        outputSchema: {
          type: "object",
          properties: { number: { type: "integer" }, paid: { type: "boolean" } },
          required: ["number"],
        },
      }),
    ).toBe(
      'place_order(item: str, notes: list[str] = ..., kind: "a" | "b" = ...) -> {"number": int, "paid"?: bool}',
    );
  });

  it("appends an underscore to Python keywords, and shows a dictionary if a name cannot be a parameter", () => {
    expect(sign({ inputSchema: { type: "object", properties: { from: text }, required: ["from"] } })).toBe(
      "place_order(from_: str) -> Any",
    );
    expect(sign({ inputSchema: { type: "object", properties: { "a-b": text } } })).toBe(
      'place_order({"a-b"?: str}) -> Any',
    );
  });

  it("stays within its length and on one line", () => {
    for (const { catalog } of readGoldenCases()) {
      for (const tool of catalog.tools) {
        const line = renderPythonSignature({ tool, name: "f", maxLength: 120 });
        expect(line).not.toContain("\n");
        if (!line.includes("…")) expect(line.length).toBeLessThanOrEqual(120);
      }
    }
  });
});

describe("renderPythonImport()", () => {
  it("imports the function from the server's package", () => {
    expect(renderPythonImport({ identifier: "shop", functionName: "place_order" })).toBe(
      "from mcp_tools.shop import place_order",
    );
  });
});
