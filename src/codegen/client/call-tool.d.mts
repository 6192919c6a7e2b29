// Types of call-tool.mjs, which calls tools from a project of your own.

/** A call that was refused or failed. */
export declare class ToolError extends Error {
  /** For programs, e.g. `TOOL_FAILED`, `ARGUMENTS_INVALID`, `CALL_DENIED`, `COORDINATOR_NOT_FOUND`. */
  readonly code: string;
  /** The next step for a person. */
  readonly hint: string | undefined;
  /** The run that made the call: `mcp-coordinator runs ID` shows it. */
  readonly runId: string | undefined;
}

/** Calls a tool by the name that its server uses. */
export declare const callTool: (server: string, tool: string, args?: unknown) => Promise<unknown>;

/** Ends mcp-coordinator before this process ends. The next call starts it again. */
export declare const close: () => Promise<void>;
