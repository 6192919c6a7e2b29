// The options, requests and status of one server, and the hashes that identify its definition.
import { createHash } from "node:crypto";
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
import type { StartGate } from "./start-limits.js";

export interface UpstreamOptions {
  readonly definition: WiredDefinition;
  readonly timeouts: UpstreamTimeouts;
  readonly maxAnswerBytes: number;
  readonly cache: ListingCache;
  readonly failures: StartFailures;
  /** Limits how many processes start at once. */
  readonly startGate: StartGate;
  /** Fetches packages in advance. */
  readonly launcher?: Launcher | undefined;
  readonly client: { readonly name: string; readonly version: string };
  readonly environment: Environment;
  /** How long a connection that was only used for listing stays open. */
  readonly listingIdleMs: number;
  /** Called when the listing changes. */
  readonly onListChanged: () => void;
}

export interface UpstreamStatus {
  readonly state: "idle" | "installing" | "connecting" | "ready" | "failed";
  readonly processId?: number | undefined;
  readonly era?: "legacy" | "modern" | undefined;
  /** The tail of its process's stderr. */
  readonly stderrTail?: string | undefined;
  /** Why the last start failed; undefined once one succeeds. */
  readonly lastError?: CoordinatorError | undefined;
  /** The listing in memory. */
  readonly listing?: Listing | undefined;
  /** How many times a process or connection was started. */
  readonly startedCount: number;
}

export interface ListOptions {
  /** List the server even if its listing is known. */
  readonly refresh?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * In the background, an installation waits for more urgent ones, and a server that failed recently is not tried again
   * until its pause is over.
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

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value;

const hash = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value, sortKeys)).digest("hex");

/** Hashes the target with its variables and headers. */
export const fingerprintDefinition = ({ target }: WiredDefinition): string => hash(target);

/** Hashes everything that decides whether it starts. A changed timeout is a reason to try again. */
export const fingerprintStart = ({ target, timeouts, launch }: WiredDefinition): string =>
  hash({ target, timeouts, launch });
