// Records changes to a client's file, so that they can be undone.

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
