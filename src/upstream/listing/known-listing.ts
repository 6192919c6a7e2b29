// The listing and protocol version of one server: read from the cache or the server, and refreshed when it changes.
import {
  type Listing,
  type ListingCache,
  type ProtocolVersion,
  pause,
  type WiredDefinition,
  withinTime,
} from "../../contracts/index.js";
import type { Connection } from "../open-connection.js";
import { fingerprintDefinition } from "../upstream-requests.js";
import { readListing, watchLists } from "./read-listing.js";

/** Older listings are refreshed in the background. */
const staleAfterMs = 24 * 60 * 60 * 1000;
/** The date on disk is updated after this time even if nothing changed. */
const redateAfterMs = 15 * 60 * 1000;

/** Minimum time between refreshes because of names or arguments that the listing does not have. */
const renewalPauseMs = 1000;
/** The same if the server must be started for it. */
const renewalPauseByStartMs = 10_000;
/** How long a refresh may delay a refusal. */
const maxRenewalMs = 10_000;

export interface KnownListingOptions {
  readonly definition: WiredDefinition;
  readonly cache: ListingCache;
  readonly timeoutMs: number;
  /** Aborts every read. */
  readonly signal: AbortSignal;
  /** Called when the listing changes. */
  readonly onListChanged: () => void;
  /** Background work, awaited only on close. */
  readonly onTask: (work: Promise<unknown>) => void;
}

/** Only a legacy version expires, so only its age matters. */
const isSameVersion = (one: ProtocolVersion | undefined, other: ProtocolVersion): boolean => {
  if (one?.kind === "legacy" && other.kind === "legacy") return one.decidedAt === other.decidedAt;
  if (one?.kind !== "modern" || other.kind !== "modern") return false;
  return JSON.stringify(one.discover) === JSON.stringify(other.discover);
};

/** Compares tool by tool, so that large listings do not block the host's thread. */
const isSameListing = async (one: Listing | undefined, other: Listing): Promise<boolean> => {
  if (one === undefined || one.tools.length !== other.tools.length) return false;
  const { tools: _tools, ...rest } = one;
  const { tools, ...otherRest } = other;
  if (JSON.stringify(rest) !== JSON.stringify(otherRest)) return false;
  for (const [at, tool] of tools.entries()) {
    if (JSON.stringify(one.tools[at]) !== JSON.stringify(tool)) return false;
    await pause();
  }
  return true;
};

export class KnownListing {
  readonly #options: KnownListingOptions;
  readonly #fingerprint: string;
  #recalling: Promise<void> | undefined;
  #listing: Listing | undefined;
  #reading: Promise<Listing> | undefined;
  #lastReadFrom: Connection | undefined;
  #isDirty = false;
  /** When the server was listed, here or in an earlier process. */
  #listedAtMs = 0;
  /** When this process last listed it. */
  #readAtMs = 0;
  #renewing: Promise<void> | undefined;
  #renewedAtMs = 0;
  #storedAtMs = 0;
  /** As stored in the cache. Unchanged values are not written again. */
  #storedVersion: ProtocolVersion | undefined;
  version: ProtocolVersion | undefined;

  constructor(options: KnownListingOptions) {
    this.#options = options;
    this.#fingerprint = fingerprintDefinition(options.definition);
  }

  get listing(): Listing | undefined {
    return this.#listing;
  }

  /** Whether it is known and older than `ageMs`. */
  isOlderThan(ageMs = staleAfterMs): boolean {
    return this.#listing !== undefined && Date.now() - this.#listedAtMs > ageMs;
  }

  /** Reads listing and protocol version from the cache, once. */
  recall(): Promise<void> {
    this.#recalling ??= (async () => {
      const { cache, definition } = this.#options;
      const cached = await cache.read(definition.name, this.#fingerprint).catch(() => undefined);
      // A date in the future means that the clock was set back: treat the listing as old.
      const listedAtMs = Date.parse(cached?.listedAt ?? "");
      this.#storedAtMs = listedAtMs <= Date.now() ? listedAtMs : 0;
      if (this.#listing === undefined) this.#listedAtMs = this.#storedAtMs;
      this.#listing ??= cached?.listing;
      this.version ??= cached?.protocol;
      this.#storedVersion = cached?.protocol;
    })();
    return this.#recalling;
  }

  /** Lists the server. Concurrent requests share the answer. */
  read(connection: Connection): Promise<Listing> {
    this.#lastReadFrom = connection;
    this.#reading ??= this.#readNow(connection).finally(() => {
      this.#reading = undefined;
      // It changed while it was read.
      if (this.#isDirty) this.readLater(connection);
    });
    return this.#reading;
  }

  /** Lists the server with `list`, unless that was done just now. Never fails. */
  renew(isConnected: boolean, list: () => Promise<unknown>): Promise<void> {
    const nowMs = Date.now();
    const pauseMs = isConnected ? renewalPauseMs : renewalPauseByStartMs;
    if (this.#renewing === undefined && nowMs - Math.max(this.#readAtMs, this.#renewedAtMs) >= pauseMs) {
      this.#renewedAtMs = nowMs;
      this.#renewing = withinTime(list(), { timeMs: maxRenewalMs })
        .catch(() => {})
        .then(() => {
          this.#renewing = undefined;
        });
    }
    return this.#renewing ?? Promise.resolve();
  }

  /** Lists the server in the background. */
  readLater(connection: Connection): void {
    this.#isDirty = this.#reading !== undefined;
    if (!this.#isDirty && !this.#options.signal.aborted) this.#options.onTask(this.read(connection));
  }

  /** Lists the server after other work, unless it was listed meanwhile or the connection is closed by then. */
  async readAfter(work: Promise<unknown>, connection: Connection, isOpen: () => boolean): Promise<void> {
    await work.catch(() => {});
    if (isOpen() && !this.isFrom(connection)) this.readLater(connection);
  }

  /** Lists the server again when it is of another version, and whenever it reports a change. */
  watch(connection: Connection, timeoutMs: number, isOpen: () => boolean): void {
    const isUpgraded = this.#listing?.serverVersion !== connection.client.getServerVersion()?.version;
    if (this.#listing !== undefined && isUpgraded) this.readLater(connection);
    watchLists(connection, timeoutMs, () => {
      if (isOpen()) this.readLater(connection);
    });
  }

  /** Whether it was listed on this connection, not on an earlier one. */
  isFrom(connection: Connection): boolean {
    return this.#lastReadFrom === connection;
  }

  async #readNow(connection: Connection): Promise<Listing> {
    const { definition, cache, timeoutMs, signal, onListChanged, onTask } = this.#options;
    const { client, version, wire } = connection;
    const repeatsArguments = wire === "http" && version.kind === "modern";
    const listing = await readListing({
      server: definition.name,
      client,
      timeoutMs,
      signal,
      repeatsArguments,
    });
    const before = this.#listing;
    const isSame = await isSameListing(before, listing);
    this.#listing = listing;
    const nowMs = Date.now();
    this.#listedAtMs = nowMs;
    this.#readAtMs = nowMs;
    const isDated = nowMs - this.#storedAtMs <= redateAfterMs;
    if (!isSame || !isDated || !isSameVersion(this.#storedVersion, version)) {
      const listedAt = new Date(nowMs).toISOString();
      const entry = { listedAt, protocol: version, listing, written: definition.written };
      this.#storedVersion = version;
      this.#storedAtMs = nowMs;
      onTask(cache.write(definition.name, this.#fingerprint, entry));
    }
    if (before !== undefined && !isSame) onListChanged();
    return listing;
  }
}
