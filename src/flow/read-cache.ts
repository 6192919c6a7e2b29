// Caches answers of reads in memory. Equal concurrent reads share one call. A write to a server invalidates its answers.
export interface CachedCall<Result> {
  readonly server: string;
  /** Identifies the answer: caller, account, tool, arguments. */
  readonly key: string;
  /** How long an answer is valid. Undefined: it is not cached. */
  readonly ttlMs: (result: Result) => number | undefined;
  /** The size of an answer in bytes. */
  readonly measure: (result: Result) => number;
}

export interface ReadCache<Result> {
  /** The answer, and whether it came without a call of its own. */
  readonly read: (
    call: CachedCall<Result>,
    make: () => Promise<Result>,
  ) => Promise<{ readonly result: Result; readonly isCached: boolean }>;
  /** Makes a call that may change data, and invalidates the answers of its server. */
  readonly write: <Written>(server: string, make: () => Promise<Written>) => Promise<Written>;
}

interface Entry<Result> {
  readonly server: string;
  readonly result: Result;
  readonly bytes: number;
  readonly expiresAt: number;
}

const maxBytes = 64 * 1024 * 1024;
const maxEntryBytes = 1024 * 1024;
const maxEntries = 10_000;

export const openReadCache = <Result>(now: () => number = () => performance.now()): ReadCache<Result> => {
  /** Oldest first. */
  const entries = new Map<string, Entry<Result>>();
  const running = new Map<string, Promise<Result>>();
  /** Incremented when a write to the server begins or ends. A read that overlaps a write is not cached. */
  const generations = new Map<string, number>();
  let bytes = 0;

  const remove = (key: string): void => {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  const invalidate = (server: string): void => {
    generations.set(server, (generations.get(server) ?? 0) + 1);
    for (const [key, entry] of entries) if (entry.server === server) remove(key);
  };
  const store = ({ server, key, ttlMs, measure }: CachedCall<Result>, result: Result): void => {
    const validMs = ttlMs(result);
    const size = measure(result);
    if (validMs === undefined || validMs <= 0 || size > maxEntryBytes) return;
    remove(key);
    entries.set(key, { server, result, bytes: size, expiresAt: now() + validMs });
    bytes += size;
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes && entries.size <= maxEntries) return;
      remove(oldest);
    }
  };

  return {
    read: async (call, make) => {
      const generation = generations.get(call.server) ?? 0;
      // A read after a write must not share the call of a read before it.
      const key = JSON.stringify([call.key, generation]);
      const entry = entries.get(call.key);
      if (entry !== undefined && entry.expiresAt > now()) return { result: entry.result, isCached: true };
      remove(call.key);
      const other = running.get(key);
      if (other !== undefined) {
        const shared = await other.then(
          (result) => ({ result }),
          () => undefined,
        );
        // The other call may have failed only because its run was cancelled.
        if (shared !== undefined && call.ttlMs(shared.result) !== undefined)
          return { ...shared, isCached: true };
        return { result: await make(), isCached: false };
      }
      const making = make();
      running.set(key, making);
      try {
        const result = await making;
        if ((generations.get(call.server) ?? 0) === generation) store(call, result);
        return { result, isCached: false };
      } finally {
        running.delete(key);
      }
    },
    write: async (server, make) => {
      invalidate(server);
      try {
        return await make();
      } finally {
        invalidate(server);
      }
    },
  };
};
