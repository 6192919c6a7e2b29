// The workspaces that are kept: which there are, what is in them, and removing them.
import {
  CoordinatorError,
  type FileFacts,
  type Workspace,
  type WorkspaceSummary,
} from "../contracts/index.js";
import { checkName, toDaysAgo, toWorkspacePath } from "../store/index.js";
import type { Rooms } from "./opening/rooms.js";
import type {
  ListWorkspaceFilesRequest,
  ReadWorkspaceFileRequest,
  RemoveInactiveWorkspacesRequest,
  RemoveWorkspaceRequest,
} from "./workspace-verbs.js";

export const listWorkspaces = async (rooms: Rooms): Promise<readonly WorkspaceSummary[]> =>
  (await rooms.openStore()).listWorkspaces();

export const removeWorkspace = async (
  rooms: Rooms,
  { workspace }: RemoveWorkspaceRequest,
): Promise<boolean> => {
  const isRemoved = await (await rooms.openStore()).removeWorkspace(workspace);
  if (isRemoved) await rooms.forgetLearned(workspace);
  return isRemoved;
};

export const removeInactiveWorkspaces = async (
  rooms: Rooms,
  { days }: RemoveInactiveWorkspacesRequest,
): Promise<readonly string[]> => {
  const since = toDaysAgo(days);
  const removed = await (await rooms.openStore()).removeInactive({ since });
  for (const workspace of removed) await rooms.forgetLearned(workspace);
  return removed;
};

export const listWorkspaceFiles = async (
  rooms: Rooms,
  { workspace, path = "" }: ListWorkspaceFilesRequest = {},
): Promise<readonly FileFacts[]> => {
  const found = await findWorkspace(rooms, workspace);
  return found === undefined ? [] : found.files.readdir(toWorkspacePath(path), { recursive: true });
};

export const readWorkspaceFile = async (
  rooms: Rooms,
  { workspace, path }: ReadWorkspaceFileRequest,
): Promise<Uint8Array> => {
  const found = await findWorkspace(rooms, workspace);
  if (found !== undefined) return found.files.readFile(toWorkspacePath(path));
  throw new CoordinatorError("FILE_FAILED", `Cannot read "${path}": there is no such workspace`, {
    hint: "List the workspaces that there are.",
  });
};

/** Looking for one does not make it. */
const findWorkspace = async (
  rooms: Rooms,
  given = rooms.configuration.settings.workspace,
): Promise<Workspace | undefined> => {
  const name = checkName("workspace", given);
  const store = await rooms.openStore();
  const isThere = (await store.listWorkspaces()).some((one) => one.name === name);
  return isThere ? store.openWorkspace(name) : undefined;
};
