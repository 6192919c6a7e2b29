// HTTP callers: authenticated by a token, each with a workspace.

/** Created by authentication only; a caller cannot claim to be one. */
export interface Caller {
  readonly name: string;
  /** Identifies the token: a new token is a new id. */
  readonly id: string;
  /** The workspace of their files, memory, sessions and runs. Absent: that of the settings. */
  readonly workspace?: string | undefined;
}

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
