// The request and the result of a search.
import type { Language } from "../../contracts/index.js";
import type { ToolSummary } from "../coordinator.js";

/** How much each hit contains. `description` is a synonym of `summary`. */
export type SearchDetail = "name" | "summary" | "description" | "full";

export interface SearchRequest {
  /** Words, a sentence or a whole task, or several of them, each searched separately. */
  readonly query: string | readonly string[];
  /** Hits per query. @default 5, or 3 with several queries */
  readonly limit?: number | undefined;
  readonly server?: string | undefined;
  /** @default "summary" */
  readonly detail?: SearchDetail | undefined;
  /** The workspace whose skills are searched, too. @default the setting `workspace` */
  readonly workspace?: string | undefined;
  /** The language of imports, signatures and examples. @default "typescript" */
  readonly language?: Language | undefined;
  /** How long to wait for servers whose tools are not known. They continue to start. @default 1000, longer if no tool is known at all */
  readonly waitMs?: number | undefined;
}

/** A server that was not searched. */
export interface UnavailableServer {
  readonly server: string;
  readonly reason: string;
  /** Its tools can be searched in a moment. */
  readonly isStarting?: true | undefined;
  /** Its package is being installed. Its tools can be searched afterwards. */
  readonly isInstalling?: true | undefined;
}

export interface SearchHit {
  /** The tool's names. With `summary` and `full`, also its description. */
  readonly tool: Pick<ToolSummary, "server" | "name" | "functionName"> & Partial<ToolSummary>;
  /** The first query that found it. */
  readonly query: string;
  /** 1 is the best hit. */
  readonly score: number;
  /** It has too little in common with the query to be reliable. */
  readonly isWeak: boolean;
  /** The name of its function in the requested language: `github.createIssue`. */
  readonly call: string;
  /** The fields below are set with `summary` and `full`. */
  readonly importLine?: string | undefined;
  /** One line, as called after the import. Every call is awaited. */
  readonly signature?: string | undefined;
  /** A saved skill. It can only be imported by a program of the same language. */
  readonly skill?:
    | { readonly path: string; readonly language: Language; readonly version: number }
    | undefined;
  /** Where the result type comes from. */
  readonly resultFrom?: "declared" | "learned" | "unknown" | undefined;
  readonly isDestructive?: boolean | undefined;
  /** A call with valid arguments that runs as is after the import. */
  readonly example?: string | undefined;
  /** With `full`: types and comments, as a program sees them. */
  readonly declaration?: string | undefined;
}

export interface SearchResult {
  readonly queries: readonly string[];
  /** In the order of the queries, best first. A tool found by several queries appears once. */
  readonly hits: readonly SearchHit[];
  /** Words of the queries that no tool contains. */
  readonly unmatchedWords: readonly string[];
  /** Words of the tools that are similar to a word without a match. */
  readonly near: readonly { readonly word: string; readonly near: readonly string[] }[];
  /** The number of tools searched. */
  readonly total: number;
  /** Servers whose tools are not known, with the reason. */
  readonly unavailable: readonly UnavailableServer[];
}
