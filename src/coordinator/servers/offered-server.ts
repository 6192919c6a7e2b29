// Servers that may be added while a coordinator runs: how they are asked for, and what is told of them.

export interface FindServersRequest {
  /** What the server is wanted for; without it the whole list. */
  readonly query?: string | undefined;
  /** @default 10 */
  readonly limit?: number | undefined;
}

/** A server that may be added. */
export interface OfferedServer {
  readonly name: string;
  readonly description?: string | undefined;
  readonly isAdded: boolean;
  /** Why it cannot be used as it is configured. */
  readonly problem?: string | undefined;
}

export interface AddServerRequest {
  /** A name of the list that the configuration offers. */
  readonly name: string;
}

export interface AddedServer {
  readonly server: string;
  /** Its name in programs. */
  readonly identifier: string;
  readonly tools: readonly string[];
}
