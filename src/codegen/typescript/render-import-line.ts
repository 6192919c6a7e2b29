// The line that imports one tool.
import type { Tool } from "../../contracts/index.js";
import { quoteText } from "./quote-text.js";

interface ImportOptions {
  readonly tool: Tool;
  /** The server's name in programs. */
  readonly identifier: string;
}

/** `import { createIssue } from "servers/github";` */
export const renderImportLine = ({ tool, identifier }: ImportOptions): string =>
  `import { ${tool.functionName} } from ${quoteText(`servers/${identifier}`)};`;
