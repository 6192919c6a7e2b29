// What is remembered of a server between starts, so that a second start need not start it.
import type { Listing } from "./tool.js";

/** Where listings are kept below the cache folder: one file for each server and definition. */
export const listingsFolder = "listings";

/** Which protocol era a server speaks; `discover` is what the modern era's probe answered. */
export type EraVerdict =
  | { readonly kind: "legacy"; readonly decidedAt: string }
  | { readonly kind: "modern"; readonly decidedAt: string; readonly discover: unknown };

export interface CachedListing {
  readonly listedAt: string;
  readonly era?: EraVerdict | undefined;
  readonly listing: Listing;
  /** The definition as it was written, references not expanded; only a hash of it is stored. */
  readonly written?: string | undefined;
}

/** Keyed by the server's name and the fingerprint of its definition: a changed definition is a miss. */
export interface ListingCache {
  readonly read: (server: string, fingerprint: string) => Promise<CachedListing | undefined>;
  /** The listing of a server that was written the same, whatever its variables were. */
  readonly readWritten: (server: string, written: string) => Promise<CachedListing | undefined>;
  readonly write: (server: string, fingerprint: string, entry: CachedListing) => Promise<void>;
}
