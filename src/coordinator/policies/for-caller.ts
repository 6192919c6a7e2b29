// The host as a caller sees it: without tools that are always denied to everyone or to the caller's roles.
import { toServerCatalog } from "../../catalog/index.js";
import type { Listing, ServerCatalog, Tool } from "../../contracts/index.js";
import type { Host, SearchCache } from "../host/host.js";
import { listRoles, openDecisions, readPolicyVersion, toPolicyTool } from "./open-policies.js";

/** The catalog without tools that are denied to everyone. */
export const toRuledCatalog = (
  { configuration, identifiers }: Pick<Host, "configuration" | "identifiers">,
  listing: Listing,
): ServerCatalog => {
  const { findDenial } = openDecisions(configuration, []);
  const identifier = identifiers.get(listing.server) ?? listing.server;
  return toServerCatalog(listing, identifier, (tool) => findDenial(toPolicyTool(tool)));
};

/** A search index for each set of roles, because each finds other tools. */
const searchCaches = new WeakMap<SearchCache, Map<string, SearchCache>>();

/** The same host, unless the caller has a role. */
export const forCaller = (host: Host, caller: unknown): Host => {
  if (typeof caller !== "string" || host.caller !== undefined) return host;
  const roles = listRoles(host.configuration, caller).join("\n");
  if (roles === "") return host;
  const caches = searchCaches.get(host.searchCache) ?? new Map<string, SearchCache>();
  searchCaches.set(host.searchCache, caches);
  const searchCache = caches.get(roles) ?? {};
  caches.set(roles, searchCache);
  return { ...host, caller, searchCache };
};

const narrowed = new WeakMap<ServerCatalog, Map<string, ServerCatalog>>();

/** The catalog without tools that are denied to the host's caller. */
export const narrowCatalog = (
  { configuration, caller }: Pick<Host, "configuration" | "caller">,
  catalog: ServerCatalog,
): ServerCatalog => {
  if (caller === undefined) return catalog;
  const key = `${readPolicyVersion(configuration, [])}\n${listRoles(configuration, caller).join("\n")}`;
  const known = narrowed.get(catalog) ?? new Map<string, ServerCatalog>();
  narrowed.set(catalog, known);
  let found = known.get(key);
  if (found === undefined) {
    const { findDenial } = openDecisions(configuration, []);
    const denied = new Map(
      catalog.tools.flatMap((tool): [Tool, Tool][] => {
        const rule = findDenial(toPolicyTool(tool), caller);
        return rule === undefined ? [] : [[tool, { ...tool, denied: rule }]];
      }),
    );
    found =
      denied.size === 0
        ? catalog
        : {
            ...catalog,
            tools: catalog.tools.filter((tool) => !denied.has(tool)),
            hidden: [...(catalog.hidden ?? []), ...denied.values()],
            find: (name) => {
              const tool = catalog.find(name);
              return tool === undefined ? undefined : (denied.get(tool) ?? tool);
            },
          };
    known.set(key, found);
  }
  return found;
};
