// Lists workspaces and their files, and removes workspaces.
import {
  CoordinatorError,
  type FileFacts,
  type Workspace,
  type WorkspaceSummary,
} from "../../contracts/index.js";
import { checkName, toDaysAgo, toWorkspacePath } from "../../store/index.js";
import type { Host } from "../host/host.js";

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

export const listWorkspaces = async (host: Host): Promise<readonly WorkspaceSummary[]> =>
  (await host.openStore()).listWorkspaces();

export const removeWorkspace = async (
  host: Host,
  { workspace }: RemoveWorkspaceRequest,
): Promise<boolean> => {
  const isRemoved = await (await host.openStore()).removeWorkspace(workspace);
  if (isRemoved) await host.forgetLearned(workspace);
  return isRemoved;
};

export const removeInactiveWorkspaces = async (
  host: Host,
  { days }: RemoveInactiveWorkspacesRequest,
): Promise<readonly string[]> => {
  const since = toDaysAgo(days);
  const removed = await (await host.openStore()).removeInactive({ since });
  for (const workspace of removed) await host.forgetLearned(workspace);
  return removed;
};

export const listWorkspaceFiles = async (
  host: Host,
  { workspace, path = "" }: ListWorkspaceFilesRequest = {},
): Promise<readonly FileFacts[]> => {
  const found = await findWorkspace(host, workspace);
  return found === undefined ? [] : found.files.readdir(toWorkspacePath(path), { recursive: true });
};

export const readWorkspaceFile = async (
  host: Host,
  { workspace, path }: ReadWorkspaceFileRequest,
): Promise<Uint8Array> => {
  const found = await findWorkspace(host, workspace);
  if (found !== undefined) return found.files.readFile(toWorkspacePath(path));
  throw new CoordinatorError("FILE_FAILED", `Cannot read "${path}": there is no such workspace`, {
    hint: "List the workspaces to see their names.",
  });
};

/** Does not create the workspace. */
const findWorkspace = async (
  host: Host,
  given = host.configuration.settings.workspace,
): Promise<Workspace | undefined> => {
  const name = checkName("workspace", given);
  const store = await host.openStore();
  const isThere = (await store.listWorkspaces()).some((one) => one.name === name);
  return isThere ? store.openWorkspace(name) : undefined;
};
