// The Python of one tool to be read: its types with comments, and the function's head.
import type { Tool } from "../../contracts/index.js";
import { openTypeNames } from "../type-names.js";
import { importedNames } from "./render-module.js";
import { claimToolNames, renderTool } from "./render-tool.js";

interface DeclarationOptions {
  readonly tool: Tool;
  /** The function's name in Python. */
  readonly functionName: string;
}

export const renderPythonDeclaration = ({ tool, functionName }: DeclarationOptions): string => {
  const names = openTypeNames([...importedNames, functionName]);
  return renderTool({ tool, functionName, own: claimToolNames(tool, names), names }).stub;
};
