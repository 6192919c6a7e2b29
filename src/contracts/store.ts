// Durable data: the store of all workspaces, caches between starts, HTTP callers, and the vault of secrets. Plain files implement it; so can
// anything else that passes the contract suite.
import type { ErrorCode } from "./errors.js";
import type { Runs } from "./journal.js";
import type { JsonObject } from "./json.js";
import type { Listing } from "./tool.js";
import type { Memory, SessionLogs, States, StoredValues, WorkspaceFiles } from "./workspace.js";

/** Everything that runs of one workspace share, separate from every other workspace. */
export interface Workspace {
  readonly name: string;
  readonly files: WorkspaceFiles;
  readonly memory: Memory;
  readonly states: States;
  readonly sessions: SessionLogs;
  readonly runs: Runs;
  readonly storedValues: StoredValues;
}

/** One workspace as it is listed: its name and when it was used. */
export interface WorkspaceSummary {
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
}

/** A workspace whose changes do not last. */
export interface WorkspaceCopy {
  readonly workspace: Workspace;
  readonly remove: () => Promise<void>;
}

/** Where workspaces are stored. Throws NAME_INVALID for an invalid name. */
export interface Store {
  /** Opens a workspace. The first use creates it. */
  readonly openWorkspace: (name: string) => Promise<Workspace>;
  /** Copies the files, memory and states of a workspace. What is changed in the copy is gone with it. */
  readonly copyWorkspace: (name: string) => Promise<WorkspaceCopy>;
  /** Sorted by name. */
  readonly listWorkspaces: () => Promise<readonly WorkspaceSummary[]>;
  /** Removes a workspace with everything in it; false if there is none. Throws RUN_BUSY while one of its runs is in progress. */
  readonly removeWorkspace: (name: string) => Promise<boolean>;
  /** Removes workspaces unused since then, and returns their names. One with a run in progress stays. */
  readonly removeInactive: (options: { readonly since: Date }) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** A tool, prompt, resource or template of a server, by its name or address on the wire. */
export interface NamedItem {
  readonly server: string;
  readonly name: string;
}

/** Public name → item, for everything that clients of the direct surface have seen. */
export interface GivenNames {
  readonly tools: Map<string, NamedItem>;
  readonly prompts: Map<string, NamedItem>;
  readonly resources: Map<string, NamedItem>;
  readonly templates: Map<string, NamedItem>;
}

export interface NameStore {
  /** Lets `work` read the names and add new ones, which are stored before it resolves. `work` may run twice: the last result counts. */
  readonly assign: <Result>(work: (given: GivenNames) => Result) => Promise<Result>;
}

/** A server that was moved out of a client's file. */
export interface MovedServer {
  /** Its name there. */
  readonly name: string;
  /** Our configuration that has it now, and its name there. */
  readonly ownFile: string;
  readonly ownName: string;
  /** A hash of the entry as written there. */
  readonly ownHash: string;
}

/** One section of the file that servers were taken from. */
export interface TakenPlace {
  readonly keys: readonly string[];
  readonly isList: boolean;
  /** The entry that starts us. */
  readonly entryName: string;
  readonly moved: readonly MovedServer[];
}

/** One change to one file of a client. */
export interface Takeover {
  readonly id: string;
  readonly client: string;
  readonly path: string;
  readonly format: "json" | "toml" | "yaml";
  readonly takenAt: string;
  /** Absent: there was no file. */
  readonly hashBefore?: string | undefined;
  readonly hashAfter: string;
  readonly places: readonly TakenPlace[];
}

/** The changes that can be undone, oldest first, each with the file before and after. */
export interface TakeoverStore {
  readonly folder: string;
  readonly list: () => Promise<readonly Takeover[]>;
  /** Stores the file's two states first and the record last. */
  readonly add: (takeover: Takeover, states: { before: string | undefined; after: string }) => Promise<void>;
  /** A state of the file; `undefined` if it no longer exists. */
  readonly read: (id: string, state: "before" | "after") => Promise<string | undefined>;
  readonly remove: (ids: readonly string[]) => Promise<void>;
}

/** The folder of listings in the cache folder: one file per server and definition. */
export const listingsFolder = "listings";

/** The protocol version of a server; `discover` is its answer to the probe of the modern protocol. */
export type ProtocolVersion =
  | { readonly kind: "legacy"; readonly decidedAt: string }
  | { readonly kind: "modern"; readonly decidedAt: string; readonly discover: unknown };

export interface CachedListing {
  readonly listedAt: string;
  readonly protocol?: ProtocolVersion | undefined;
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

/** Created by authentication only; a caller cannot claim to be one. */
export interface Caller {
  readonly name: string;
  /** Identifies the token: a new token is a new id. */
  readonly id: string;
  /** The workspace of their files, memory, sessions and runs. Absent: that of the settings. */
  readonly workspace?: string | undefined;
}

/** A caller of the HTTP server as it is listed: without its token. */
export interface CallerFacts extends Caller {
  readonly madeAt: string;
}

/** The only time that the token itself is visible. */
export interface NewCaller extends CallerFacts {
  readonly token: string;
}

/** The registered callers. Only hashes of their tokens are stored; an unreadable file admits nobody. */
export interface CallerStore {
  /** Sorted by name. */
  readonly list: () => Promise<readonly CallerFacts[]>;
  /** Throws CALLER_EXISTS. */
  readonly add: (caller: {
    readonly name: string;
    readonly workspace?: string | undefined;
  }) => Promise<NewCaller>;
  /** Replaces the token. Throws CALLER_UNKNOWN. */
  readonly renew: (name: string) => Promise<NewCaller>;
  /** False if there is none. */
  readonly remove: (name: string) => Promise<boolean>;
  readonly find: (token: string) => Promise<Caller | undefined>;
}

/** How much stored data is kept. */
export interface Retention {
  /** Runs per workspace; the oldest are removed first. */
  readonly keptRuns: number;
  /** Total size of the runs of one workspace. */
  readonly keptRunBytes: number;
  /** Days until an unused stored value is removed. */
  readonly storedValueDays: number;
  /** Days until an unused workspace is removed. Absent: never. */
  readonly keptWorkspaceDays?: number | undefined;
  /** Hours without use until the values behind tokens are forgotten. */
  readonly hiddenValueHours: number;
}

export interface VaultEntry {
  /** Increases with every write. Never reused for a name, even after a removal. */
  readonly generation: number;
  readonly value: JsonObject;
}

/** Where the master key comes from. */
export type VaultKeySource = "environment" | "keychain" | "passphrase" | "file" | "memory";

export interface VaultFacts {
  readonly source: VaultKeySource;
  /** The folder of the entries. Absent: they are in memory. */
  readonly folder?: string | undefined;
  /** The file with the key, for the source `file`. Anyone who can read it and the folder can read every entry. */
  readonly keyFile?: string | undefined;
  /** Why a better source is not used. */
  readonly note?: string | undefined;
}

/** Throws VAULT_LOCKED if the key is missing or is not the one that the entries were written with. */
export interface Vault {
  readonly read: (name: string) => Promise<VaultEntry | undefined>;
  /** Writes the next generation. With `after` (0: no entry), only if that is still the current one; otherwise undefined. */
  readonly write: (
    name: string,
    value: JsonObject,
    options?: { readonly after?: number | undefined },
  ) => Promise<VaultEntry | undefined>;
  /** Removes an entry, with `generation` only if that is still the current one. False if nothing was removed. */
  readonly remove: (name: string, options?: { readonly generation?: number | undefined }) => Promise<boolean>;
  /** The names of all entries, sorted. Needs no key. */
  readonly list: () => Promise<readonly string[]>;
  /** Runs `work` under a lock on the name, across processes. Do not nest. */
  readonly exclusively: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
  /** Undefined if nothing has been stored yet and no key is needed. */
  readonly describe: () => Promise<VaultFacts | undefined>;
}
