// What the runs of one workspace share: files, memory, named states, session logs, and stored values with their handles.
import type { Language } from "./executor.js";
import type { Json, JsonObject } from "./json.js";

/** The operator's own workspace. Its skills are the shared ones. */
export const defaultWorkspace = "default";

/** A file or folder in a workspace. */
export interface FileFacts {
  /** Relative to the workspace's root, with forward slashes. */
  readonly path: string;
  readonly kind: "file" | "folder";
  readonly bytes: number;
  readonly modifiedAt: string;
}

export interface WorkspaceUsage {
  readonly bytes: number;
  /** Files and folders. */
  readonly files: number;
}

/**
 * The files of one workspace, as in `fs/promises`. Paths are relative with forward slashes; "" is the root. A path that leads out of
 * the workspace, or that another system would read differently, throws PATH_DENIED. A failed file operation throws FILE_FAILED with
 * `details.errno` ("ENOENT", "EEXIST", "EISDIR", "ENOTDIR", "ENOTEMPTY", "EINVAL"). A full workspace throws LIMIT_WORKSPACE.
 */
export interface WorkspaceFiles {
  /** The bytes, or those of a range; fewer at the end of the file. */
  readonly readFile: (
    path: string,
    range?: { readonly offset?: number | undefined; readonly length?: number | undefined },
  ) => Promise<Uint8Array>;
  /**
   * Atomic: a reader sees the old content or the new, even if content arrives in parts. Creates missing folders. `isNew` fails if the
   * file exists.
   */
  readonly writeFile: (
    path: string,
    content: string | Uint8Array | AsyncIterable<Uint8Array>,
    options?: { readonly isNew?: boolean | undefined },
  ) => Promise<void>;
  readonly appendFile: (path: string, content: string | Uint8Array) => Promise<void>;
  readonly mkdir: (path: string, options?: { readonly recursive?: boolean | undefined }) => Promise<void>;
  /** Sorted by path. Links and devices are left out. */
  readonly readdir: (
    path: string,
    options?: { readonly recursive?: boolean | undefined },
  ) => Promise<readonly FileFacts[]>;
  readonly stat: (path: string) => Promise<FileFacts>;
  readonly exists: (path: string) => Promise<boolean>;
  readonly rm: (
    path: string,
    options?: { readonly recursive?: boolean | undefined; readonly force?: boolean | undefined },
  ) => Promise<void>;
  /** Removes an empty folder. */
  readonly rmdir: (path: string) => Promise<void>;
  /** Replaces a file with the new name, never a folder. */
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly copyFile: (from: string, to: string) => Promise<void>;
  readonly usage: () => Promise<WorkspaceUsage>;
}

export interface MemoryInfo {
  readonly key: string;
  readonly metadata?: JsonObject | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly bytes: number;
  /** Changes with every write. */
  readonly revision: string;
}

export interface MemoryEntry extends MemoryInfo {
  readonly value: Json;
}

/** Values by key. Every change is atomic, also between processes. An invalid key throws NAME_INVALID. */
export interface Memory {
  readonly save: (key: string, value: Json, metadata?: JsonObject) => Promise<MemoryInfo>;
  /** Undefined if there is none. */
  readonly load: (key: string) => Promise<MemoryEntry | undefined>;
  /**
   * Saves if the key still has this revision (undefined: if it does not exist); otherwise changes nothing and returns undefined.
   * Programs in a sandbox update this way, so that no lock waits for guest code.
   */
  readonly replace: (
    key: string,
    value: Json,
    revision: string | undefined,
  ) => Promise<MemoryInfo | undefined>;
  /** Loads, changes, replaces. Retries on conflict, so `change` may be called more than once. */
  readonly update: (
    key: string,
    change: (value: Json | undefined) => Json | Promise<Json>,
  ) => Promise<MemoryEntry>;
  /** False if there was none. */
  readonly delete: (key: string) => Promise<boolean>;
  /** Sorted by key. */
  readonly list: (prefix?: string) => Promise<readonly MemoryInfo[]>;
  readonly exists: (key: string) => Promise<boolean>;
  readonly info: (key: string) => Promise<MemoryInfo | undefined>;
}

type SavedState =
  | { readonly exists: false }
  | { readonly exists: true; readonly value: Json; readonly savedAt: string };

/** Named JSON values stored as workspace files, `state/<name>.json`, so that programs and people can read them. */
export interface States {
  readonly get: (name?: string) => Promise<SavedState>;
  /** Returns the file's path in the workspace. */
  readonly save: (value: Json, name?: string) => Promise<string>;
}

/** The server name of stored values in guest calls. No configured server can have it. */
export const storedServer = "\u0000values";

/** Global names of every program. A server of the same name, or the program's own variable, takes precedence. */
export const storedNames: Readonly<Record<Language, readonly string[]>> = {
  typescript: ["keep", "stored", "kept", "peek", "page", "query", "artifact", "rows", "paginate"],
  python: ["keep", "stored", "kept", "peek", "page", "query", "artifact", "rows", "paginate"],
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
  readonly storedAt: string;
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

/** The stored values of one workspace: bounded, the oldest are removed first. An unknown id throws VALUE_UNKNOWN. */
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

/** One task of a session. The names are those of the stored JSON. */
export interface SessionTask {
  readonly task_id: string;
  readonly description: string;
  readonly code: string;
  readonly result: Json;
  readonly output: string;
  readonly timestamp: string;
  /** The run that did it. */
  readonly run_id?: string | undefined;
}

/** Where to continue. */
export interface SessionCheckpoint {
  readonly step: string | number;
  readonly last_task: string | null;
  readonly context: Json;
  readonly timestamp: string;
}

/** The log of a session's tasks, as it is stored in the workspace. */
export interface SessionLog {
  readonly session_id: string;
  /** The workspace's name. */
  readonly customer_uid: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly tasks: readonly SessionTask[];
  /** Paths in the workspace. */
  readonly state_files: readonly string[];
  readonly checkpoint: SessionCheckpoint | null;
}

export interface NewTask {
  readonly description?: string | undefined;
  readonly code: string;
  readonly result?: Json | undefined;
  readonly output?: string | undefined;
  readonly runId?: string | undefined;
  /** State files that the task wrote. */
  readonly stateFiles?: readonly string[] | undefined;
}

/** The session logs of one workspace. An unknown session throws SESSION_UNKNOWN. */
export interface SessionLogs {
  /** Starts a session, or continues the one with that name. Without a name it takes the next number. */
  readonly begin: (session?: string) => Promise<SessionLog>;
  readonly addTask: (session: string, task: NewTask) => Promise<SessionTask>;
  readonly saveCheckpoint: (
    session: string,
    checkpoint: { readonly step: string | number; readonly context?: Json | undefined },
  ) => Promise<SessionCheckpoint>;
  readonly end: (session: string) => Promise<SessionLog>;
  readonly read: (session: string) => Promise<SessionLog>;
  /** Removes a log; false if there is none. */
  readonly remove: (session: string) => Promise<boolean>;
  /** The session that was started or used last. */
  readonly current: () => Promise<SessionLog | undefined>;
  /** Newest first. */
  readonly list: () => Promise<readonly SessionLog[]>;
}
