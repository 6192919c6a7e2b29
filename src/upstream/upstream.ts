// One server's lifecycle: starts on first use, stays warm, restarts after a crash.
import {
  CoordinatorError,
  type ForwardedMessage,
  type Listing,
  maxTimerMs,
  type ToolResult,
  type UpstreamTimeouts,
  withinTime,
} from "../contracts/index.js";
import { callTool } from "./call-tool.js";
import { KnownListing, Renewal } from "./listing/known-listing.js";
import type { Connection, ProcessReport } from "./open-connection.js";
import { forwardRequest } from "./open-link.js";
import { redact } from "./redact.js";
import { BackOff, ServerStart } from "./server-start.js";
import { isStreamLoss } from "./upstream-errors.js";
import {
  type ForwardRequest,
  fingerprintStart,
  type ListOptions,
  type UpstreamCall,
  type UpstreamOptions,
  type UpstreamStatus,
} from "./upstream-requests.js";
import {
  type ConnectionOwner,
  type ConnectionUse,
  IdleEnd,
  openTasks,
  useConnection,
} from "./use-connection.js";

export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #timeouts: UpstreamTimeouts;
  readonly #known: KnownListing;
  readonly #start: ServerStart;
  readonly #owner: ConnectionOwner;
  readonly #closing = new AbortController();
  readonly #tasks = openTasks();
  #connecting: Promise<Connection> | undefined;
  #connection: Connection | undefined;
  #lastReport: (() => ProcessReport) | undefined;
  #lastError: CoordinatorError | undefined;
  #startedCount = 0;
  /** Whether it was called since its process started. */
  #isCalled = false;
  readonly #idleEnd = new IdleEnd({
    idleMs: () => this.#idleMs,
    end: () => {
      this.#isCalled = false;
      if (this.#connection !== undefined) this.#giveUp(this.#connection);
    },
  });
  readonly backOff: BackOff;
  readonly #renewal = new Renewal({
    isConnected: () => this.#connection !== undefined,
    readAtMs: () => this.#known.readAtMs,
    mustPause: async () => (await this.backOff.find("background")) !== undefined,
    read: () => this.list({ refresh: true }),
  });

  constructor(options: UpstreamOptions) {
    this.#options = options;
    const { definition, failures } = options;
    this.backOff = new BackOff(definition.name, fingerprintStart(definition), failures);
    this.#timeouts = { ...options.timeouts, ...definition.timeouts };
    this.#start = new ServerStart({ ...options, timeouts: this.#timeouts });
    this.#owner = {
      ...options,
      connect: async (signal) => this.#connection ?? withinTime(this.#connect(), { signal }),
      giveUp: (connection, isOtherProtocol) => {
        if (isOtherProtocol) this.#known.version = undefined;
        this.#giveUp(connection);
      },
    };
    this.#known = new KnownListing({
      ...options,
      timeoutMs: Math.min(this.#timeouts.listTimeoutMs, maxTimerMs),
      signal: this.#closing.signal,
      onTask: (work) => this.#tasks.add(work),
    });
  }

  get status(): UpstreamStatus {
    const stderr = this.#lastReport?.().stderr;
    return {
      state: this.#state,
      processId: this.#connection?.processId,
      protocol: this.#connection?.version.kind ?? this.#known.version?.kind,
      stderrTail: stderr ? redact(stderr, this.#options.definition) : undefined,
      lastError: this.#lastError,
      listing: this.#known.listing,
      startedCount: this.#startedCount,
    };
  }

  get #state(): UpstreamStatus["state"] {
    if (this.#connection !== undefined) return "ready";
    if (this.#start.isInstalling) return "installing";
    if (this.#connecting !== undefined) return "connecting";
    return this.#lastError === undefined ? "idle" : "failed";
  }

  /** Returns the listing from memory or the cache, without starting anything. */
  async peek(): Promise<Listing | undefined> {
    await this.#known.recall();
    return this.#known.listing;
  }

  /** Connects in advance of the first call, which reports a failure. */
  connect(): void {
    if (this.#connection === undefined) this.#tasks.add(this.#connect().then(() => this.#idleEnd.wait()));
  }

  /** Calls the listener when its package is being installed. Returns a function that unsubscribes. */
  onInstalling(listener: () => void): () => void {
    return this.#start.onInstalling(listener);
  }

  /** Fetches its package if it has one that is missing or must be resolved again. */
  async fetch(options: { readonly isUrgent: boolean; readonly isRefreshed?: boolean | undefined }) {
    try {
      await this.#start.prepare({ ...options, signal: this.#closing.signal });
    } catch (error) {
      if (!this.#closing.signal.aborted) await this.#noteFailure(error);
      throw error;
    }
  }

  async #noteFailure(error: unknown): Promise<void> {
    if (!(error instanceof CoordinatorError)) return;
    this.#lastError = error;
    await this.backOff.add(error);
  }

  /** Whether the listing is known and older than `ageMs`, or than the default age. */
  async isStale(ageMs?: number): Promise<boolean> {
    await this.#known.recall();
    return ageMs === undefined ? this.#known.isStale : this.#known.isOlderThan(ageMs);
  }

  async list({ refresh, signal, priority = "foreground" }: ListOptions): Promise<Listing> {
    const { definition } = this.#options;
    const attempt = `Cannot list the tools of "${definition.name}"`;
    if (refresh !== true) {
      const known = this.#known.listing ?? (await this.peek());
      if (known !== undefined) return known;
    }
    const isBackground = priority === "background" && this.#connection === undefined;
    if (isBackground || (refresh !== true && this.#connection === undefined)) {
      const failure = await this.backOff.find(priority);
      if (failure !== undefined) throw failure;
    }
    try {
      if (isBackground && definition.target.kind === "stdio") await this.fetch({ isUrgent: false });
      const run = (connection: Connection) => withinTime(this.#known.read(connection), { signal });
      const { listTimeoutMs } = this.#timeouts;
      const use = { attempt, timeoutName: "listTimeoutMs", timeoutMs: listTimeoutMs, signal, run } as const;
      const listing = await this.#idleEnd.during(() => useConnection(this.#owner, use));
      this.#tasks.add(this.backOff.clear());
      return listing;
    } catch (error) {
      const isOver = this.#closing.signal.aborted || signal?.aborted === true;
      if (error instanceof CoordinatorError && error !== this.#lastError && !isOver)
        await this.backOff.add(error);
      throw error;
    }
  }

  /** Refreshes the listing before something is refused because of it. Never fails. */
  renew(): Promise<void> {
    return this.#renewal.renew();
  }

  /**
   * A server that was only listed ends soon: a search over sixty servers would otherwise leave sixty processes. A remote
   * connection costs almost nothing, and may be a session with state.
   */
  get #idleMs(): number | undefined {
    if (!this.#isCalled) return this.#options.listingIdleMs;
    return this.#connection?.wire === "stdio" ? this.#timeouts.idleTimeoutMs : undefined;
  }

  call({ tool, timeoutMs, signal, isSession, ...request }: UpstreamCall): Promise<ToolResult> {
    const server = this.#options.definition.name;
    const limitMs = Math.min(timeoutMs ?? this.#timeouts.callTimeoutMs, maxTimerMs);
    const findListed = () => this.#known.listing?.tools.find(({ name }) => name === tool);
    const run = (connection: Connection): Promise<ToolResult> => {
      const given = { ...request, server, tool, signal, findListed, timeoutMs: limitMs };
      const calling = callTool(connection, given);
      if (!this.backOff.isClear) this.#tasks.add(calling.then(() => this.backOff.clear()));
      // The listing came from an earlier connection: refresh it, but do not delay the call.
      if (!this.#known.isFrom(connection))
        this.#tasks.add(this.#known.readAfter(calling, connection, () => this.#connection === connection));
      return calling;
    };
    const use = { attempt: `Cannot call "${tool}" of "${server}"`, timeoutMs: limitMs, signal, run };
    const { onProgress } = request;
    if (onProgress === undefined) return this.#request(use, isSession);
    const message = `waiting until the package of "${server}" is installed`;
    const endWatch = this.#start.onInstalling(() => onProgress({ server, tool, message }));
    return this.#request(use, isSession).finally(endWatch);
  }

  /** Makes a request on a connection that stays open until `isOver`. */
  keepOpen<Value>(isOver: Promise<void>, use: Omit<ConnectionUse<Value>, "timeoutName">): Promise<Value> {
    this.#tasks.add(this.#idleEnd.during(() => isOver));
    return this.#request(use);
  }

  /** Passes a request on and returns the result unchanged. Throws a ServerRefusal for the server's own error. */
  forward(request: ForwardRequest): Promise<ToolResult> {
    const timeoutMs = Math.min(this.#timeouts.callTimeoutMs, maxTimerMs);
    const attempt = `Cannot send "${request.method}" to "${this.#options.definition.name}"`;
    const run = (connection: Connection): Promise<ToolResult> =>
      forwardRequest(connection, request, { timeoutMs, listing: this.#known.listing });
    return this.#request({ attempt, timeoutMs, signal: request.signal, run }, request.isSession);
  }

  #request<Value>(use: Omit<ConnectionUse<Value>, "timeoutName">, isSession = false): Promise<Value> {
    this.#isCalled = true;
    if (isSession) this.#idleEnd.keepOpen();
    return this.#idleEnd.during(() => useConnection(this.#owner, { ...use, timeoutName: "callTimeoutMs" }));
  }

  /** Sends a notification if there is a connection. */
  notify(message: ForwardedMessage): void {
    if (this.#connection !== undefined) this.#tasks.add(this.#connection.router.notify(message));
  }

  /** The protocol of the server. Connects if it is not known. */
  async readProtocol(signal?: AbortSignal): Promise<Connection["version"]["kind"]> {
    await this.#known.recall();
    const known = this.#connection?.version ?? this.#known.version;
    return (known ?? (await withinTime(this.#connect(), { signal })).version).kind;
  }

  async close(): Promise<void> {
    if (this.#state === "connecting") this.#tasks.add(this.backOff.addCutOff());
    this.#closing.abort(
      new CoordinatorError("UPSTREAM_CLOSED", `Cannot use "${this.#options.definition.name}": it was closed`),
    );
    this.#idleEnd.stop();
    await this.#connecting?.catch(() => {});
    await this.#connection?.close();
    await this.#tasks.settle();
  }

  #connect(): Promise<Connection> {
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<Connection> {
    const signal = this.#closing.signal;
    signal.throwIfAborted();
    await this.#known.recall();
    try {
      const connection = await this.#start.open(
        {
          ...this.#options,
          signal,
          askTimeoutMs: this.#timeouts.askTimeoutMs,
          version: this.#known.version,
          onStart: (report) => {
            this.#startedCount += 1;
            this.#lastReport = report;
          },
          onTask: (work) => this.#tasks.add(work),
        },
        () => this.#isCalled,
      );
      this.#lastError = undefined;
      this.#known.version = connection.version;
      this.#connection = connection;
      connection.client.onclose = () => {
        if (this.#connection === connection) this.#connection = undefined;
      };
      connection.client.onerror = (error) => {
        // The stream would reconnect by itself, but as a new session without a handshake.
        if (isStreamLoss(error)) this.#giveUp(connection);
      };
      this.#known.watch(connection, this.#timeouts.listTimeoutMs, () => this.#connection === connection);
      return connection;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      await this.#noteFailure(error);
      throw error;
    }
  }

  #giveUp(connection: Connection): void {
    if (this.#connection === connection) this.#connection = undefined;
    this.#tasks.add(connection.close());
  }
}
