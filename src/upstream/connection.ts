// What an open connection to a server is, for the files of this room.
import type { Client } from "@modelcontextprotocol/client";
import type { CoordinatorError, EraVerdict } from "../contracts/index.js";

/** What is known of a server's process; empty for a server behind an address. */
export interface ProcessReport {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** The end of what it wrote to stderr. */
  readonly stderr?: string | undefined;
  /** The end of what it printed to stdout that was no message. */
  readonly stdout?: string | undefined;
}

/** A connection whose handshake is done. */
export interface Connection {
  readonly client: Client;
  readonly verdict: EraVerdict;
  /** The era was taken from memory and no answer has confirmed it yet. */
  readonly isAssumed: boolean;
  /** The wire in use: a server behind `http` may turn out to be an old one that speaks `sse`. */
  readonly wire: "stdio" | "http" | "sse";
  readonly processId?: number | undefined;
  readonly sessionId: () => string | undefined;
  readonly report: () => ProcessReport;
  /** Why we gave it up ourselves, e.g. after an answer that was too large. */
  readonly failure: () => CoordinatorError | undefined;
  readonly close: () => Promise<void>;
}
