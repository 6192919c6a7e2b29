// Values stored on the host: programs hold a small handle, the content stays on the host.
import type { Language } from "./executor.js";
import type { Json } from "./json.js";

/** The server name of stored values in guest calls. No configured server can have it. */
export const storedServer = "\u0000kept";

/** Global names of every program. A server of the same name, or the program's own variable, takes precedence. */
export const storedNames: Readonly<Record<Language, readonly string[]>> = {
  typescript: ["keep", "kept", "peek", "page", "query", "artifact", "rows", "paginate"],
  python: ["keep", "kept", "peek", "page", "query", "artifact", "rows", "paginate"],
};

/** The kind of a stored value: `value` is a number, a boolean or null. */
export type StoredKind = "list" | "object" | "text" | "bytes" | "value";

/** What a handle says about its value. The same content has the same id. */
export interface StoredFacts {
  readonly id: string;
  readonly kind: StoredKind;
  readonly bytes: number;
  /** Items of a list, fields of an object, lines of a text. */
  readonly count?: number | undefined;
  /** The file name and MIME type of an artifact. */
  readonly name?: string | undefined;
  readonly mimeType?: string | undefined;
}

export interface StoredEntry extends StoredFacts {
  readonly keptAt: string;
}

export interface StoredContent {
  /** `either`: JSON if it parses as JSON, otherwise text. */
  readonly format: "json" | "text" | "either" | "bytes";
  readonly content: string | Uint8Array;
  readonly name?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** A part of a list, an object or a text: items, fields or lines starting at `offset`; for bytes, the bytes. */
export interface StoredPage {
  /** A list or an object inside it, e.g. `items` or `data.rows[0]`. */
  readonly path?: string | undefined;
  readonly offset?: number | undefined;
  /** @default 100 */
  readonly limit?: number | undefined;
}

/** Conditions on fields: an equal value, or `{ gt, gte, lt, lte, ne, in, contains, exists }`. */
export type StoredConditions = Readonly<Record<string, Json>>;

export interface StoredQuery {
  /** What to query, e.g. `items`, `items[*].name`. @default the whole value */
  readonly path?: string | undefined;
  /** Only items that match every condition. */
  readonly where?: StoredConditions | undefined;
  /** Only these fields of each item. */
  readonly select?: readonly string[] | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  /** Return the number of items instead of the items. */
  readonly count?: boolean | undefined;
}

/** A part of a stored value as text, so that the host never parses what it only passes on. */
export interface StoredPart {
  readonly format: "json" | "text";
  readonly text: string;
}

/** The stored values of one workspace: bounded, the oldest are removed first. An unknown id throws KEPT_UNKNOWN. */
export interface StoredValues {
  readonly store: (content: StoredContent) => Promise<StoredEntry>;
  readonly find: (id: string) => Promise<StoredEntry>;
  /** The whole content. */
  readonly read: (id: string) => Promise<Uint8Array>;
  /** The facts and the beginning, with long texts and lists cut. */
  readonly peek: (id: string) => Promise<StoredPart>;
  readonly page: (id: string, page: StoredPage, maxBytes: number) => Promise<StoredPart>;
  readonly query: (id: string, query: StoredQuery, maxBytes: number) => Promise<StoredPart>;
  /** Newest first. */
  readonly list: () => Promise<readonly StoredEntry[]>;
  readonly remove: (id: string) => Promise<boolean>;
}
