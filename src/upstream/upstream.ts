// One server's lifecycle: starts on first use, stays warm, restarts after a crash.
import {
  CoordinatorError,
  type Listing,
  type ToolResult,
  type UpstreamTimeouts,
} from "../contracts/index.js";
import { callTool } from "./call-tool.js";
import { findOutdated, isLost, isStreamLoss } from "./error-facts.js";
import { IdleEnd } from "./idle-end.js";
import { KnownListing, Renewal } from "./known-listing.js";
import { ServerStart } from "./launch/server-start.js";
import type { Connection, ProcessReport } from "./open-connection.js";
import { watchLists } from "./read-listing.js";
import { BackOff } from "./start-limits.js";
import { redact, toRequestError } from "./to-upstream-error.js";
import type { ListOptions, UpstreamCall, UpstreamOptions, UpstreamStatus } from "./upstream-requests.js";
import { fingerprintStart } from "./upstream-requests.js";
import { maxTimerMs, withinTime } from "./within-time.js";

export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #timeouts: UpstreamTimeouts;
  readonly #known: KnownListing;
  readonly #start: ServerStart;
  readonly #closing = new AbortController();
  /** Background work that only close() awaits: cache writes, ending processes. */
  readonly #leftovers = new Set<Promise<unknown>>();
  #connecting: Promise<Connection> | undefined;
  #connection: Connection | undefined;
  #lastReport: (() => ProcessReport) | undefined;
  #lastError: CoordinatorError | undefined;
  #startedCount = 0;
  /** Whether it was called since its process started. */
  #isCalled = false;
  readonly #idleEnd = new IdleEnd({
    keepMs: () => this.#keepMs,
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
    const { definition, cache, failures, startGate, launcher, onListChanged } = options;
    this.backOff = new BackOff(definition.name, fingerprintStart(definition), failures);
    this.#timeouts = { ...options.timeouts, ...definition.timeouts };
    this.#start = new ServerStart({ definition, timeouts: this.#timeouts, startGate, launcher });
    this.#known = new KnownListing({
      definition,
      cache,
      timeoutMs: Math.min(this.#timeouts.listTimeoutMs, maxTimerMs),
      signal: this.#closing.signal,
      onChanged: onListChanged,
      onLeftover: (work) => this.#leave(work),
    });
  }

  get status(): UpstreamStatus {
    const { definition } = this.#options;
    const stderr = this.#lastReport?.().stderr;
    return {
      state: this.#state,
      processId: this.#connection?.processId,
      era: this.#connection?.verdict.kind ?? this.#known.verdict?.kind,
      stderrTail: stderr ? redact(stderr, definition) : undefined,
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
    if (this.#connection === undefined) this.#leave(this.#connect().then(() => this.#idleEnd.wait()));
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
      if (error instanceof CoordinatorError && !this.#closing.signal.aborted) {
        this.#lastError = error;
        await this.backOff.add(error);
      }
      throw error;
    }
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
    const isBackground = priority === "background";
    if (this.#connection === undefined && (isBackground || refresh !== true)) {
      const failure = await this.backOff.find(priority);
      if (failure !== undefined) throw failure;
    }
    const mustWait = isBackground && definition.target.kind === "stdio" && this.#connection === undefined;
    try {
      if (mustWait) await this.fetch({ isUrgent: false });
      const read = (connection: Connection) => withinTime(this.#known.read(connection), { signal });
      const listing = await this.#idleEnd.during(() => this.#use(attempt, "listTimeoutMs", signal, read));
      this.#leave(this.backOff.clear());
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
  get #keepMs(): number | undefined {
    if (this.#connection === undefined) return undefined;
    if (!this.#isCalled) return this.#options.listingIdleMs;
    return this.#connection.wire === "stdio" ? this.#timeouts.idleTimeoutMs : undefined;
  }

  call({ tool, timeoutMs, signal, isSession, ...request }: UpstreamCall): Promise<ToolResult> {
    this.#isCalled = true;
    if (isSession === true) this.#idleEnd.hold();
    const { name: server } = this.#options.definition;
    const limitMs = Math.min(timeoutMs ?? this.#timeouts.callTimeoutMs, maxTimerMs);
    const attempt = `Cannot call "${tool}" of "${server}"`;
    const findListed = () => this.#known.listing?.tools.find(({ name }) => name === tool);
    const message = `waiting until the package of "${server}" is installed`;
    const endWatch = this.#start.onInstalling(() => request.onProgress?.({ server, tool, message }));
    const run = (connection: Connection): Promise<ToolResult> => {
      const calling = callTool(connection, {
        ...{ ...request, server, tool, signal, findListed },
        timeoutMs: limitMs,
      });
      this.#leave(calling.then(() => this.backOff.clear()));
      // The listing came from an earlier connection: refresh it, but do not delay the call.
      if (!this.#known.isFrom(connection)) this.#leave(this.#renewAfter(calling, connection));
      return calling;
    };
    return this.#idleEnd
      .during(() => this.#use(attempt, "callTimeoutMs", signal, run, limitMs))
      .finally(endWatch);
  }

  async close(): Promise<void> {
    if (this.#state === "connecting") this.#leave(this.backOff.addCutOff());
    this.#closing.abort(
      new CoordinatorError("UPSTREAM_CLOSED", `Cannot use "${this.#options.definition.name}": it was closed`),
    );
    this.#idleEnd.stop();
    await this.#connecting?.catch(() => {});
    await this.#connection?.close();
    await Promise.all(this.#leftovers);
  }

  async #renewAfter(work: Promise<unknown>, connection: Connection): Promise<void> {
    await work.catch(() => {});
    if (this.#connection === connection && !this.#known.isFrom(connection)) this.#known.readLater(connection);
  }

  /** Runs a request on the connection, converts its errors, and closes a broken connection. */
  async #use<Value>(
    attempt: string,
    timeoutName: keyof UpstreamTimeouts,
    signal: AbortSignal | undefined,
    run: (connection: Connection) => Promise<Value>,
    timeoutMs = this.#timeouts[timeoutName],
  ): Promise<Value> {
    for (let isRepeated = false; ; isRepeated = true) {
      let connection: Connection | undefined;
      try {
        signal?.throwIfAborted();
        connection = this.#connection ?? (await withinTime(this.#connect(), { signal }));
        return await run(connection);
      } catch (error) {
        if (signal?.aborted) throw new CoordinatorError("RUN_CANCELLED", `${attempt}: the run was cancelled`);
        if (connection === undefined) throw error;
        const outdated = findOutdated(error, connection);
        const isOutdated = outdated !== undefined;
        if (outdated === "era") this.#known.verdict = undefined;
        if (isOutdated || isLost(error)) this.#giveUp(connection);
        if (isOutdated && !isRepeated) continue;
        const { definition, maxAnswerBytes } = this.#options;
        const context = { definition, attempt, timeoutMs, timeoutName, maxAnswerBytes };
        throw toRequestError(connection.failure() ?? error, { ...context, report: connection.report() });
      }
    }
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
    const { definition, maxAnswerBytes, client, environment } = this.#options;
    try {
      const connection = await this.#start.open(
        {
          ...{ definition, maxAnswerBytes, client, environment, signal, verdict: this.#known.verdict },
          onStart: (report) => {
            this.#startedCount += 1;
            this.#lastReport = report;
          },
          onLeftover: (work) => this.#leave(work),
        },
        () => this.#isCalled,
      );
      this.#lastError = undefined;
      this.#known.verdict = connection.verdict;
      this.#connection = connection;
      connection.client.onclose = () => this.#forget(connection);
      connection.client.onerror = (error) => {
        // The stream would reconnect by itself, but as a new session without a handshake.
        if (isStreamLoss(error)) this.#giveUp(connection);
      };
      const isUpgraded = this.#known.listing?.serverVersion !== connection.client.getServerVersion()?.version;
      if (this.#known.listing !== undefined && isUpgraded) this.#known.readLater(connection);
      watchLists(connection, this.#timeouts.listTimeoutMs, () => {
        if (this.#connection === connection) this.#known.readLater(connection);
      });
      return connection;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof CoordinatorError) {
        this.#lastError = error;
        await this.backOff.add(error);
      }
      throw error;
    }
  }

  #forget(connection: Connection): void {
    if (this.#connection === connection) this.#connection = undefined;
  }

  #giveUp(connection: Connection): void {
    this.#forget(connection);
    this.#leave(connection.close());
  }

  #leave(work: Promise<unknown>): void {
    const settled = work.catch(() => {}).finally(() => this.#leftovers.delete(settled));
    this.#leftovers.add(settled);
  }
}
