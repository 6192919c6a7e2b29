// The resources that one run watches. Changes are counted, not queued, so that a server cannot fill the host's memory.
import {
  CoordinatorError,
  type JsonObject,
  type Limits,
  maxTimerMs,
  type ToolResult,
} from "../../contracts/index.js";
import type { Upstreams } from "../../upstream/index.js";

interface Watch {
  /** Later than all versions of earlier attempts of the run. */
  readonly firstVersion: number;
  /** Counts the changes. */
  version: number;
  /** Each changed address with its last version. */
  changed: Map<string, number>;
  /** The last version before which changes may have been missed. */
  uncertainAt: number;
  readonly waiting: Set<() => void>;
  /** Resolves to the function that ends the subscription. Undefined: there is none. */
  subscription: Promise<() => void> | undefined;
}

export interface Watches {
  /** Carries out one call of `resources.watch`. */
  readonly wait: (server: string, given: JsonObject, signal?: AbortSignal) => Promise<ToolResult>;
  readonly close: () => void;
}

/** Maximum number of addresses that are tracked separately. Beyond it, only the watched address is reported. */
const maxChanged = 100;

/** Waits for the next change, at most this long. Rejects when the run ends. */
const waitForChange = ({ waiting }: Watch, timeoutMs: number | undefined, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const end = (finish: () => void): void => {
      clearTimeout(timer);
      waiting.delete(wake);
      signal?.removeEventListener("abort", stop);
      finish();
    };
    const wake = (): void => end(resolve);
    const stop = (): void =>
      end(() =>
        reject(new CoordinatorError("RUN_CANCELLED", "Cannot watch the resource: the run was cancelled")),
      );
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(wake, Math.min(timeoutMs, maxTimerMs)).unref();
    waiting.add(wake);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });

export const openWatches = (
  upstreams: Pick<Upstreams, "watch">,
  { watches: maxWatches }: Pick<Limits, "watches">,
): Watches => {
  const watches = new Map<string, Watch>();
  let isClosed = false;

  const note = (watch: Watch, uri: string, changed: string): void => {
    watch.version += 1;
    if (watch.changed.size >= maxChanged) watch.changed = new Map([[uri, watch.version]]);
    watch.changed.set(changed, watch.version);
    for (const wake of [...watch.waiting]) wake();
  };
  const noteUncertain = (watch: Watch, uri: string): void => {
    watch.uncertainAt = watch.version + 1;
    note(watch, uri, uri);
  };
  const subscribe = (watch: Watch, server: string, uri: string, signal?: AbortSignal) => {
    watch.subscription ??= upstreams
      .watch(server, uri, {
        signal,
        onChanged: (changed) => note(watch, uri, changed),
        onLost: () => {
          watch.subscription = undefined;
          if (!isClosed) noteUncertain(watch, uri);
        },
      })
      .catch((error: unknown) => {
        watch.subscription = undefined;
        throw error;
      });
    return watch.subscription;
  };
  const find = (key: string): Watch => {
    const known = watches.get(key);
    if (known !== undefined) return known;
    if (watches.size >= maxWatches)
      throw new CoordinatorError(
        "LIMIT_WATCHES",
        `Cannot watch the resource: the run watches ${maxWatches} already, the limit "watches"`,
      );
    const firstVersion = Date.now();
    const made: Watch = {
      firstVersion,
      version: firstVersion,
      changed: new Map(),
      uncertainAt: 0,
      waiting: new Set(),
      subscription: undefined,
    };
    watches.set(key, made);
    return made;
  };

  return {
    wait: async (server, given, signal) => {
      const { uri, after, timeoutMs } = given as { uri: string; after?: number; timeoutMs?: number };
      const watch = find(JSON.stringify([server, uri]));
      await subscribe(watch, server, uri, signal);
      if (after === undefined) return { structuredContent: { version: watch.version, changed: [] } };
      // A version of an earlier attempt of the run: in between, nobody listened.
      if (after < watch.firstVersion || after > watch.version)
        return { structuredContent: { version: watch.version, changed: [uri], isUncertain: true } };
      if (watch.version === after) await waitForChange(watch, timeoutMs, signal);
      const { version, uncertainAt } = watch;
      const changed = [...watch.changed].flatMap(([address, last]) => (last > after ? [address] : []));
      return {
        structuredContent: { version, changed, ...(uncertainAt > after ? { isUncertain: true } : {}) },
      };
    },
    close: () => {
      isClosed = true;
      for (const { subscription } of watches.values())
        void subscription?.then(
          (end) => end(),
          () => {},
        );
    },
  };
};
