// What a customer's programs share between runs: files, remembered values, named states.
import type { Json, JsonObject } from "./json.js";

/** The operator's own workspace: its skills are the shared ones. */
export const defaultWorkspace = "default";

/** Something in a workspace. */
export interface FileFacts {
  /** From the workspace's root, with forward slashes. */
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
 * The files of one workspace, as `fs/promises` has them. Paths are relative with forward slashes; "" is the root. A path that leads out,
 * or that some system reads as another one, throws PATH_DENIED; what the files do not allow throws FILE_FAILED with the system's name
 * for it in `details.errno` ("ENOENT", "EEXIST", "EISDIR", "ENOTDIR", "ENOTEMPTY", "EINVAL"); a full workspace throws LIMIT_WORKSPACE.
 */
export interface WorkspaceFiles {
  /** The bytes, or those of a range; less than asked for at the file's end. */
  readonly readFile: (
    path: string,
    range?: { readonly offset?: number | undefined; readonly length?: number | undefined },
  ) => Promise<Uint8Array>;
  /**
   * All or nothing: a reader sees the old content or the new, also of content that comes in parts. Missing folders are made. `isNew`
   * fails when the file is there.
   */
  readonly writeFile: (
    path: string,
    content: string | Uint8Array | AsyncIterable<Uint8Array>,
    options?: { readonly isNew?: boolean | undefined },
  ) => Promise<void>;
  readonly appendFile: (path: string, content: string | Uint8Array) => Promise<void>;
  readonly mkdir: (path: string, options?: { readonly recursive?: boolean | undefined }) => Promise<void>;
  /** Sorted by path. Links and devices that someone put there are left out. */
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
  /** Removes a folder that is empty. */
  readonly rmdir: (path: string) => Promise<void>;
  /** Replaces a file of the new name, never a folder. */
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
  /** Another one after every change. */
  readonly revision: string;
}

export interface MemoryEntry extends MemoryInfo {
  readonly value: Json;
}

/** Values by key. Every change is atomic, also between processes. A key that cannot be one throws NAME_INVALID. */
export interface Memory {
  readonly save: (key: string, value: Json, metadata?: JsonObject) => Promise<MemoryInfo>;
  /** Undefined when nothing is there. */
  readonly load: (key: string) => Promise<MemoryEntry | undefined>;
  /**
   * Saves when the key still has this revision (undefined: when it does not exist); otherwise changes nothing and returns undefined.
   * It is how a program updates from behind its wall: no lock waits for foreign code.
   */
  readonly replace: (
    key: string,
    value: Json,
    revision: string | undefined,
  ) => Promise<MemoryInfo | undefined>;
  /** Loads, changes, replaces; again when another was faster, so `change` may be called more than once. */
  readonly update: (
    key: string,
    change: (value: Json | undefined) => Json | Promise<Json>,
  ) => Promise<MemoryEntry>;
  /** False when nothing was there. */
  readonly delete: (key: string) => Promise<boolean>;
  /** Sorted by key. */
  readonly list: (prefix?: string) => Promise<readonly MemoryInfo[]>;
  readonly exists: (key: string) => Promise<boolean>;
  readonly info: (key: string) => Promise<MemoryInfo | undefined>;
}

export type SavedState =
  | { readonly exists: false }
  | { readonly exists: true; readonly value: Json; readonly savedAt: string };

/** Named JSON values that are files of the workspace, `state/<name>.json`, so that programs and people can read them. */
export interface States {
  readonly get: (name?: string) => Promise<SavedState>;
  /** Returns the file's path in the workspace. */
  readonly save: (value: Json, name?: string) => Promise<string>;
}
