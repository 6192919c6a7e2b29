// The options and results of the class.
import type {
  Json,
  Language,
  ListedPrompt,
  ListedResource,
  LogLine,
  RunRequest,
  RunResult,
} from "../../contracts/index.js";
import type { OpenOptions, ToolSummary } from "../../coordinator/index.js";
import { renderRunTexts } from "../../coordinator/index.js";

export interface CoordinatorClassOptions extends OpenOptions {
  /** The language of programs and of the generated library. @default "python" */
  readonly language?: Language | undefined;
  /** The folder in which `generateTools` creates `mcp_tools/` or `servers/`. @default the working folder */
  readonly libraryFolder?: string | undefined;
}

/** How to run one program; a text is the name of a profile. */
export type ExecutionOptions = Omit<RunRequest, "code" | "output">;

/** How a program ended. */
export interface ExecutionOutcome {
  readonly success: boolean;
  /** What it returned; null if nothing. */
  readonly result: Json;
  readonly stdout: string;
  readonly stderr: string;
  /** What went wrong, where, and the next step; null if nothing did. */
  readonly error: string | null;
}

/** A server with what it offers, or the reason why it cannot be asked. */
export interface DiscoveredServer {
  readonly tools: readonly ToolSummary[];
  readonly resources: readonly ListedResource[];
  readonly prompts: readonly ListedPrompt[];
  readonly instructions?: string | undefined;
  readonly error?: string | undefined;
}

const isComplaint = ({ level }: LogLine): boolean => level === "error" || level === "warn";

const join = (lines: readonly LogLine[]): string => lines.map(({ text }) => `${text}\n`).join("");

export const toExecutionOutcome = ({ status, value, logs, ...result }: RunResult): ExecutionOutcome => {
  const success = status === "completed";
  return {
    success,
    result: value ?? null,
    stdout: join(logs.filter((line) => !isComplaint(line))),
    stderr: join(logs.filter(isComplaint)),
    error: success ? null : renderRunTexts({ ...result, status, logs: [] }).join("\n"),
  };
};
