// The face of an index: what goes in, what is asked, what comes out.
import type { Tool } from "../contracts/index.js";

/** What search reads of a tool. */
export type SearchableTool = Pick<Tool, "server" | "name" | "title" | "description" | "inputSchema">;

/** Server → what its person wrote about it. */
export type ServerDescriptions = ReadonlyMap<string, string>;

export interface SearchOptions {
  /** Most hits to return; 10 unless told. */
  readonly limit?: number;
  /** Only tools of this server. */
  readonly server?: string;
}

export interface RankedTool<T extends SearchableTool> {
  readonly tool: T;
  /** From 1, the best hit of this query, down towards 0. */
  readonly score: number;
  /** Matches little of what was asked: worth showing only as a guess. */
  readonly isWeak: boolean;
}

/** A word that no tool uses, with words that tools do use. */
export interface NearWords {
  readonly word: string;
  readonly near: readonly string[];
}

export interface SearchOutcome<T extends SearchableTool> {
  /** Best first. */
  readonly hits: readonly RankedTool<T>[];
  /** Words of the query that no tool uses, in order, each once. */
  readonly unmatchedWords: readonly string[];
  /** For each unmatched word that has any: words of the index that look like it. */
  readonly near: readonly NearWords[];
}

export interface SearchIndex<T extends SearchableTool> {
  /** Ranks the tools for words, a sentence or a whole task. The same query gives the same answer. */
  readonly search: (query: string, options?: SearchOptions) => SearchOutcome<T>;
}
