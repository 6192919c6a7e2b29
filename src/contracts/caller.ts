// Who comes in over HTTP: known by a token, at work in a workspace of their own.

/** Made by the door that let them in; nobody is a caller by what they say of themselves. */
export interface Caller {
  readonly name: string;
  /** Of the token: with another token it is another one. */
  readonly id: string;
  /** Whose files, memory, sessions and runs they work with; absent: those of the settings. */
  readonly workspace?: string | undefined;
}

export interface CallerFacts extends Caller {
  readonly madeAt: string;
}

/** The only time that the token itself is seen. */
export interface NewCaller extends CallerFacts {
  readonly token: string;
}

/** Those who may come in. Of their tokens only hashes are kept; a file that cannot be read lets nobody in. */
export interface CallerStore {
  /** Sorted by name. */
  readonly list: () => Promise<readonly CallerFacts[]>;
  /** Throws CALLER_EXISTS. */
  readonly add: (caller: {
    readonly name: string;
    readonly workspace?: string | undefined;
  }) => Promise<NewCaller>;
  /** A new token in place of the old one. Throws CALLER_UNKNOWN. */
  readonly renew: (name: string) => Promise<NewCaller>;
  /** False when there is none. */
  readonly remove: (name: string) => Promise<boolean>;
  readonly find: (token: string) => Promise<Caller | undefined>;
}
