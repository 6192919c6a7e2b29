// The current catalog of one client: read on first use, and again when servers change or an item is not found.
import type { Listing } from "../../contracts/index.js";
import type { UpstreamLink } from "../../upstream/index.js";
import type { Host } from "../host/host.js";
import { type DirectCatalog, nameItems, toDirectCatalog } from "./direct-catalog.js";

export interface LiveCatalog {
  readonly read: () => Promise<DirectCatalog>;
  /** Reads the catalog again before it reports a miss: a server may have been too slow for the last list. */
  readonly find: <Found>(pick: (known: DirectCatalog) => Found | undefined) => Promise<Found | undefined>;
  /** Discards the catalog after a change. */
  readonly forget: () => void;
}

/** How long a list waits for servers that were never listed. The client is notified of later ones. */
const maxWaitMs = 10_000;

/** The listings of all servers that can be listed in time, in the order of the configuration. */
const readListings = async (host: Host, link: UpstreamLink): Promise<readonly Listing[]> => {
  const usable = host.configuration.servers.filter(
    ({ isEnabled, problem }) => isEnabled && problem === undefined,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), maxWaitMs);
  });
  const read = async (server: string): Promise<Listing | undefined> => {
    const before = await host.upstreams.peek(server);
    const listing = await link.list(server);
    if (before === undefined) host.noteListed(server);
    return listing;
  };
  const found = await Promise.all(
    usable.map(({ name }) => Promise.race([read(name).catch(() => undefined), late])),
  );
  clearTimeout(timer);
  return found.filter((listing) => listing !== undefined);
};

export const openLiveCatalog = (
  host: Host,
  link: UpstreamLink,
  { reserved, caller }: { readonly reserved: ReadonlySet<string>; readonly caller: string | undefined },
): LiveCatalog => {
  let catalog: Promise<DirectCatalog> | undefined;
  const build = async (): Promise<DirectCatalog> => {
    const listings = await readListings(host, link);
    const named = await host.names.assign((given) => nameItems(host, listings, { given, reserved }));
    return toDirectCatalog(host, listings, named, caller);
  };
  const read = (): Promise<DirectCatalog> => {
    if (catalog !== undefined) return catalog;
    const reading = build();
    catalog = reading;
    // The next request tries again.
    reading.catch(() => {
      if (catalog === reading) catalog = undefined;
    });
    return reading;
  };
  return {
    read,
    find: async (pick) => {
      const found = pick(await read());
      if (found !== undefined) return found;
      catalog = undefined;
      return pick(await read());
    },
    forget: () => {
      catalog = undefined;
    },
  };
};
