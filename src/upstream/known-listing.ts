// The listing and era of one server: read from the cache or the server, and kept up to date.
import {
  type EraVerdict,
  type Listing,
  type ListingCache,
  pause,
  type WiredDefinition,
} from "../contracts/index.js";
import type { Connection } from "./open-connection.js";
import { readListing } from "./read-listing.js";

/** Older listings are refreshed in the background. */
const staleAfterMs = 24 * 60 * 60 * 1000;
/** The date on disk is updated after this time even if nothing changed. */
const redateAfterMs = 15 * 60 * 1000;

export interface KnownListingOptions {
  readonly definition: WiredDefinition;
  readonly fingerprint: string;
  readonly cache: ListingCache;
  readonly timeoutMs: number;
  /** Aborts every read. */
  readonly signal: AbortSignal;
  /** Called when the listing changes. */
  readonly onChanged: () => void;
  /** Background work, awaited only on close. */
  readonly onLeftover: (work: Promise<unknown>) => void;
}

/** Only a legacy verdict expires, so only its age matters. */
const isSameVerdict = (one: EraVerdict | undefined, other: EraVerdict): boolean => {
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
  #recalling: Promise<void> | undefined;
  #listing: Listing | undefined;
  #reading: Promise<Listing> | undefined;
  #lastReadFrom: Connection | undefined;
  #isDirty = false;
  /** When the server was listed, here or in an earlier process. */
  #listedAtMs = 0;
  /** When this process last listed it. */
  #readAtMs = 0;
  #storedAtMs = 0;
  /** As stored in the cache. Unchanged values are not written again. */
  #storedVerdict: EraVerdict | undefined;
  verdict: EraVerdict | undefined;

  constructor(options: KnownListingOptions) {
    this.#options = options;
  }

  get listing(): Listing | undefined {
    return this.#listing;
  }

  get readAtMs(): number {
    return this.#readAtMs;
  }

  /** Whether it is known and older than `ageMs`. */
  isOlderThan(ageMs: number): boolean {
    return this.#listing !== undefined && Date.now() - this.#listedAtMs > ageMs;
  }

  get isStale(): boolean {
    return this.isOlderThan(staleAfterMs);
  }

  /** Reads listing and era from the cache, once. */
  recall(): Promise<void> {
    this.#recalling ??= (async () => {
      const { cache, definition, fingerprint } = this.#options;
      const cached = await cache.read(definition.name, fingerprint).catch(() => undefined);
      // A date in the future means that the clock was set back: treat the listing as old.
      const listedAtMs = Date.parse(cached?.listedAt ?? "");
      this.#storedAtMs = listedAtMs <= Date.now() ? listedAtMs : 0;
      if (this.#listing === undefined) this.#listedAtMs = this.#storedAtMs;
      this.#listing ??= cached?.listing;
      this.verdict ??= cached?.era;
      this.#storedVerdict = cached?.era;
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

  /** Lists the server in the background. */
  readLater(connection: Connection): void {
    this.#isDirty = this.#reading !== undefined;
    if (!this.#isDirty && !this.#options.signal.aborted) this.#options.onLeftover(this.read(connection));
  }

  /** Whether it was listed on this connection, not on an earlier one. */
  isFrom(connection: Connection): boolean {
    return this.#lastReadFrom === connection;
  }

  async #readNow(connection: Connection): Promise<Listing> {
    const { definition, fingerprint, cache, timeoutMs, signal, onChanged, onLeftover } = this.#options;
    const { client, verdict, wire } = connection;
    const repeatsArguments = wire === "http" && verdict.kind === "modern";
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
    if (!isSame || !isDated || !isSameVerdict(this.#storedVerdict, verdict)) {
      const listedAt = new Date(nowMs).toISOString();
      const entry = { listedAt, era: verdict, listing, written: definition.written };
      this.#storedVerdict = verdict;
      this.#storedAtMs = nowMs;
      onLeftover(cache.write(definition.name, fingerprint, entry));
    }
    if (before !== undefined && !isSame) onChanged();
    return listing;
  }
}
