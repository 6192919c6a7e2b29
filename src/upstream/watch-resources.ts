// The resources that are watched on one connection. All watchers of a URI share one subscription.
import type { Client } from "@modelcontextprotocol/client";
import { CoordinatorError, listingLimits } from "../contracts/index.js";
import type { Connection } from "./open-connection.js";
import type { Upstream } from "./upstream.js";

export interface ResourceWatcher {
  /** An update of the resource, or of one below it. */
  readonly onChanged: (uri: string) => void;
  /** The subscription has ended: nothing more is reported. */
  readonly onLost: () => void;
}

interface Subscription {
  readonly watchers: Set<ResourceWatcher>;
  /** Resolves to the function that ends it. */
  readonly ready: Promise<() => void>;
}

/** How long a server may take to agree. */
const agreeMs = 60_000;

/** A server may report a resource below the watched one. */
const isWithin = (uri: string, watched: string): boolean =>
  uri === watched ||
  (uri.startsWith(watched) && (watched.endsWith("/") || "/?#".includes(uri.charAt(watched.length))));

export class ResourceWatches {
  readonly #client: Client;
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(client: Client) {
    this.#client = client;
    client.setNotificationHandler("notifications/resources/updated", ({ params: { uri } }) =>
      this.#notify(uri),
    );
  }

  /** Resolves when the server has agreed, to the function that ends the watch. */
  async add(uri: string, watcher: ResourceWatcher): Promise<() => void> {
    const known = this.#subscriptions.get(uri) ?? {
      watchers: new Set(),
      ready: this.#subscribe(uri),
    };
    this.#subscriptions.set(uri, known);
    known.watchers.add(watcher);
    const leave = (): void => {
      known.watchers.delete(watcher);
      if (known.watchers.size > 0 || this.#subscriptions.get(uri) !== known) return;
      this.#subscriptions.delete(uri);
      void known.ready.then(
        (end) => end(),
        () => {},
      );
    };
    try {
      await known.ready;
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  /** The connection is closed. */
  loseAll(): void {
    for (const uri of [...this.#subscriptions.keys()]) this.#lose(uri);
  }

  async #subscribe(uri: string): Promise<() => void> {
    const client = this.#client;
    if (client.getProtocolEra() !== "modern") {
      await client.subscribeResource({ uri }, { timeout: agreeMs });
      return () => void client.unsubscribeResource({ uri }, { timeout: agreeMs }).catch(() => {});
    }
    const subscription = await client.listen({ resourceSubscriptions: [uri] }, { timeout: agreeMs });
    const end = (): void => void subscription.close().catch(() => {});
    if (subscription.honoredFilter.resourceSubscriptions?.includes(uri) !== true) {
      end();
      throw new CoordinatorError(
        "UPSTREAM_FAILED",
        "Cannot watch the resource: the server does not allow it",
      );
    }
    void subscription.closed.then((reason) => {
      if (reason !== "local") this.#lose(uri);
    });
    return end;
  }

  #notify(uri: string): void {
    if (uri.length > listingLimits.addressLength) return;
    for (const [watched, { watchers }] of this.#subscriptions)
      if (isWithin(uri, watched)) for (const { onChanged } of watchers) onChanged(uri);
  }

  #lose(uri: string): void {
    const lost = this.#subscriptions.get(uri);
    this.#subscriptions.delete(uri);
    for (const { onLost } of lost?.watchers ?? []) onLost();
  }
}

export interface WatchOptions extends ResourceWatcher {
  readonly signal?: AbortSignal | undefined;
}

/** Watches a resource. Resolves to the function that ends it; until then, or until it is lost, the connection stays open. */
export const watchResource = async (
  upstream: Pick<Upstream, "keepOpen">,
  uri: string,
  { signal, onChanged, onLost }: WatchOptions,
): Promise<() => void> => {
  const { promise: isOver, resolve: release } = Promise.withResolvers<void>();
  const watcher: ResourceWatcher = {
    onChanged,
    onLost: () => {
      release();
      onLost();
    },
  };
  const run = ({ watches }: Connection): Promise<() => void> => watches.add(uri, watcher);
  try {
    const attempt = "Cannot watch the resource";
    const end = await upstream.keepOpen(isOver, { attempt, timeoutMs: agreeMs, signal, run });
    return () => {
      end();
      release();
    };
  } catch (error) {
    release();
    throw error;
  }
};
