// The tools, resources and prompts of all servers for one client: as the servers listed them, under public names.
import {
  assignNames,
  findOwner,
  fitsTemplate,
  qualifyAddress,
  qualifyName,
  toOfferedTools,
  toServerCatalog,
} from "../../catalog/index.js";
import {
  type GivenNames,
  type JsonObject,
  type ListedTool,
  type Listing,
  type NamedItem,
  oncePer,
  type ServerCatalog,
  type Tool,
  withinTime,
} from "../../contracts/index.js";
import type { UpstreamLink } from "../../upstream/index.js";
import type { Host } from "../host/host.js";
import { openDecisions, toPolicyTool } from "../policies/open-policies.js";

export interface DirectCatalog {
  readonly tools: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly findTool: (name: string) => Tool | undefined;
  /** The tool for a use of resources, prompts or completion, as programs name it: `resources.read`. */
  readonly findOffered: (server: string, use: string) => Tool | undefined;
  readonly findPrompt: (name: string) => NamedItem | undefined;
  /** Finds a resource by a listed address, else by a template if those of only one server match. */
  readonly findResource: (address: string) => NamedItem | undefined;
  readonly findTemplate: (template: string) => NamedItem | undefined;
  /** The public address of a server's resource. */
  readonly nameResource: (server: string, address: string) => string;
}

/** The item as its server listed it, under its public name. */
const toPublic = <Item extends { readonly others?: ListedTool["others"] }>(
  { others, ...item }: Item,
  named: JsonObject,
): JsonObject => ({ ...item, ...others, ...named }) as unknown as JsonObject;

const catalogs = new WeakMap<Listing, ServerCatalog>();
const toCatalog = (host: Host, listing: Listing): ServerCatalog => {
  const known = catalogs.get(listing) ?? toServerCatalog(listing, host.identifiers.get(listing.server) ?? "");
  catalogs.set(listing, known);
  return known;
};

const toOffered = oncePer(toOfferedTools);

const toKey = ({ server, name }: NamedItem): string => JSON.stringify([server, name]);

interface Named {
  readonly byName: ReadonlyMap<string, NamedItem>;
  readonly nameOf: (server: string, own: string) => string | undefined;
  /** The server that a public name was assigned to, even if it does not list it now. */
  readonly ownerOf: (publicName: string) => string | undefined;
}

/** Assigns public names to everything that is listed. Names that were assigned before stay the same. */
const nameItems = (
  host: Host,
  listings: readonly Listing[],
  { given, reserved }: { readonly given: GivenNames; readonly reserved: ReadonlySet<string> },
): Readonly<Record<keyof GivenNames, Named>> => {
  const name = (
    kind: keyof GivenNames,
    list: (listing: Listing) => readonly string[],
    qualify: typeof qualifyName,
  ): Named => {
    const servers = listings.map((listing) => ({
      server: listing.server,
      prefix: host.identifiers.get(listing.server) ?? listing.server,
      names: list(listing),
    }));
    const notAvailable = kind === "tools" ? reserved : undefined;
    const byName = assignNames(servers, { qualify, given: given[kind], reserved: notAvailable });
    const byItem = new Map([...byName].map(([publicName, item]) => [toKey(item), publicName]));
    return {
      byName,
      nameOf: (server, own) => byItem.get(toKey({ server, name: own })),
      ownerOf: (publicName) => findOwner(given[kind], publicName),
    };
  };
  return {
    tools: name("tools", (one) => one.tools.map((tool) => tool.name), qualifyName),
    prompts: name("prompts", (one) => one.prompts.map((prompt) => prompt.name), qualifyName),
    resources: name("resources", (one) => one.resources.map(({ uri }) => uri), qualifyAddress),
    templates: name(
      "templates",
      (one) => one.resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      qualifyAddress,
    ),
  };
};

const toDirectCatalog = (
  host: Host,
  listings: readonly Listing[],
  { tools, prompts, resources, templates }: ReturnType<typeof nameItems>,
  caller: string | undefined,
): DirectCatalog => {
  const byServer = new Map(listings.map((listing) => [listing.server, listing]));
  const findExact = (server: string, tool: string): Tool | undefined => {
    const listing = byServer.get(server);
    return listing && toCatalog(host, listing).tools.find((one) => one.name === tool);
  };
  const findOffered = (server: string, use: string): Tool | undefined => {
    const listing = byServer.get(server);
    return listing && toOffered(listing).get(use);
  };
  const { findDenial } = openDecisions(host.configuration, []);
  const isShown = (tool: Tool | undefined): boolean =>
    tool === undefined || findDenial(toPolicyTool(tool), caller) === undefined;
  const readable = listings.filter(({ server }) => isShown(findOffered(server, "resources.read")));
  const findByTemplate = (address: string): NamedItem | undefined => {
    const fitting = [...templates.byName].filter(([template]) => fitsTemplate(template, address));
    const [first] = fitting;
    if (first === undefined || fitting.some(([, item]) => item.server !== first[1].server)) return undefined;
    const [template, item] = first;
    // A qualified template is the server's own template with a prefix.
    const extra = template.length - item.name.length;
    return { server: item.server, name: extra === 0 ? address : unqualify(template, item.name, address) };
  };
  const only = listings.length === 1 ? listings[0]?.server : undefined;
  /** Finds a resource that is not listed. An address that another server listed before stays with that server. */
  const findUnlisted = (address: string): NamedItem | undefined => {
    const found =
      findByTemplate(address) ?? (only === undefined ? undefined : { server: only, name: address });
    const owner = resources.ownerOf(address);
    return owner === undefined || owner === found?.server ? found : undefined;
  };
  return {
    tools: listings.flatMap(({ server, tools: listed }) =>
      uniqueBy(listed, (tool) => tool.name)
        .filter(({ name: own }) => isShown(findExact(server, own)))
        .map(({ unchecked, ...tool }) =>
          toPublic(unchecked === undefined ? tool : { ...tool, inputSchema: { type: "object" } }, {
            name: tools.nameOf(server, tool.name) ?? tool.name,
          }),
        ),
    ),
    resources: readable.flatMap(({ server, resources: listed }) =>
      uniqueBy(listed, ({ uri }) => uri).map((one) =>
        toPublic(one, { uri: resources.nameOf(server, one.uri) ?? one.uri }),
      ),
    ),
    resourceTemplates: readable.flatMap(({ server, resourceTemplates: listed }) =>
      uniqueBy(listed, ({ uriTemplate }) => uriTemplate).map((one) =>
        toPublic(one, { uriTemplate: templates.nameOf(server, one.uriTemplate) ?? one.uriTemplate }),
      ),
    ),
    prompts: listings.flatMap(({ server, prompts: listed }) =>
      uniqueBy(listed, (prompt) => prompt.name)
        .filter((one) => isShown(findOffered(server, `prompts.${one.name}`)))
        .map((one) => toPublic(one, { name: prompts.nameOf(server, one.name) ?? one.name })),
    ),
    findOffered,
    findTool: (publicName) => {
      const item = tools.byName.get(publicName);
      return item && findExact(item.server, item.name);
    },
    findPrompt: (publicName) => prompts.byName.get(publicName),
    findResource: (address) => resources.byName.get(address) ?? findUnlisted(address),
    findTemplate: (template) => templates.byName.get(template),
    nameResource: (server, address) => resources.nameOf(server, address) ?? address,
  };
};

/** Removes from an address what qualified its template. */
const unqualify = (qualified: string, own: string, address: string): string => {
  if (!own.startsWith("ui://")) return address.slice(qualified.length - own.length);
  return `ui://${address.slice("ui://".length + qualified.length - own.length)}`;
};

/** A name listed twice is one item: a request could not tell the two apart. */
const uniqueBy = <Item>(items: readonly Item[], toName: (item: Item) => string): readonly Item[] => {
  const seen = new Set<string>();
  return items.filter((item) => {
    const name = toName(item);
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
};

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
  const read = async (server: string): Promise<Listing | undefined> => {
    const before = await host.upstreams.peek(server);
    const listing = await link.list(server);
    if (before === undefined) host.noteListed(server);
    return listing;
  };
  const found = await Promise.all(
    usable.map(({ name }) => withinTime(read(name), { timeMs: maxWaitMs }).catch(() => undefined)),
  );
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
