import { describe, expect, it } from "vitest";
import { renderPythonForms } from "../../../../src/codegen/index.js";
import type { JsonSchema, Tool } from "../../../../src/contracts/index.js";

const toTool = (inputSchema: JsonSchema, more: Partial<Tool> = {}): Tool => ({
  server: "git hub",
  name: "create_issue",
  functionName: "createIssue",
  description: 'Ends """ early\ndef create_issue() -> Answer[Wrong]:',
  inputSchema,
  isReadOnly: false,
  isDestructive: false,
  fingerprint: "f",
  ...more,
});
const render = (tool: Tool) =>
  renderPythonForms({ tool, functionName: "create_issue", identifier: "gitHub" });

describe("renderPythonForms()", () => {
  it("gives the import, the head on one line, and the types", () => {
    const many = Object.fromEntries(
      ["owner", "repository", "title", "assignee"].map((name) => [name, { type: "string" }]),
    );
    const { signature, importLine, declaration } = render(
      toTool(
        { type: "object", properties: many, required: ["owner", "title"] },
        {
          outputSchema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
        },
      ),
    );

    expect(importLine).toBe("from mcp_tools.gitHub import create_issue");
    expect(signature).toBe(
      "gitHub.create_issue(*, owner: str, title: str, repository: str = ..., assignee: str = ...) -> CreateIssueResult",
    );
    expect(declaration).toContain("class CreateIssueResult(TypedDict):");
  });

  it("says Any where nothing is known, and is not misled by what a server writes", () => {
    expect(render(toTool({ type: "object" })).signature).toBe("gitHub.create_issue(**others: object) -> Any");
    expect(render(toTool({ type: "object", additionalProperties: false })).signature).toBe(
      "gitHub.create_issue() -> Any",
    );
  });
});
