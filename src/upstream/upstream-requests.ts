// The requests to one server, and the status that it reports.
import type { CoordinatorError, JsonObject, Listing, ToolProgress } from "../contracts/index.js";

export interface UpstreamStatus {
  readonly state: "idle" | "connecting" | "ready" | "failed";
  readonly processId?: number;
  readonly era?: "legacy" | "modern";
  /** The end of what its process wrote to stderr. */
  readonly stderrTail?: string;
  /** Why the last start failed; gone once one succeeds. */
  readonly lastError?: CoordinatorError;
  /** What is known in memory of what it offers. */
  readonly listing?: Listing;
  /** How often a process or connection was started. */
  readonly startedCount: number;
}

export interface ListOptions {
  /** Ask the server even when its listing is known. */
  readonly refresh?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * In the background, a start waits for its turn, and a server that failed lately is not tried before its pause is over.
   * @default "foreground"
   */
  readonly priority?: "foreground" | "background" | undefined;
}

export interface UpstreamCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: ToolProgress) => void;
}
