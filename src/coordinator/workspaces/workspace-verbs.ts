// The workspace verbs and their requests.
import type { FileFacts, WorkspaceSummary } from "../../contracts/index.js";

export interface RemoveWorkspaceRequest {
  readonly workspace: string;
}

export interface RemoveInactiveWorkspacesRequest {
  /** Remove workspaces that nobody used for this many days. */
  readonly days: number;
}

export interface ListWorkspaceFilesRequest {
  /** @default the setting `workspace` */
  readonly workspace?: string | undefined;
  /** A folder of the workspace, as programs write it. @default the whole workspace */
  readonly path?: string | undefined;
}

export interface ReadWorkspaceFileRequest {
  /** @default the setting `workspace` */
  readonly workspace?: string | undefined;
  readonly path: string;
}

export interface WorkspaceVerbs {
  /** Lists the stored workspaces, sorted by name. */
  readonly listWorkspaces: () => Promise<readonly WorkspaceSummary[]>;
  /** Removes a workspace with its files, memory, sessions and runs. Returns false if it does not exist. */
  readonly removeWorkspace: (request: RemoveWorkspaceRequest) => Promise<boolean>;
  /** Removes workspaces that have not been used for a number of days. Returns their names. */
  readonly removeInactiveWorkspaces: (request: RemoveInactiveWorkspacesRequest) => Promise<readonly string[]>;
  /** Lists the files and folders of a workspace, sorted by path. A missing workspace has none. */
  readonly listWorkspaceFiles: (request?: ListWorkspaceFilesRequest) => Promise<readonly FileFacts[]>;
  /** Reads the bytes of a file. */
  readonly readWorkspaceFile: (request: ReadWorkspaceFileRequest) => Promise<Uint8Array>;
}
