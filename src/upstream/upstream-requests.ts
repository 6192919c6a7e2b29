// The options, requests and status of one server, and the hashes that identify its definition.
import { createHash } from "node:crypto";
import type {
  CallAsker,
  ClientIdentity,
  CoordinatorError,
  ForwardedMessage,
  JsonObject,
  Listing,
  ListingCache,
  OfferedMethod,
  OpenInput,
  StartFailures,
  ToolProgress,
  UpstreamTimeouts,
  WiredDefinition,
} from "../contracts/index.js";
import type { Launcher } from "./launch/launcher.js";
import type { Connection, OpenConnectionOptions } from "./open-connection.js";
import type { StartGate } from "./server-start.js";

export interface UpstreamOptions
  extends Pick<
    OpenConnectionOptions,
    | "definition"
    | "maxAnswerBytes"
    | "client"
    | "answers"
    | "capabilities"
    | "handlers"
    | "environment"
    | "tokens"
  > {
  readonly timeouts: UpstreamTimeouts;
  readonly cache: ListingCache;
  readonly failures: StartFailures;
  /** Limits how many processes start at once. */
  readonly startGate: StartGate;
  /** Fetches packages in advance. If undefined, every command is started as written. */
  readonly launcher?: Launcher | undefined;
  /** How long a connection that was only used for listing stays open. */
  readonly listingIdleMs: number;
  /** Called when the listing changes. */
  readonly onListChanged: () => void;
}

export interface UpstreamStatus {
  readonly state: "idle" | "installing" | "connecting" | "ready" | "failed";
  readonly processId?: number | undefined;
  readonly protocol?: "legacy" | "modern" | undefined;
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

/** A request that is passed on as it is. */
export interface ForwardRequest extends ForwardedMessage {
  /** The client that sends it. A server of the 2026 protocol gets it with the request. */
  readonly identity: ClientIdentity;
  readonly signal?: AbortSignal | undefined;
  /** See {@link RoutedRequest.owner}. */
  readonly owner?: object | undefined;
  readonly onNotification?: ((message: ForwardedMessage) => void) | undefined;
  /** Later requests need the state that this one leaves in the server. */
  readonly isSession?: boolean | undefined;
}

export interface UpstreamCall {
  /** The name on the wire. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Set if it is not a tool that is called. */
  readonly method?: OfferedMethod | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Overrides the configured `callTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Later calls need the state that this one leaves in the server, so its process does not end when idle. */
  readonly isSession?: boolean | undefined;
  /** Continues a call whose server wanted input. */
  readonly input?: OpenInput | undefined;
  /** Answers a server of the 2025 protocol that asks during the call. */
  readonly asker?: CallAsker | undefined;
  /** Receives the tool's progress. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}

/** A request on the connection. */
export interface ConnectionUse<Value> {
  /** The start of an error's message. */
  readonly attempt: string;
  readonly timeoutMs: number;
  /** @default "callTimeoutMs" */
  readonly timeoutName?: keyof UpstreamTimeouts | undefined;
  readonly signal: AbortSignal | undefined;
  readonly run: (connection: Connection) => Promise<Value>;
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
