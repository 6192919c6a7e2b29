// Resource subscriptions of one client. A 2025 server is subscribed to on the client's own connection, a 2026 server with a request that
// stays open.
import { type ForwardedMessage, type NamedItem, ServerRefusal } from "../../contracts/index.js";
import type { UpstreamLink } from "../../upstream/index.js";

/** Called with the notification of an update. */
export type OnUpdated = (message: ForwardedMessage) => void;

interface Watch {
  readonly listeners: Set<OnUpdated>;
  readonly ready: Promise<void>;
  readonly end: () => void;
}

export interface ResourceWatches {
  /** Resolves when the server has accepted the subscription. Throws a ServerRefusal. */
  readonly add: (item: NamedItem, onUpdated: OnUpdated) => Promise<void>;
  readonly remove: (item: NamedItem, onUpdated: OnUpdated) => void;
  /** A server of the 2025 protocol reports an update. */
  readonly notify: (server: string, message: ForwardedMessage) => void;
  readonly close: () => void;
}

const updated = "notifications/resources/updated";
const toKey = (server: string, address: unknown): string => JSON.stringify([server, address]);
/** Per client. Each may be an open request. */
const maxWatches = 1000;

export const openResourceWatches = (link: UpstreamLink): ResourceWatches => {
  const watches = new Map<string, Watch>();

  const begin = ({ server, name: uri }: NamedItem): Watch => {
    const controller = new AbortController();
    const listeners = new Set<OnUpdated>();
    const notify = (message: ForwardedMessage): void => {
      if (message.method === updated) for (const listener of listeners) listener(message);
    };
    const subscribe = async (): Promise<void> => {
      const { signal } = controller;
      if (await link.isLegacy(server, signal)) {
        await link.forward({ server, method: "resources/subscribe", params: { uri }, signal });
        return;
      }
      const params = { notifications: { resourceSubscriptions: [uri] } };
      // The request is answered only when the subscription ends.
      void link
        .forward({ server, method: "subscriptions/listen", params, signal, onNotification: notify })
        .catch(() => {});
    };
    const ready = subscribe();
    return {
      listeners,
      ready,
      end: () => {
        controller.abort();
        void ready
          .then(async () => {
            if (await link.isLegacy(server))
              await link.forward({ server, method: "resources/unsubscribe", params: { uri } });
          })
          .catch(() => {});
      },
    };
  };

  return {
    add: async (item, onUpdated) => {
      const key = toKey(item.server, item.name);
      const known = watches.get(key);
      if (known === undefined && watches.size >= maxWatches)
        throw new ServerRefusal(-32_000, `A client can watch at most ${maxWatches} resources`);
      const watch = known ?? begin(item);
      watches.set(key, watch);
      watch.listeners.add(onUpdated);
      await watch.ready.catch((error: unknown) => {
        watches.delete(key);
        throw error;
      });
    },
    remove: (item, onUpdated) => {
      const key = toKey(item.server, item.name);
      const watch = watches.get(key);
      watch?.listeners.delete(onUpdated);
      if (watch === undefined || watch.listeners.size > 0) return;
      watches.delete(key);
      watch.end();
    },
    notify: (server, message) => {
      for (const listener of watches.get(toKey(server, message.params?.uri))?.listeners ?? [])
        listener(message);
    },
    close: () => {
      for (const { end } of watches.values()) end();
      watches.clear();
    },
  };
};
