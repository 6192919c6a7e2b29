// How a server's connection is used: one request with its errors, the end after an idle time, work in the background.
import {
  CoordinatorError,
  maxTimerMs,
  ServerRefusal,
  type UpstreamTimeouts,
  type WiredDefinition,
} from "../contracts/index.js";
import type { Connection } from "./open-connection.js";
import { explainFailure, type TokenSource } from "./sign-in/token-source.js";
import { localFailureReason } from "./transport/replaced-answers.js";
import { findOutdated, isLost, toRequestError } from "./upstream-errors.js";

export interface ConnectionOwner {
  readonly definition: WiredDefinition;
  readonly maxAnswerBytes: number;
  /** For a server that may require a sign-in. */
  readonly tokens?: TokenSource | undefined;
  /** The open connection, or a new one. */
  readonly connect: (signal: AbortSignal | undefined) => Promise<Connection>;
  /** Closes it. `isOtherProtocol`: the server speaks another protocol version than the cache says. */
  readonly giveUp: (connection: Connection, isOtherProtocol: boolean) => void;
}

export interface ConnectionUse<Value> {
  /** The start of an error's message. */
  readonly attempt: string;
  readonly timeoutName: keyof UpstreamTimeouts;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly run: (connection: Connection) => Promise<Value>;
}

/** Throws a CoordinatorError, or what the server itself answered if it is passed on as it is. */
export const useConnection = async <Value>(
  { definition, maxAnswerBytes, tokens, connect, giveUp }: ConnectionOwner,
  { attempt, timeoutName, timeoutMs, signal, run }: ConnectionUse<Value>,
): Promise<Value> => {
  for (let isRepeated = false; ; isRepeated = true) {
    let connection: Connection | undefined;
    try {
      signal?.throwIfAborted();
      connection = await connect(signal);
      return await run(connection);
    } catch (error) {
      if (signal?.aborted) throw new CoordinatorError("RUN_CANCELLED", `${attempt}: the run was cancelled`);
      if (connection === undefined) throw error;
      const outdated = findOutdated(error, connection);
      const isOutdated = outdated !== undefined;
      if (isOutdated || isLost(error)) giveUp(connection, outdated === "protocol");
      if (isOutdated && !isRepeated) continue;
      if (error instanceof ServerRefusal && localFailureReason(error) === undefined) throw error;
      const context = { definition, attempt, timeoutMs, timeoutName, maxAnswerBytes };
      const failed = toRequestError(connection.failure() ?? error, {
        ...context,
        report: connection.report(),
      });
      throw await explainFailure(tokens, error, failed, attempt);
    }
  }
};

export interface IdleEndOptions {
  /** The idle timeout; undefined means never. */
  readonly idleMs: () => number | undefined;
  readonly end: () => void;
}

export class IdleEnd {
  readonly #options: IdleEndOptions;
  /** The number of running requests. */
  #uses = 0;
  #isKeptOpen = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleEndOptions) {
    this.#options = options;
  }

  /** Later requests need this same process. */
  keepOpen(): void {
    this.#isKeptOpen = true;
  }

  async during<Value>(use: () => Promise<Value>): Promise<Value> {
    this.#uses += 1;
    clearTimeout(this.#timer);
    try {
      return await use();
    } finally {
      this.#uses -= 1;
      this.wait();
    }
  }

  /** Restarts the idle timeout. */
  wait(): void {
    clearTimeout(this.#timer);
    const idleMs = this.#options.idleMs();
    if (idleMs === undefined || this.#uses > 0 || this.#isKeptOpen) return;
    this.#timer = setTimeout(this.#options.end, Math.min(idleMs, maxTimerMs)).unref();
  }

  stop(): void {
    this.#isKeptOpen = true;
    clearTimeout(this.#timer);
  }
}

export interface BackgroundTasks {
  /** Adds work. Its failure is ignored. */
  readonly add: (work: Promise<unknown>) => void;
  /** Resolves when all work has ended. */
  readonly settle: () => Promise<void>;
}

export const openTasks = (): BackgroundTasks => {
  const running = new Set<Promise<unknown>>();
  return {
    add: (work) => {
      const settled = work.catch(() => {}).finally(() => running.delete(settled));
      running.add(settled);
    },
    settle: async () => {
      await Promise.all(running);
    },
  };
};
