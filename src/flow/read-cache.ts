// Answers of reads, kept in memory for a short time. Equal reads at the same time are one call. A write to a server drops its answers.
export interface CachedCall<Result> {
  readonly server: string;
  /** Everything that makes the answer what it is: caller, account, tool, arguments. */
  readonly key: string;
  /** How long an answer is valid. Undefined: it is not kept. */
  readonly ttlMs: (result: Result) => number | undefined;
  /** The size of an answer. Undefined: it is not kept. */
  readonly measure: (result: Result) => number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadCache<Result> {
  /** The answer, and whether no call was made for it. */
  readonly read: (
    call: CachedCall<Result>,
    make: () => Promise<Result>,
  ) => Promise<{ readonly result: Result; readonly isCached: boolean }>;
  /** Makes a call that may change something. */
  readonly write: <Written>(server: string, make: () => Promise<Written>) => Promise<Written>;
}

interface Entry<Result> {
  readonly server: string;
  readonly result: Result;
  readonly bytes: number;
  readonly endsAt: number;
}

const maxBytes = 64 * 1024 * 1024;
const maxEntryBytes = 1024 * 1024;
const maxEntries = 10_000;

export const openReadCache = <Result>(now: () => number = () => performance.now()): ReadCache<Result> => {
  /** In the order in which they were read. */
  const entries = new Map<string, Entry<Result>>();
  const running = new Map<string, Promise<Result>>();
  /** Changes when a write to the server begins or ends: what was read before is not kept. */
  const generations = new Map<string, number>();
  let bytes = 0;

  const drop = (key: string): void => {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  const clear = (server: string): void => {
    generations.set(server, (generations.get(server) ?? 0) + 1);
    for (const [key, entry] of entries) if (entry.server === server) drop(key);
  };
  const keep = ({ server, key, ttlMs, measure }: CachedCall<Result>, result: Result): void => {
    const keptMs = ttlMs(result);
    const size = measure(result);
    if (keptMs === undefined || keptMs <= 0 || size === undefined || size > maxEntryBytes) return;
    drop(key);
    entries.set(key, { server, result, bytes: size, endsAt: now() + keptMs });
    bytes += size;
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes && entries.size <= maxEntries) return;
      drop(oldest);
    }
  };

  return {
    read: async (call, make) => {
      const generation = generations.get(call.server) ?? 0;
      // A write in between makes it another read.
      const key = JSON.stringify([call.key, generation]);
      const entry = entries.get(call.key);
      if (entry !== undefined && entry.endsAt > now()) return { result: entry.result, isCached: true };
      drop(call.key);
      const other = running.get(key);
      if (other !== undefined) {
        const shared = await other.then(
          (result) => ({ result }),
          () => undefined,
        );
        // The other one failed, perhaps because its run was cancelled: that is not this one's answer.
        if (shared !== undefined && call.ttlMs(shared.result) !== undefined)
          return { ...shared, isCached: true };
        return { result: await make(), isCached: false };
      }
      const making = make();
      running.set(key, making);
      try {
        const result = await making;
        if ((generations.get(call.server) ?? 0) === generation) keep(call, result);
        return { result, isCached: false };
      } finally {
        running.delete(key);
      }
    },
    write: async (server, make) => {
      clear(server);
      try {
        return await make();
      } finally {
        clear(server);
      }
    },
  };
};
