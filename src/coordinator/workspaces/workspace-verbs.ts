// The verbs on workspaces: their requests, and how they are called.
import type { FileFacts, WorkspaceSummary } from "../../contracts/index.js";

export interface RemoveWorkspaceRequest {
  readonly workspace: string;
}

export interface RemoveInactiveWorkspacesRequest {
  /** Those that nobody used for so many days. */
  readonly days: number;
}

export interface ListWorkspaceFilesRequest {
  /** @default the setting `workspace` */
  readonly workspace?: string | undefined;
  /** A folder of it, as programs write it. @default all of it */
  readonly path?: string | undefined;
}

export interface ReadWorkspaceFileRequest {
  /** @default the setting `workspace` */
  readonly workspace?: string | undefined;
  readonly path: string;
}

export interface WorkspaceVerbs {
  /** The workspaces that are kept, sorted by name. */
  readonly listWorkspaces: () => Promise<readonly WorkspaceSummary[]>;
  /** Removes a workspace with its files, memory, sessions and runs; false when there is none. */
  readonly removeWorkspace: (request: RemoveWorkspaceRequest) => Promise<boolean>;
  /** Removes the workspaces that nobody used for a while; returns their names. */
  readonly removeInactiveWorkspaces: (request: RemoveInactiveWorkspacesRequest) => Promise<readonly string[]>;
  /** The files and folders of a workspace, sorted by path. One that is not there has none. */
  readonly listWorkspaceFiles: (request?: ListWorkspaceFilesRequest) => Promise<readonly FileFacts[]>;
  /** The bytes of a file. */
  readonly readWorkspaceFile: (request: ReadWorkspaceFileRequest) => Promise<Uint8Array>;
}
