// One tool as Python's people and models read it: its types and function, and the function's head on one line.
import type { Tool } from "../../contracts/index.js";
import { openTypeNames } from "../typescript/type-names.js";
import { importedNames } from "./render-module.js";
import { claimToolNames, renderTool } from "./render-tool.js";

interface PythonFormsOptions {
  readonly tool: Tool;
  readonly functionName: string;
  /** The server's name in programs. */
  readonly identifier: string;
}

export interface PythonForms {
  /** `github.create_issue(*, owner: str, title: str) -> CreateIssueResult`. */
  readonly signature: string;
  readonly declaration: string;
  readonly importLine: string;
}

export const renderPythonForms = ({ tool, functionName, identifier }: PythonFormsOptions): PythonForms => {
  const names = openTypeNames([...importedNames, functionName]);
  const { source } = renderTool({ tool, functionName, own: claimToolNames(tool, names), names });
  // Heads stand at the start of a line, where no text of a server can.
  const head = new RegExp(`^def ${functionName}\\(([\\s\\S]*?)\\) -> Answer\\[(.*)\\]:`, "m").exec(source);
  const parameters = (head?.[1] ?? "").replace(/,?\s*\n\s*/g, ", ").replace(/^, |, $/g, "");
  return {
    signature: `${identifier}.${functionName}(${parameters}) -> ${head?.[2] ?? "Any"}`,
    declaration: `# mcp_tools.${identifier}\n\n${source}`,
    importLine: `from mcp_tools.${identifier} import ${functionName}`,
  };
};
