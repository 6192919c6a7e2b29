// Pinned tools: withholds definitions that nobody has accepted from everything that lists, shows or calls tools.
import { comparePins, listPinned, type PinnedItem, pinAll, withholdItems } from "../../catalog/index.js";
import {
  CoordinatorError,
  type JsonObject,
  type Listing,
  oncePer,
  type PinChange,
  type Settings,
} from "../../contracts/index.js";
import { openPinStore, type PinStore, stampPins } from "../../store/index.js";
import type { Upstreams } from "../../upstream/index.js";
import { findServer, type Host } from "../host/host.js";

/** A definition that differs from what a person accepted. */
export interface PinReview {
  readonly server: string;
  /** `tools/NAME`, `prompts/NAME` or `instructions`. */
  readonly item: string;
  readonly change: PinChange;
  /** Identifies exactly this definition. */
  readonly pin: string;
  /** Fields that differ. `before` is undefined if it was accepted on another machine, or is new. */
  readonly fields: readonly { readonly name: string; readonly before?: unknown; readonly now?: unknown }[];
}

export interface PinList {
  readonly mode: Settings["pins"];
  readonly file: string;
  readonly servers: readonly { readonly server: string; readonly accepted: number }[];
  /** What waits for a person, of the servers whose tools are known. */
  readonly waiting: readonly PinReview[];
}

export interface Pins {
  /** The servers, without what nobody has accepted. */
  readonly upstreams: Upstreams;
  readonly review: (server: string) => Promise<readonly PinReview[]>;
  readonly accept: (server: string, items: readonly PinReview[]) => Promise<void>;
  readonly read: PinStore["read"];
}

export interface OpenPinsOptions {
  readonly upstreams: Upstreams;
  readonly settings: Pick<Settings, "pins" | "pinsFile" | "pinsIgnore" | "stateFolder">;
  /** Tools of the embedding program are its own. */
  readonly isPinned: (server: string) => boolean;
}

export const openPins = ({ upstreams, settings, isPinned }: OpenPinsOptions): Pins => {
  const { pins: mode, pinsFile: file } = settings;
  const store = openPinStore({ file, folder: `${settings.stateFolder}/pins` });
  const toIgnored =
    (server: string) =>
    (item: string): readonly string[] => {
      const name = item.slice(item.indexOf("/") + 1);
      return settings.pinsIgnore[`${server}.${name}`] ?? settings.pinsIgnore[`${server}.*`] ?? [];
    };
  const readPins = oncePer((listing: Listing) => pinAll(listPinned(listing), toIgnored(listing.server)));
  /** Without any accepted item, the first listing is accepted, except in strict mode. */
  const readAccepted = async (listing: Listing): Promise<ReadonlyMap<string, string>> => {
    const accepted = (await store.read()).get(listing.server);
    if (accepted !== undefined || mode === "strict") return accepted ?? new Map();
    const pins = await readPins(listing);
    const items = listPinned(listing).map((item) => ({ ...item, pin: pins.get(item.key) ?? "" }));
    await store.accept(listing.server, items, true);
    return (await store.read()).get(listing.server) ?? pins;
  };
  const findChanges = async (listing: Listing): Promise<ReadonlyMap<string, PinChange>> =>
    comparePins(await readAccepted(listing), await readPins(listing));

  const admitted = new WeakMap<Listing, { readonly stamp: string; readonly listing: Listing }>();
  const admit = async (listing: Listing): Promise<Listing> => {
    if (!isPinned(listing.server)) return listing;
    const known = admitted.get(listing);
    if (known !== undefined && known.stamp === stampPins(file)) return known.listing;
    const changes = await findChanges(listing);
    const result = mode === "warn" || changes.size === 0 ? listing : withholdItems(listing, changes);
    admitted.set(listing, { stamp: stampPins(file), listing: result });
    return result;
  };
  const admitKnown = async (listing: Listing | undefined): Promise<Listing | undefined> =>
    listing && admit(listing);

  const describe = async (listing: Listing, key: string, change: PinChange): Promise<PinReview> => {
    const items = new Map(listPinned(listing).map((item) => [item.key, item]));
    const { definition } = items.get(key) as PinnedItem;
    const before: JsonObject = (await store.readDefinitions(listing.server)).get(key) ?? {};
    const names = [...new Set([...Object.keys(before), ...Object.keys(definition)])].filter(
      (name) => change === "new" || JSON.stringify(before[name]) !== JSON.stringify(definition[name]),
    );
    return {
      server: listing.server,
      item: key,
      change,
      pin: (await readPins(listing)).get(key) ?? "",
      fields: names.map((name) => ({
        name,
        before: change === "new" ? undefined : before[name],
        now: definition[name],
      })),
    };
  };
  return {
    read: store.read,
    review: async (server) => {
      const listing = isPinned(server) ? await upstreams.peek(server) : undefined;
      if (listing === undefined) return [];
      const changes = await findChanges(listing);
      return Promise.all([...changes].map(([key, change]) => describe(listing, key, change)));
    },
    accept: async (server, reviewed) => {
      const listing = await upstreams.list(server);
      const pins = await readPins(listing);
      const items = new Map(listPinned(listing).map((item) => [item.key, item]));
      const accepted = reviewed.map(({ item: key, pin }) => {
        const item = items.get(key);
        if (item === undefined || pins.get(key) !== pin)
          throw new CoordinatorError(
            "TOOL_CHANGED",
            `Cannot accept "${key}" of "${server}": it has changed since it was shown`,
          );
        return { ...item, pin };
      });
      await store.accept(server, accepted);
    },
    upstreams: {
      ...upstreams,
      list: async (server, options) => admit(await upstreams.list(server, options)),
      peek: async (server) => admitKnown(await upstreams.peek(server)),
      peekStored: async (server) => admitKnown(await upstreams.peekStored(server)),
      openLink: (options) => {
        const link = upstreams.openLink(options);
        return { ...link, list: async (server) => admit(await link.list(server)) };
      },
    },
  };
};

export interface PinVerbs {
  /** Lists every server with accepted definitions, and the definitions that wait for a person. Starts no server. */
  readonly listPins: () => Promise<PinList>;
  /** Lists a server again and returns the definitions that nobody has accepted. */
  readonly reviewPins: (request: { readonly server: string }) => Promise<readonly PinReview[]>;
  /** Accepts definitions, exactly as they were reviewed. Throws TOOL_CHANGED. */
  readonly acceptPins: (request: AcceptPinsRequest) => Promise<{ readonly accepted: number }>;
}

const requirePins = ({ pins }: Host): Pins => {
  if (pins !== undefined) return pins;
  throw new CoordinatorError("USAGE", "Cannot use pins: they are off", {
    hint: 'Set "coordinator": { "pins": "warn" }, "ask" or "strict" in your configuration.',
  });
};

export const listPins = async (host: Host): Promise<PinList> => {
  const { settings, servers } = host.configuration;
  const { pins: mode, pinsFile: file } = settings;
  if (host.pins === undefined) return { mode, file, servers: [], waiting: [] };
  const { read, review } = host.pins;
  const accepted = [...(await read())].map(([server, items]) => ({ server, accepted: items.size }));
  const waiting = await Promise.all(
    servers.filter(({ isEnabled }) => isEnabled).map(({ name }) => review(name)),
  );
  return { mode, file, servers: accepted, waiting: waiting.flat() };
};

export const reviewPins = async (
  host: Host,
  { server }: { readonly server: string },
): Promise<readonly PinReview[]> => {
  const { name } = findServer(host, server);
  const { review } = requirePins(host);
  await host.upstreams.list(name, { refresh: true });
  return review(name);
};

export interface AcceptPinsRequest {
  readonly server: string;
  /** As `reviewPins` returned them. Anything that has changed since is refused. */
  readonly items: readonly PinReview[];
}

export const acceptPins = async (
  host: Host,
  { server, items }: AcceptPinsRequest,
): Promise<{ readonly accepted: number }> => {
  const { name } = findServer(host, server);
  if (!Array.isArray(items)) throw new CoordinatorError("USAGE", 'Cannot accept: "items" is not a list');
  await requirePins(host).accept(name, items);
  host.catalogs.delete(name);
  host.noteListed(name);
  return { accepted: items.length };
};

/** A problem for each server with definitions that wait for a person, and the command that shows them. */
export const listWaiting = async (
  host: Host,
): Promise<readonly { readonly server: string; readonly problem: string; readonly fix: string }[]> => {
  if (host.pins === undefined) return [];
  const { mode, waiting } = await listPins(host);
  const state = mode === "warn" ? "" : ". They are not used";
  return [...new Set(waiting.map(({ server }) => server))].map((server) => {
    const count = waiting.filter((item) => item.server === server).length;
    return {
      server,
      problem: `The server "${server}" has ${count} new or changed definition${count === 1 ? "" : "s"} that nobody has accepted${state}`,
      fix: `To review them, run: ${host.toCommand(["pins", "accept", server])}`,
    };
  });
};
