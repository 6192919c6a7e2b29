// Starts one server: fetches its package, then connects, each with its own timeout. Limits how many start at once, and pauses after failures.
import { CoordinatorError, type StartFailure, type StartFailures } from "../contracts/index.js";
import type { Launch, PrepareOptions } from "./launch/launcher.js";
import {
  type Connection,
  type OpenConnectionOptions,
  openConnection,
  type ProcessReport,
} from "./open-connection.js";
import { redact, redactError } from "./redact.js";
import { fingerprintStart, type UpstreamOptions, type UpstreamStatus } from "./upstream-requests.js";

type FetchOptions = Pick<PrepareOptions, "isUrgent" | "isRefreshed">;

export interface StartOptions extends Pick<OpenConnectionOptions, "version" | "onTask"> {
  /** Read when a slot becomes free: a call waits for this server. */
  readonly isUrgent: () => boolean;
}

/** Starts a server, and remembers how its starts went. */
export class ServerStart {
  readonly backOff: BackOff;
  readonly #options: UpstreamOptions;
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<() => void>();
  /** Installations that a start waits for. */
  #waiting = 0;
  #startedCount = 0;
  #lastError: CoordinatorError | undefined;
  #readReport: (() => ProcessReport) | undefined;

  /** The signal ends every start. */
  constructor(options: UpstreamOptions, signal: AbortSignal) {
    const { definition, failures } = options;
    this.#options = options;
    this.#signal = signal;
    this.backOff = new BackOff(definition.name, fingerprintStart(definition), failures);
  }

  get status(): Pick<UpstreamStatus, "stderrTail" | "lastError" | "startedCount"> {
    const stderr = this.#readReport?.().stderr;
    return {
      stderrTail: stderr ? redact(stderr, this.#options.definition) : undefined,
      lastError: this.#lastError,
      startedCount: this.#startedCount,
    };
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

  /** Fetches its package if it has one that is missing or must be resolved again. */
  async fetch(options: FetchOptions): Promise<void> {
    await this.#noteFailure(this.#prepare(options));
  }

  async open(options: StartOptions): Promise<Connection> {
    const connection = await this.#noteFailure(this.#open(options));
    this.#lastError = undefined;
    return connection;
  }

  async #open({ isUrgent, ...options }: StartOptions): Promise<Connection> {
    const { definition, startGate } = this.#options;
    const { fetchTimeoutMs, connectTimeoutMs, askTimeoutMs } = this.#options.timeouts;
    const signal = this.#signal;
    const launch = await this.#prepare({ isUrgent: true });
    const connect = (timeoutMs: number): Promise<Connection> =>
      openConnection({
        ...this.#options,
        ...options,
        signal,
        launch,
        askTimeoutMs,
        connectTimeoutMs: timeoutMs,
        onStart: (report) => {
          this.#startedCount += 1;
          this.#readReport = report;
        },
      });
    if (launch?.first === undefined) {
      const isProcess = definition.target.kind === "stdio";
      const leave = isProcess ? await startGate.enter(signal, isUrgent) : undefined;
      return connect(connectTimeoutMs).finally(() => leave?.());
    }
    const { gate, noteStarted } = launch.first;
    this.#beginInstalling();
    try {
      const leave = await gate.enter(signal, isUrgent);
      try {
        const connection = await connect(fetchTimeoutMs);
        await noteStarted();
        return connection;
      } finally {
        leave();
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Fetches what is missing. Concurrent requests share the fetch. */
  async #prepare(options: FetchOptions): Promise<Launch | undefined> {
    const { definition, launcher, timeouts } = this.#options;
    let isWaiting = false;
    try {
      return await launcher?.prepare(definition, {
        ...options,
        signal: this.#signal,
        fetchTimeoutMs: timeouts.fetchTimeoutMs,
        onInstalling: () => {
          isWaiting = true;
          this.#beginInstalling();
        },
      });
    } catch (error) {
      throw redactError(error, definition);
    } finally {
      if (isWaiting) this.#waiting -= 1;
    }
  }

  #beginInstalling(): void {
    this.#waiting += 1;
    for (const listener of this.#listeners) listener();
  }

  /** A failed start delays the next one. */
  async #noteFailure<Value>(start: Promise<Value>): Promise<Value> {
    try {
      return await start;
    } catch (error) {
      if (this.#signal.aborted) throw this.#signal.reason;
      if (error instanceof CoordinatorError) {
        this.#lastError = error;
        await this.backOff.add(error);
      }
      throw error;
    }
  }
}

export interface StartGate {
  /** Waits for a free slot; call the returned function to release it. `isUrgent` is read when a slot becomes free. */
  readonly enter: (signal: AbortSignal, isUrgent?: () => boolean) => Promise<() => void>;
}

/** A server that hangs loses its slot after `maxHeldMs`, but continues to start. */
export const openStartGate = (max: number, maxHeldMs: number): StartGate => {
  const waiting = new Map<() => void, () => boolean>();
  let starting = 0;
  const occupy = (): (() => void) => {
    starting += 1;
    let isHeld = true;
    const leave = (): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      starting -= 1;
      const [first] = waiting.keys();
      const [urgent] = [...waiting].find(([, isUrgent]) => isUrgent()) ?? [];
      (urgent ?? first)?.();
    };
    const timer = setTimeout(leave, maxHeldMs).unref();
    return leave;
  };
  return {
    enter: (signal, isUrgent = () => false) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (starting < max) return resolve(occupy());
        const onAbort = (): void => {
          waiting.delete(enter);
          reject(signal.reason);
        };
        const enter = (): void => {
          waiting.delete(enter);
          signal.removeEventListener("abort", onAbort);
          resolve(occupy());
        };
        waiting.set(enter, isUrgent);
        signal.addEventListener("abort", onAbort, { once: true });
      }),
  };
};

const firstPauseMs = 5000;
const maxPauseMs = 10 * 60 * 1000;
/** The maximum if a caller waits for a server that hangs. One that fails quickly is retried at once. */
const maxForegroundPauseMs = 60 * 1000;

export const toPauseMs = (count: number): number => Math.min(firstPauseMs * 2 ** (count - 1), maxPauseMs);

/** Remembers failures in memory only. */
export const rememberFailures = (): StartFailures => {
  const known = new Map<string, StartFailure>();
  const keyOf = (server: string, fingerprint: string): string => `${fingerprint} ${server}`;
  return {
    read: async (server, fingerprint) => known.get(keyOf(server, fingerprint)),
    write: async (server, fingerprint, failure) => void known.set(keyOf(server, fingerprint), failure),
    clear: async (server, fingerprint) => void known.delete(keyOf(server, fingerprint)),
    forget: async (server) => {
      for (const key of known.keys()) if (key.endsWith(` ${server}`)) known.delete(key);
    },
  };
};

export class BackOff {
  readonly #server: string;
  readonly #fingerprint: string;
  readonly #failures: StartFailures;
  #isClear = false;
  #isOverdue = false;

  constructor(server: string, fingerprint: string, failures: StartFailures) {
    this.#server = server;
    this.#fingerprint = fingerprint;
    this.#failures = failures;
  }

  /** No failure is stored since the last successful start. */
  get isClear(): boolean {
    return this.#isClear;
  }

  /** Why the last start failed, in any process. */
  async read(): Promise<CoordinatorError | undefined> {
    const failure = await this.#failures.read(this.#server, this.#fingerprint);
    return failure === undefined
      ? undefined
      : new CoordinatorError(failure.code, failure.message, { hint: failure.hint });
  }

  /** The failure that prevents another attempt now. */
  async find(priority: "foreground" | "background"): Promise<CoordinatorError | undefined> {
    const failure = await this.#failures.read(this.#server, this.#fingerprint);
    if (failure === undefined) return undefined;
    const isSlow = failure.code === "UPSTREAM_TIMEOUT";
    const fullPauseMs = toPauseMs(failure.count);
    const pauseMs =
      priority === "background" ? fullPauseMs : isSlow ? Math.min(fullPauseMs, maxForegroundPauseMs) : 0;
    const passedMs = Date.now() - failure.failedAtMs;
    // A clock that was set back must not block it.
    if (passedMs < 0 || passedMs >= pauseMs) return undefined;
    return new CoordinatorError(failure.code, failure.message, { hint: failure.hint });
  }

  async add({ code, message, hint }: CoordinatorError): Promise<void> {
    this.#isClear = false;
    const before = await this.#failures.read(this.#server, this.#fingerprint);
    const count = (before?.count ?? 0) + 1;
    const failure = { count, failedAtMs: Date.now(), code, message, hint };
    await this.#failures.write(this.#server, this.#fingerprint, failure);
  }

  /** A caller stopped waiting for a start that continues. */
  markOverdue(): void {
    this.#isOverdue = true;
  }

  /** Records an unfinished start as failed when we end, so that the next process does not wait for it too. */
  async addCutOff(): Promise<void> {
    if (!this.#isOverdue) return;
    const message = `Cannot start "${this.#server}": it had not answered when the command that started it ended`;
    const hint = 'Run "mcp-coordinator doctor": it waits longer, and shows what the server says.';
    await this.add(new CoordinatorError("UPSTREAM_UNREACHABLE", message, { hint }));
  }

  async clear(): Promise<void> {
    if (this.#isClear) return;
    this.#isClear = true;
    await this.#failures.clear(this.#server, this.#fingerprint);
  }
}
