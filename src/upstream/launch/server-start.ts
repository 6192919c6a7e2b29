// Takes one server from its definition to an open connection: fetches, then starts it, each with its own timeout.
import type { LaunchSummary, UpstreamTimeouts, WiredDefinition } from "../../contracts/index.js";
import { type Connection, type OpenConnectionOptions, openConnection } from "../open-connection.js";
import type { StartGate } from "../start-limits.js";
import { redactError } from "../to-upstream-error.js";
import type { Launch, Launcher } from "./launcher.js";

export interface ServerStartOptions {
  readonly definition: WiredDefinition;
  readonly timeouts: UpstreamTimeouts;
  /** Limits how many processes start at once. */
  readonly startGate: StartGate;
  /** If undefined, every command is started as written. */
  readonly launcher: Launcher | undefined;
}

export interface PrepareStart {
  readonly signal: AbortSignal;
  readonly isUrgent: boolean;
  /** Resolve names, ranges and tags now. */
  readonly isRefreshed?: boolean | undefined;
}

export class ServerStart {
  readonly #options: ServerStartOptions;
  readonly #listeners = new Set<() => void>();
  /** Listeners of the same installation. */
  #waiting = 0;
  summary: LaunchSummary | undefined;

  constructor(options: ServerStartOptions) {
    this.#options = options;
  }

  /** Its package is being fetched, or its first start as written may be installing it. */
  get isInstalling(): boolean {
    return this.#waiting > 0;
  }

  /** Calls the listener when an installation begins, at once if one is running. Returns a function that unsubscribes. */
  onInstalling(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.isInstalling) listener();
    return () => void this.#listeners.delete(listener);
  }

  /** Fetches what is missing. Concurrent requests share the fetch. */
  async prepare({ signal, isUrgent, isRefreshed }: PrepareStart): Promise<Launch | undefined> {
    const { definition, launcher, timeouts } = this.#options;
    let isWaiting = false;
    try {
      const launch = await launcher?.prepare(definition, {
        ...{ signal, isUrgent, isRefreshed },
        fetchTimeoutMs: timeouts.fetchTimeoutMs,
        onInstalling: () => {
          isWaiting = true;
          this.#begin();
        },
      });
      this.summary = launch?.summary;
      return launch;
    } catch (error) {
      throw redactError(error, definition);
    } finally {
      if (isWaiting) this.#waiting -= 1;
    }
  }

  async open(
    options: Omit<OpenConnectionOptions, "launch" | "connectTimeoutMs">,
    isUrgent: () => boolean,
  ): Promise<Connection> {
    const { definition, startGate } = this.#options;
    const { fetchTimeoutMs, connectTimeoutMs } = this.#options.timeouts;
    const launch = await this.prepare({ signal: options.signal, isUrgent: true });
    if (launch?.first === undefined) {
      const isProcess = definition.target.kind === "stdio";
      const leave = isProcess ? await startGate.enter(options.signal, isUrgent) : undefined;
      return openConnection({ ...options, launch, connectTimeoutMs }).finally(() => leave?.());
    }
    const { gate, noteStarted } = launch.first;
    this.#begin();
    const leave = await gate.enter(options.signal, isUrgent).catch((error: unknown) => {
      this.#waiting -= 1;
      throw error;
    });
    try {
      const connection = await openConnection({ ...options, launch, connectTimeoutMs: fetchTimeoutMs });
      await noteStarted();
      return connection;
    } finally {
      this.#waiting -= 1;
      leave();
    }
  }

  #begin(): void {
    this.#waiting += 1;
    for (const listener of this.#listeners) listener();
  }
}
