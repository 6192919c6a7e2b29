// One server's lifecycle: starts on first use, reconnects after a loss, ends when idle.
import {
  CoordinatorError,
  type ForwardedMessage,
  type Listing,
  maxTimerMs,
  ServerRefusal,
  type ToolResult,
  type UpstreamTimeouts,
  withinTime,
} from "../contracts/index.js";
import { callTool } from "./call-tool.js";
import { KnownListing } from "./listing/known-listing.js";
import type { Connection } from "./open-connection.js";
import { forwardRequest } from "./open-link.js";
import { ServerStart } from "./server-start.js";
import { explainFailure } from "./sign-in/token-source.js";
import { localFailureReason } from "./transport/replaced-answers.js";
import { findOutdated, isLost, isStreamLoss, toRequestError } from "./upstream-errors.js";
import type {
  ConnectionUse,
  ForwardRequest,
  ListOptions,
  UpstreamCall,
  UpstreamOptions,
  UpstreamStatus,
} from "./upstream-requests.js";

export class Upstream {
  readonly start: ServerStart;
  readonly #options: UpstreamOptions;
  readonly #timeouts: UpstreamTimeouts;
  readonly #known: KnownListing;
  readonly #closing = new AbortController();
  /** Work in the background. Its failures are ignored. */
  readonly #tasks = new Set<Promise<unknown>>();
  #connecting: Promise<Connection> | undefined;
  #connection: Connection | undefined;
  /** Whether it was called since its process started. */
  #isCalled = false;
  /** Requests in progress. */
  #uses = 0;
  /** Later requests need this same process. */
  #isKeptOpen = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: UpstreamOptions) {
    const { signal } = this.#closing;
    this.#options = options;
    this.#timeouts = { ...options.timeouts, ...options.definition.timeouts };
    this.start = new ServerStart({ ...options, timeouts: this.#timeouts }, signal);
    this.#known = new KnownListing({
      ...options,
      timeoutMs: Math.min(this.#timeouts.listTimeoutMs, maxTimerMs),
      signal,
      onTask: (work) => this.#inBackground(work),
    });
  }

  get status(): UpstreamStatus {
    return {
      ...this.start.status,
      state: this.#state,
      processId: this.#connection?.processId,
      protocol: this.#connection?.version.kind ?? this.#known.version?.kind,
      listing: this.#known.listing,
    };
  }

  get #state(): UpstreamStatus["state"] {
    if (this.#connection !== undefined) return "ready";
    if (this.start.isInstalling) return "installing";
    if (this.#connecting !== undefined) return "connecting";
    return this.start.status.lastError === undefined ? "idle" : "failed";
  }

  /** Returns the listing from memory or the cache, without starting anything. */
  async peek(): Promise<Listing | undefined> {
    await this.#known.recall();
    return this.#known.listing;
  }

  /** Connects in advance of the first call, which reports a failure. */
  connect(): void {
    if (this.#connection === undefined) this.#inBackground(this.#connect().then(() => this.#endWhenIdle()));
  }

  /** Whether the listing is known and older than `ageMs`, or than the default age. */
  async isStale(ageMs?: number): Promise<boolean> {
    await this.#known.recall();
    return this.#known.isOlderThan(ageMs);
  }

  async list({ refresh, signal, priority = "foreground" }: ListOptions): Promise<Listing> {
    const { definition } = this.#options;
    if (refresh !== true) {
      const known = this.#known.listing ?? (await this.peek());
      if (known !== undefined) return known;
    }
    const isBackground = priority === "background" && this.#connection === undefined;
    if (isBackground || (refresh !== true && this.#connection === undefined)) {
      const failure = await this.start.backOff.find(priority);
      if (failure !== undefined) throw failure;
    }
    try {
      if (isBackground && definition.target.kind === "stdio") await this.start.fetch({ isUrgent: false });
      const listing = await this.#use({
        attempt: `Cannot list the tools of "${definition.name}"`,
        timeoutMs: this.#timeouts.listTimeoutMs,
        timeoutName: "listTimeoutMs",
        signal,
        run: (connection) => withinTime(this.#known.read(connection), { signal }),
      });
      this.#inBackground(this.start.backOff.clear());
      return listing;
    } catch (error) {
      const isOver = this.#closing.signal.aborted || signal?.aborted === true;
      const isNoted = error === this.start.status.lastError;
      if (error instanceof CoordinatorError && !isNoted && !isOver) await this.start.backOff.add(error);
      throw error;
    }
  }

  /** Refreshes the listing before something is refused because of it. Never fails. */
  renew(): Promise<void> {
    const isConnected = this.#connection !== undefined;
    return this.#known.renew(isConnected, async () => {
      const mayStart = isConnected || (await this.start.backOff.find("background")) === undefined;
      if (mayStart) await this.list({ refresh: true });
    });
  }

  call({ tool, timeoutMs, signal, isSession, ...request }: UpstreamCall): Promise<ToolResult> {
    const server = this.#options.definition.name;
    const limitMs = Math.min(timeoutMs ?? this.#timeouts.callTimeoutMs, maxTimerMs);
    const findListed = () => this.#known.listing?.tools.find(({ name }) => name === tool);
    const run = (connection: Connection): Promise<ToolResult> => {
      const given = { ...request, server, tool, signal, findListed, timeoutMs: limitMs };
      const calling = callTool(connection, given);
      if (!this.start.backOff.isClear) this.#inBackground(calling.then(() => this.start.backOff.clear()));
      // The listing came from an earlier connection: refresh it, but do not delay the call.
      if (!this.#known.isFrom(connection))
        this.#inBackground(this.#known.readAfter(calling, connection, () => this.#connection === connection));
      return calling;
    };
    const use = { attempt: `Cannot call "${tool}" of "${server}"`, timeoutMs: limitMs, signal, run };
    const { onProgress } = request;
    if (onProgress === undefined) return this.#request(use, isSession);
    const message = `waiting until the package of "${server}" is installed`;
    const endWatch = this.start.onInstalling(() => onProgress({ server, tool, message }));
    return this.#request(use, isSession).finally(endWatch);
  }

  /** Makes a request on a connection that stays open until `isOver`. */
  keepOpen<Value>(isOver: Promise<void>, use: ConnectionUse<Value>): Promise<Value> {
    this.#inBackground(this.#whileInUse(() => isOver));
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

  /** Sends a notification if there is a connection. */
  notify(message: ForwardedMessage): void {
    if (this.#connection !== undefined) this.#inBackground(this.#connection.router.notify(message));
  }

  /** The protocol of the server. Connects if it is not known. */
  async readProtocol(signal?: AbortSignal): Promise<Connection["version"]["kind"]> {
    await this.#known.recall();
    const known = this.#connection?.version ?? this.#known.version;
    return (known ?? (await withinTime(this.#connect(), { signal })).version).kind;
  }

  async close(): Promise<void> {
    if (this.#state === "connecting") this.#inBackground(this.start.backOff.addCutOff());
    this.#closing.abort(
      new CoordinatorError("UPSTREAM_CLOSED", `Cannot use "${this.#options.definition.name}": it was closed`),
    );
    this.#isKeptOpen = true;
    clearTimeout(this.#idleTimer);
    await this.#connecting?.catch(() => {});
    await this.#connection?.close();
    await Promise.all(this.#tasks);
  }

  #request<Value>(use: ConnectionUse<Value>, isSession = false): Promise<Value> {
    this.#isCalled = true;
    if (isSession) this.#isKeptOpen = true;
    return this.#use(use);
  }

  /** Throws a CoordinatorError, or the server's own refusal of a request that is passed on as it is. */
  #use<Value>({ signal, run, ...use }: ConnectionUse<Value>): Promise<Value> {
    return this.#whileInUse(async () => {
      for (let isRepeated = false; ; isRepeated = true) {
        let connection: Connection | undefined;
        try {
          signal?.throwIfAborted();
          connection = this.#connection ?? (await withinTime(this.#connect(), { signal }));
          return await run(connection);
        } catch (error) {
          if (signal?.aborted)
            throw new CoordinatorError("RUN_CANCELLED", `${use.attempt}: the run was cancelled`);
          if (connection === undefined) throw error;
          const outdated = findOutdated(error, connection);
          if (outdated === "protocol") this.#known.version = undefined;
          if (outdated !== undefined || isLost(error)) this.#giveUp(connection);
          if (outdated !== undefined && !isRepeated) continue;
          if (error instanceof ServerRefusal && localFailureReason(error) === undefined) throw error;
          const { definition, maxAnswerBytes, tokens } = this.#options;
          const { timeoutName = "callTimeoutMs" } = use;
          const context = { ...use, timeoutName, definition, maxAnswerBytes, report: connection.report() };
          const failed = toRequestError(connection.failure() ?? error, context);
          throw await explainFailure(tokens, error, failed, use.attempt);
        }
      }
    });
  }

  #connect(): Promise<Connection> {
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<Connection> {
    this.#closing.signal.throwIfAborted();
    await this.#known.recall();
    const connection = await this.start.open({
      version: this.#known.version,
      isUrgent: () => this.#isCalled,
      onTask: (work) => this.#inBackground(work),
    });
    const isOpen = (): boolean => this.#connection === connection;
    this.#known.version = connection.version;
    this.#connection = connection;
    connection.client.onclose = () => {
      if (isOpen()) this.#connection = undefined;
    };
    connection.client.onerror = (error) => {
      // The stream would reconnect by itself, but as a new session without a handshake.
      if (isStreamLoss(error)) this.#giveUp(connection);
    };
    this.#known.watch(connection, this.#timeouts.listTimeoutMs, isOpen);
    return connection;
  }

  #giveUp(connection: Connection): void {
    if (this.#connection === connection) this.#connection = undefined;
    this.#inBackground(connection.close());
  }

  /** The server does not become idle before the work has ended. */
  async #whileInUse<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#uses += 1;
    clearTimeout(this.#idleTimer);
    try {
      return await work();
    } finally {
      this.#uses -= 1;
      this.#endWhenIdle();
    }
  }

  /** Restarts the idle timeout. */
  #endWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    const idleMs = this.#idleMs;
    if (idleMs === undefined || this.#uses > 0 || this.#isKeptOpen) return;
    const end = (): void => {
      this.#isCalled = false;
      if (this.#connection !== undefined) this.#giveUp(this.#connection);
    };
    this.#idleTimer = setTimeout(end, Math.min(idleMs, maxTimerMs)).unref();
  }

  /**
   * A server that was only listed ends soon: a search over sixty servers would otherwise leave sixty processes. A remote
   * connection costs almost nothing, and may be a session with state.
   */
  get #idleMs(): number | undefined {
    if (!this.#isCalled) return this.#options.listingIdleMs;
    return this.#connection?.wire === "stdio" ? this.#timeouts.idleTimeoutMs : undefined;
  }

  #inBackground(work: Promise<unknown>): void {
    const settled = work.catch(() => {}).finally(() => this.#tasks.delete(settled));
    this.#tasks.add(settled);
  }
}
