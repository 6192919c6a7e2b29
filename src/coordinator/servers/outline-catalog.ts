// Renders the outline of the catalog that agents see up front. It is cached between starts and rendered again when the tools change.
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { renderOutline, toServerIdentifiers } from "../../catalog/index.js";
import {
  type CatalogOutline,
  type Configuration,
  defaultWorkspace,
  listingsFolder,
  type OutlineStore,
  pause,
  type ServerCatalog,
  type StoredOutline,
  settleWithin,
} from "../../contracts/index.js";
import { openOutlineStore, stampFolder, stampPins } from "../../store/index.js";
import { type Host, readCatalog } from "../host/host.js";
import { toUseName } from "../host/learned-shapes.js";
import { forCaller } from "../policies/open-policies.js";
import { version } from "../version.js";
import { readKnownCatalog } from "./list-tools.js";

/** How long the outline of the catalog may be, and for whom it is. */
export interface OutlineRequest {
  /** Limit of the outline and the frame together. */
  readonly maxTokens: number;
  /** The text that surrounds the outline. */
  readonly frame: string;
  /** How long to wait for servers that were never listed. They are listed in the background, also after that. @default 0: none is started */
  readonly waitMs?: number | undefined;
  /** The authenticated caller. What its roles are denied is left out. */
  readonly caller?: string | undefined;
}

export interface OutlineOptions {
  readonly configuration: Configuration;
  readonly openHost: () => Promise<Host>;
  /** How often the known tools have changed since the start. */
  readonly countChanges: () => number;
}

export type ReadOutline = (request: OutlineRequest) => Promise<CatalogOutline>;

/** Maximum characters of one line. */
const maxSignature = 140;

/** Tokens to spare: where texts are joined, one token can become two. */
const joinTokens = 20;

/** How often the order follows usage. Reordering at every start would defeat prompt caches. */
const dayMs = 24 * 60 * 60 * 1000;

interface ShownOutline extends Omit<StoredOutline, "stamp"> {
  /** The number of changes it reflects. */
  readonly changes: number;
}

export const openOutlines = ({ configuration, openHost, countChanges }: OutlineOptions): ReadOutline => {
  const { cacheFolder } = configuration.settings;
  const store = openOutlineStore(cacheFolder);
  /** Changes with the listings, and when the answers of another tool become known. */
  const readStamp = async (): Promise<string> => {
    const listings = await stampFolder(join(cacheFolder, listingsFolder));
    return listings === "" ? "" : [listings, ...(await listShapeFiles(configuration))].join("\n");
  };
  const shown = new Map<string, ShownOutline>();

  /** Rendered from the tools known now. Unchanged tools keep their text. */
  const make = async (request: OutlineRequest, key: string, isNothingKnown: boolean) => {
    const names = listNames(configuration);
    const changes = countChanges();
    const hasOwnTools = configuration.servers.some(({ target }) => target.kind === "in-process");
    const readCaller = async (): Promise<Host> => forCaller(await openHost(), request.caller);
    const catalogs = isNothingKnown && !hasOwnTools ? [] : await readKnown(await readCaller(), names);
    const digest = await digestOf(catalogs);
    const stored = shown.get(key) ?? (await readRecent(store, key));
    const { outline, madeAtMs } =
      stored?.digest === digest
        ? stored
        : { outline: await render(configuration, request, names, catalogs), madeAtMs: Date.now() };
    shown.set(key, { digest, outline, madeAtMs, changes });
    await store.write(key, { stamp: await readStamp(), digest, madeAtMs, outline });
    return outline;
  };

  /** Lists the servers that were never listed. A search or a call reports why one fails. */
  const listUnknown = async (): Promise<void> => {
    const host = await openHost();
    const listing = listNames(configuration).map(async (name) => {
      if ((await host.upstreams.peek(name)) === undefined)
        await readCatalog(host, name, { priority: "background" });
    });
    await Promise.allSettled(listing);
  };
  let listed: Promise<void> | undefined;

  const read = async (request: OutlineRequest): Promise<CatalogOutline> => {
    const key = toKey(configuration, request);
    const current = shown.get(key);
    if (current?.changes === countChanges()) return current.outline;
    if (countChanges() > 0) return make(request, key, false);
    const [stamp, stored] = await Promise.all([readStamp(), readRecent(store, key)]);
    if (stored === undefined || stored.stamp !== stamp) return make(request, key, stamp === "");
    shown.set(key, { ...stored, changes: 0 });
    return stored.outline;
  };

  return async ({ waitMs = 0, maxTokens, frame, caller }) => {
    // Callers without a role see the same outline.
    const hasRole = caller !== undefined && configuration.policies.length > 0;
    const request = { maxTokens, frame, caller: hasRole ? caller : undefined };
    const untilMs = performance.now() + waitMs;
    const outline = await read(request);
    if (waitMs === 0 || outline.unknownServers === 0) return outline;
    // Opening the host counts, too: the bound holds from the request on, even on a slow machine.
    listed ??= settleWithin(listUnknown(), untilMs - performance.now());
    await listed;
    return read(request);
  };
};

const listShapeFiles = async ({ settings }: Configuration): Promise<readonly string[]> => {
  const folder =
    settings.workspace === defaultWorkspace
      ? settings.cacheFolder
      : (await import("../host/open-learned.js")).toLearnedFolder(settings, settings.workspace);
  const names = await readdir(join(folder, "shapes"), { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(".json")).sort();
};

const readRecent = async (store: OutlineStore, key: string): Promise<StoredOutline | undefined> => {
  const stored = await store.read(key);
  return stored === undefined || Date.now() - stored.madeAtMs > dayMs ? undefined : stored;
};

const listNames = ({ servers }: Configuration): readonly string[] =>
  servers.filter(({ isEnabled, problem }) => isEnabled && problem === undefined).map((server) => server.name);

/** Depends on the servers with their resolved variables, the policy, the frame and our version. */
const toKey = ({ servers, settings, policies }: Configuration, request: OutlineRequest): string => {
  const defined = servers.map(({ name, isEnabled, written, target }) => [
    name,
    isEnabled,
    written,
    target.kind === "in-process" ? target.listing.tools : target,
  ]);
  const pins = settings.pins === "off" ? [] : [settings.pins, stampPins(settings.pinsFile)];
  return JSON.stringify([version, request, defined, settings.workspace, policies, ...pins]);
};

const digestOf = async (catalogs: readonly ServerCatalog[]): Promise<string> => {
  const hash = createHash("sha256");
  for (const { identifier, tools } of catalogs) {
    hash.update(JSON.stringify([identifier, tools.length]));
    for (const { fingerprint, learned } of tools) {
      hash.update(learned === undefined ? fingerprint : `${fingerprint}+`);
      await pause();
    }
  }
  return hash.digest("hex");
};

/** Tools in memory or in the cache, with what was learned of their results. Starts no server. */
const readKnown = async (host: Host, names: readonly string[]): Promise<readonly ServerCatalog[]> => {
  const catalogs = names.map(async (name) => {
    const catalog = await readKnownCatalog(host, name);
    return catalog && { ...catalog, tools: await host.shapes.showAll(name, catalog.tools) };
  });
  return (await Promise.all(catalogs)).filter((catalog) => catalog !== undefined);
};

const render = async (
  { servers, addable, settings }: Configuration,
  { maxTokens, frame }: OutlineRequest,
  names: readonly string[],
  catalogs: readonly ServerCatalog[],
): Promise<CatalogOutline> => {
  const [{ renderShortSignature }, { readCounter }, { readUseCounts }] = await Promise.all([
    import("../../codegen/index.js"),
    import("../../output/index.js"),
    import("../host/open-learned.js"),
  ]);
  const countTokens = await readCounter();
  const uses = await readUseCounts(settings);
  const identifiers = toServerIdentifiers([...servers, ...addable].map((server) => server.name));
  return renderOutline({
    identifiers: names.map((name) => identifiers.get(name) ?? name),
    catalogs,
    maxTokens: Math.max(0, maxTokens - countTokens(frame) - joinTokens),
    countTokens,
    countUses: (tool) => uses.get(toUseName(tool)) ?? 0,
    renderLine: ({ identifier }, tool) =>
      renderShortSignature({
        tool,
        name: `${identifier}.${tool.functionName}`,
        maxLength: maxSignature,
        isPlain: true,
      }),
  });
};
