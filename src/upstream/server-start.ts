// Starts one server: fetches its package, then connects, each with its own timeout. Limits how many start at once, and pauses after failures.
import {
  CoordinatorError,
  type LaunchSummary,
  type StartFailure,
  type StartFailures,
  type UpstreamTimeouts,
  type WiredDefinition,
} from "../contracts/index.js";
import type { Launch, Launcher } from "./launch/launcher.js";
import { type Connection, type OpenConnectionOptions, openConnection } from "./open-connection.js";
import { redactError } from "./redact.js";

export interface ServerStartOptions {
  readonly definition: WiredDefinition;
  readonly timeouts: UpstreamTimeouts;
  /** Limits how many processes start at once. */
  readonly startGate: StartGate;
  /** If undefined, every command is started as written. */
  readonly launcher?: Launcher | undefined;
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
        signal,
        isUrgent,
        isRefreshed,
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
