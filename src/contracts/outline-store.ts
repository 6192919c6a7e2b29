// The outline of the catalog that is shown up front, and its cache between starts.

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

export interface KeptOutline {
  /** Fingerprint of the listings it was made from. Other listings need another outline. */
  readonly stamp: string;
  /** Fingerprint of the tools it was made from. The same tools keep their text. */
  readonly digest: string;
  readonly madeAtMs: number;
  readonly outline: CatalogOutline;
}

/** An outline that cannot be read is absent; one that cannot be written is made again. */
export interface OutlineStore {
  readonly read: (key: string) => Promise<KeptOutline | undefined>;
  readonly write: (key: string, kept: KeptOutline) => Promise<void>;
}
