// What is asked of a search, and what it answers.
import type { Language } from "../../contracts/index.js";
import type { ToolSummary } from "../coordinator.js";

/** How much is told of each hit; `description` is another word for `summary`. */
export type SearchDetail = "name" | "summary" | "description" | "full";

export interface SearchRequest {
  /** Words, a sentence, a whole task; or several of them, each searched by itself. */
  readonly query: string | readonly string[];
  /** Hits for each query. @default 5, and 3 where there are several queries */
  readonly limit?: number | undefined;
  readonly server?: string | undefined;
  /** @default "summary" */
  readonly detail?: SearchDetail | undefined;
  /** Whose skills are searched too. @default the setting `workspace` */
  readonly workspace?: string | undefined;
  /** The language that imports, signatures and examples are written in. @default "typescript" */
  readonly language?: Language | undefined;
  /** How long servers are waited for whose tools are not known; they go on starting. @default 1000, longer if no tool is known at all */
  readonly waitMs?: number | undefined;
}

/** A server that was not searched. */
export interface UnavailableServer {
  readonly server: string;
  readonly reason: string;
  /** Its tools can be searched in a moment. */
  readonly isStarting?: true | undefined;
  /** Its package is being installed: its tools can be searched when that is done. */
  readonly isInstalling?: true | undefined;
}

export interface SearchHit {
  /** Its names; with `summary` and `full` the description too. */
  readonly tool: Pick<ToolSummary, "server" | "name" | "functionName"> & Partial<ToolSummary>;
  /** The first of the queries that found it. */
  readonly query: string;
  /** 1 is the best hit. */
  readonly score: number;
  /** It shares too little with the query to be trusted. */
  readonly isWeak: boolean;
  /** The name that its functions are called by in the language asked for: `github.createIssue`. */
  readonly call: string;
  /** What follows is there with `summary` and `full`. */
  readonly importLine?: string | undefined;
  /** One line, as it is called after the import; every call is awaited. */
  readonly signature?: string | undefined;
  /** It is a saved skill of this language, imported like the line says; a program of another language cannot. */
  readonly skill?:
    | { readonly path: string; readonly language: Language; readonly version: number }
    | undefined;
  /** Where the result's type comes from. */
  readonly resultFrom?: "declared" | "learned" | "unknown" | undefined;
  readonly isDestructive?: boolean | undefined;
  /** A call with arguments that the tool's schema accepts; runs after the import as it stands. */
  readonly example?: string | undefined;
  /** With `full`: types and comments, as a program sees them. */
  readonly declaration?: string | undefined;
}

export interface SearchResult {
  readonly queries: readonly string[];
  /** In the order of the queries, best first; a tool that several queries found is there once. */
  readonly hits: readonly SearchHit[];
  /** Words of the queries that no tool has. */
  readonly unmatchedWords: readonly string[];
  /** Words of the tools that are near one that matched nothing. */
  readonly near: readonly { readonly word: string; readonly near: readonly string[] }[];
  /** Tools that were searched. */
  readonly total: number;
  /** Servers whose tools are not known, with the reason. */
  readonly unavailable: readonly UnavailableServer[];
}
