// Classes that several tools have are printed once.
import { describe, expect, it } from "vitest";
import { openSharedClasses, renderPythonDeclaration } from "../../../../src/codegen/index.js";
import { toTool } from "../catalogs.js";

const place = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const person = { type: "object", properties: { name: { type: "string" }, home: place }, required: ["name"] };
const toTools = (...outputs: object[]) =>
  outputs.map((properties, at) =>
    toTool({
      name: ["open", "close", "list"][at] ?? "",
      inputSchema: { type: "object", properties: {} },
      outputSchema: { type: "object", properties, required: Object.keys(properties) },
    }),
  );
const render = (tools: ReturnType<typeof toTools>) => {
  const shared = openSharedClasses(tools);
  const texts = tools.map((tool) =>
    renderPythonDeclaration({ tool, functionName: tool.functionName, shared }),
  );
  return { texts, shared: shared.render() };
};

describe("openSharedClasses()", () => {
  it("prints a class that several tools have once, with the classes inside it", () => {
    const { texts, shared } = render(toTools({ owner: person }, { buyer: person, at: { type: "integer" } }));
    expect(texts[0]).toContain("class OpenResult(TypedDict):\n    owner: Shared2\n");
    expect(texts[1]).toContain("    buyer: Shared2\n    at: int\n");
    expect(texts.join("")).not.toContain("home");
    expect(shared).toBe(
      "class Shared1(TypedDict):\n    city: str\n\n\nclass Shared2(TypedDict):\n    name: str\n    home: NotRequired[Shared1]\n",
    );
  });

  it("keeps the name of a whole result as an alias", () => {
    const { texts, shared } = render(toTools({ owner: person }, { owner: person }));
    expect(texts[0]).toContain("OpenResult = Shared3\n");
    expect(texts[1]).toContain("CloseResult = Shared3\n");
    expect(shared).toContain("class Shared3(TypedDict):\n    owner: Shared2\n");
  });

  it("shares a definition that the schemas refer to", () => {
    const tools = ["open", "close"].map((name) =>
      toTool({
        name,
        inputSchema: { type: "object", properties: {} },
        outputSchema: {
          type: "object",
          properties: { [name]: { $ref: "#/$defs/person" } },
          $defs: { person },
        },
      }),
    );
    const { texts, shared } = render(tools);
    expect(texts.join("")).not.toContain("city");
    expect(shared.match(/city: str/g)).toHaveLength(1);
  });

  it("changes nothing if no class is shared", () => {
    const tools = toTools({ owner: person }, { at: { type: "integer" } });
    expect(render(tools)).toEqual({
      texts: tools.map((tool) => renderPythonDeclaration({ tool, functionName: tool.functionName })),
      shared: "",
    });
  });
});
