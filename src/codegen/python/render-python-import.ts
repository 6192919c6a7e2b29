// The line that imports one tool in Python.

interface ImportOptions {
  /** The server's name in programs. */
  readonly identifier: string;
  /** The function's name in Python. */
  readonly functionName: string;
}

/** `from mcp_tools.github import create_issue` */
export const renderPythonImport = ({ identifier, functionName }: ImportOptions): string =>
  `from mcp_tools.${identifier} import ${functionName}`;
