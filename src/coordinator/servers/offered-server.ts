// Requests and results of the verbs for servers that may be added.

export interface FindServersRequest {
  /** What the server is needed for. @default list all */
  readonly query?: string | undefined;
  /** @default 10 */
  readonly limit?: number | undefined;
}

/** A server that may be added. */
export interface OfferedServer {
  readonly name: string;
  readonly description?: string | undefined;
  readonly isAdded: boolean;
  /** Why it cannot be used as configured. */
  readonly problem?: string | undefined;
}

export interface AddServerRequest {
  /** A name that the configuration offers. */
  readonly name: string;
}

export interface AddedServer {
  readonly server: string;
  /** The server's identifier in programs. */
  readonly identifier: string;
  readonly tools: readonly string[];
}
