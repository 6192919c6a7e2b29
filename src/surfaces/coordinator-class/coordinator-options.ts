// What the class takes and gives.
import type { Json, Language, ListedPrompt, ListedResource, RunRequest } from "../../contracts/index.js";
import type { OpenOptions, ToolSummary } from "../../coordinator/index.js";

export interface CoordinatorClassOptions extends OpenOptions {
  /** The language of programs and of the written library. @default "python" */
  readonly language?: Language | undefined;
  /** The folder that `generateTools` puts `mcp_tools/`, or `servers/`, into. @default the working folder */
  readonly libraryFolder?: string | undefined;
}

/** How one program is run; a text is the name of a profile. */
export type ExecutionOptions = Omit<RunRequest, "code" | "output">;

/** How a program ended. */
export interface ExecutionOutcome {
  readonly success: boolean;
  /** What it returned; null when that was nothing. */
  readonly result: Json;
  readonly stdout: string;
  readonly stderr: string;
  /** What went wrong, where, and the next step; null when nothing did. */
  readonly error: string | null;
}

/** A server with what it offers, or with the reason why it cannot be asked. */
export interface DiscoveredServer {
  readonly tools: readonly ToolSummary[];
  readonly resources: readonly ListedResource[];
  readonly prompts: readonly ListedPrompt[];
  readonly instructions?: string | undefined;
  readonly error?: string | undefined;
}
