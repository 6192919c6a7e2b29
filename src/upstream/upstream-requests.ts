// What one server is opened with, the requests to it, and the status that it reports.
import type {
  CoordinatorError,
  JsonObject,
  Listing,
  ListingCache,
  StartFailures,
  ToolProgress,
  UpstreamTimeouts,
  WiredDefinition,
} from "../contracts/index.js";
import type { Environment } from "./child-environment.js";
import type { Launcher } from "./launch/launcher.js";
import type { StartGate } from "./start-gate.js";

export interface UpstreamOptions {
  readonly definition: WiredDefinition;
  readonly timeouts: UpstreamTimeouts;
  readonly maxAnswerBytes: number;
  readonly cache: ListingCache;
  readonly failures: StartFailures;
  /** Where starts wait for their turn. */
  readonly startGate: StartGate;
  /** Fetches packages ahead. */
  readonly launcher?: Launcher | undefined;
  readonly client: { readonly name: string; readonly version: string };
  readonly environment: Environment;
  /** How long a connection lives that only listed. */
  readonly keptForListingMs: number;
  /** What the server lists is not what was known before. */
  readonly onListChanged: () => void;
}

export interface UpstreamStatus {
  readonly state: "idle" | "installing" | "connecting" | "ready" | "failed";
  readonly processId?: number | undefined;
  readonly era?: "legacy" | "modern" | undefined;
  /** The end of what its process wrote to stderr. */
  readonly stderrTail?: string | undefined;
  /** Why the last start failed; gone once one succeeds. */
  readonly lastError?: CoordinatorError | undefined;
  /** What is known in memory of what it offers. */
  readonly listing?: Listing | undefined;
  /** How often a process or connection was started. */
  readonly startedCount: number;
}

export interface ListOptions {
  /** Ask the server even when its listing is known. */
  readonly refresh?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * In the background, an installation waits for those that somebody needs, and a server that failed lately is not tried before its
   * pause is over.
   * @default "foreground"
   */
  readonly priority?: "foreground" | "background" | undefined;
}

export interface UpstreamCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly isSession?: boolean | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}
