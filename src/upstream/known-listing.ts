// What is known of one server's offers and era: recalled from the cache, read from the server, kept up to date.
import {
  type EraVerdict,
  type Listing,
  type ListingCache,
  pause,
  type WiredDefinition,
} from "../contracts/index.js";
import type { Connection } from "./connection.js";
import { readListing } from "./read-listing.js";

/** An older listing is asked for again where that holds nobody up. */
const staleAfterMs = 24 * 60 * 60 * 1000;
/** How old the date on disk may become while nothing changes. */
const redateAfterMs = 15 * 60 * 1000;

export interface KnownListingOptions {
  readonly definition: WiredDefinition;
  readonly fingerprint: string;
  readonly cache: ListingCache;
  readonly timeoutMs: number;
  /** Ends every reading. */
  readonly signal: AbortSignal;
  /** What the server offers is not what was known before. */
  readonly onChanged: () => void;
  /** Work that nobody waits for before the end. */
  readonly onLeftover: (work: Promise<unknown>) => void;
}

/** Only an old era's verdict has an age that counts. */
const isSameVerdict = (one: EraVerdict | undefined, other: EraVerdict): boolean => {
  if (one?.kind === "legacy" && other.kind === "legacy") return one.decidedAt === other.decidedAt;
  if (one?.kind !== "modern" || other.kind !== "modern") return false;
  return JSON.stringify(one.discover) === JSON.stringify(other.discover);
};

/** Compares tool by tool, so that two large listings never take the host's thread at once. */
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
  /** When the server said so, here or in an earlier process. */
  #listedAtMs = 0;
  /** When it was last asked by this process. */
  #readAtMs = 0;
  #keptAtMs = 0;
  /** As the cache has it: what did not change is not written again. */
  #keptVerdict: EraVerdict | undefined;
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

  /** Known, and older than `ageMs`. */
  isOlderThan(ageMs: number): boolean {
    return this.#listing !== undefined && Date.now() - this.#listedAtMs > ageMs;
  }

  get isStale(): boolean {
    return this.isOlderThan(staleAfterMs);
  }

  /** Takes listing and era from the cache, once. */
  recall(): Promise<void> {
    this.#recalling ??= (async () => {
      const { cache, definition, fingerprint } = this.#options;
      const cached = await cache.read(definition.name, fingerprint).catch(() => undefined);
      // A date in the future is a clock that was set back: such a listing counts as old.
      const listedAtMs = Date.parse(cached?.listedAt ?? "");
      this.#keptAtMs = listedAtMs <= Date.now() ? listedAtMs : 0;
      if (this.#listing === undefined) this.#listedAtMs = this.#keptAtMs;
      this.#listing ??= cached?.listing;
      this.verdict ??= cached?.era;
      this.#keptVerdict = cached?.era;
    })();
    return this.#recalling;
  }

  /** Asks the server what it offers; those who ask at the same time share the answer. */
  read(connection: Connection): Promise<Listing> {
    this.#lastReadFrom = connection;
    this.#reading ??= this.#readNow(connection).finally(() => {
      this.#reading = undefined;
      // It changed while we were reading.
      if (this.#isDirty) this.readLater(connection);
    });
    return this.#reading;
  }

  /** Asks the server without anyone waiting. */
  readLater(connection: Connection): void {
    this.#isDirty = this.#reading !== undefined;
    if (!this.#isDirty && !this.#options.signal.aborted) this.#options.onLeftover(this.read(connection));
  }

  /** Whether it was asked for on this connection, and not on an earlier one. */
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
    const isDated = nowMs - this.#keptAtMs <= redateAfterMs;
    if (!isSame || !isDated || !isSameVerdict(this.#keptVerdict, verdict)) {
      const listedAt = new Date(nowMs).toISOString();
      const entry = { listedAt, era: verdict, listing, written: definition.written };
      this.#keptVerdict = verdict;
      this.#keptAtMs = nowMs;
      onLeftover(cache.write(definition.name, fingerprint, entry));
    }
    if (before !== undefined && !isSame) onChanged();
    return listing;
  }
}
