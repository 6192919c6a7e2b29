// What is shown of the catalog before anybody asks, and where it is kept between starts.

/** The catalog within a budget: names of servers, and as many signatures as fit. */
export interface CatalogOutline {
  /** The servers' names in programs: as many as fit, and how many are missing. */
  readonly names: string;
  /** One signature a line. */
  readonly signatures: readonly string[];
  readonly knownTools: number;
  /** Servers whose tools are not known yet. */
  readonly unknownServers: number;
  /** Their names in programs: as many as fit, and how many are missing. */
  readonly unknownNames: string;
  /** Every tool of every server is among the signatures: there is nothing to search for. */
  readonly isComplete: boolean;
}

export interface KeptOutline {
  /** Of the listings it was made from: other ones need another outline. */
  readonly stamp: string;
  /** Of the tools it was made from: the same tools keep their text. */
  readonly digest: string;
  readonly madeAtMs: number;
  readonly outline: CatalogOutline;
}

/** What it cannot read is not there; what it cannot write is made again. */
export interface OutlineStore {
  readonly read: (key: string) => Promise<KeptOutline | undefined>;
  readonly write: (key: string, kept: KeptOutline) => Promise<void>;
}
