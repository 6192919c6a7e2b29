// What is cached between starts: the listings of servers, failed starts, and the outline of the catalog.
import type { ErrorCode } from "./errors.js";
import type { Listing } from "./tool.js";

/** The folder of listings in the cache folder: one file per server and definition. */
export const listingsFolder = "listings";

/** The protocol era of a server; `discover` is its answer to the probe of the modern era. */
export type EraVerdict =
  | { readonly kind: "legacy"; readonly decidedAt: string }
  | { readonly kind: "modern"; readonly decidedAt: string; readonly discover: unknown };

export interface CachedListing {
  readonly listedAt: string;
  readonly era?: EraVerdict | undefined;
  readonly listing: Listing;
  /** The definition as written, with references not expanded. Only a hash of it is stored. */
  readonly written?: string | undefined;
}

/** Keyed by server name and definition fingerprint: a changed definition is a miss. */
export interface ListingCache {
  readonly read: (server: string, fingerprint: string) => Promise<CachedListing | undefined>;
  /** The listing of a server with the same written definition, whatever its variables were. */
  readonly readWritten: (server: string, written: string) => Promise<CachedListing | undefined>;
  readonly write: (server: string, fingerprint: string, entry: CachedListing) => Promise<void>;
}

export interface StartFailure {
  /** Failures in a row. */
  readonly count: number;
  readonly failedAtMs: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** Keyed like listings, by server name and definition fingerprint. */
export interface StartFailures {
  readonly read: (server: string, fingerprint: string) => Promise<StartFailure | undefined>;
  readonly write: (server: string, fingerprint: string, failure: StartFailure) => Promise<void>;
  readonly clear: (server: string, fingerprint: string) => Promise<void>;
  /** Forgets the failures of a server under every definition. */
  readonly forget: (server: string) => Promise<void>;
}

/** The catalog within a budget: server names, and as many signatures as fit. */
export interface CatalogOutline {
  /** The servers' names in programs: as many as fit, and how many are missing. */
  readonly names: string;
  /** One signature per line. */
  readonly signatures: readonly string[];
  readonly knownTools: number;
  /** Servers whose tools are not known yet. */
  readonly unknownServers: number;
  /** Their names in programs: as many as fit, and how many are missing. */
  readonly unknownNames: string;
  /** The signatures include every tool of every server, so there is nothing to search for. */
  readonly isComplete: boolean;
}

export interface StoredOutline {
  /** Fingerprint of the listings it was made from. Other listings need another outline. */
  readonly stamp: string;
  /** Fingerprint of the tools it was made from. The same tools keep their text. */
  readonly digest: string;
  readonly madeAtMs: number;
  readonly outline: CatalogOutline;
}

/** An outline that cannot be read is absent; one that cannot be written is made again. */
export interface OutlineStore {
  readonly read: (key: string) => Promise<StoredOutline | undefined>;
  readonly write: (key: string, outline: StoredOutline) => Promise<void>;
}
