// What runs of one workspace share: files, memory, named states.
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

export type SavedState =
  | { readonly exists: false }
  | { readonly exists: true; readonly value: Json; readonly savedAt: string };

/** Named JSON values stored as workspace files, `state/<name>.json`, so that programs and people can read them. */
export interface States {
  readonly get: (name?: string) => Promise<SavedState>;
  /** Returns the file's path in the workspace. */
  readonly save: (value: Json, name?: string) => Promise<string>;
}
