// Workspaces: opens that of a run, lists and removes workspaces, and reads their files and the values that programs stored.
import {
  CoordinatorError,
  type FileFacts,
  once,
  type RunRequest,
  type StoredEntry,
  type StoredValues,
  type Workspace,
  type WorkspaceCopy,
  type WorkspaceSummary,
} from "../../contracts/index.js";
import { checkName, toDaysAgo, toWorkspacePath } from "../../store/index.js";
import type { Host } from "../host/host.js";
import { isSimulation } from "../runs/admit.js";

/** The workspace to remove with everything in it. */
export interface RemoveWorkspaceRequest {
  readonly workspace: string;
}

/** How long a workspace must be unused to be removed. */
export interface RemoveInactiveWorkspacesRequest {
  /** Remove workspaces that nobody used for this many days. */
  readonly days: number;
}

/** The workspace and folder whose files are listed. */
export interface ListWorkspaceFilesRequest {
  /** @default the setting `workspace` */
  readonly workspace?: string | undefined;
  /** A folder of the workspace, as programs write it. @default the whole workspace */
  readonly path?: string | undefined;
}

/** The file of a workspace to read. */
export interface ReadWorkspaceFileRequest {
  /** @default the setting `workspace` */
  readonly workspace?: string | undefined;
  readonly path: string;
}

export interface StoredValueRequest {
  readonly id: string;
  /** The workspace of the value. @default the setting `workspace` */
  readonly workspace?: string | undefined;
}

export interface StoredValue extends StoredEntry {
  readonly content: Uint8Array;
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
  /** Lists the values that programs stored, newest first. */
  readonly listStoredValues: (request?: {
    readonly workspace?: string | undefined;
  }) => Promise<readonly StoredEntry[]>;
  /** Reads one stored value with its content. */
  readonly readStoredValue: (request: StoredValueRequest) => Promise<StoredValue>;
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

/** The workspace, if it exists. Opening it would create it. */
export const findWorkspace = async (
  host: Host,
  given = host.configuration.settings.workspace,
): Promise<Workspace | undefined> => {
  const name = checkName("workspace", given);
  const store = await host.openStore();
  const isThere = (await store.listWorkspaces()).some((one) => one.name === name);
  return isThere ? store.openWorkspace(name) : undefined;
};

interface RunWorkspace {
  readonly open: () => Promise<Workspace>;
  readonly toPath: (path: string) => string;
  /** Removes the copy that a simulated run worked on. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the workspace when the program first uses a file. A simulated run gets a copy, so that it does not store made-up values.
 * Throws NAME_INVALID at once.
 */
export const openRunWorkspace = (
  host: Host,
  request: Pick<RunRequest, "workspace" | "simulate">,
): RunWorkspace => {
  const name = toWorkspaceName(host, request);
  const isCopied = isSimulation(request);
  let copy: WorkspaceCopy | undefined;
  const open = once(async (): Promise<Workspace> => {
    const store = await host.openStore();
    if (!isCopied) return store.openWorkspace(name);
    copy = await store.copyWorkspace(name);
    return copy.workspace;
  });
  return {
    open,
    toPath: toWorkspacePath,
    close: async () => {
      await open.started?.catch(() => undefined);
      await copy?.remove();
    },
  };
};

/** The name of a run's workspace. Throws NAME_INVALID. */
export const toWorkspaceName = (host: Host, { workspace }: Pick<RunRequest, "workspace">): string =>
  checkName("workspace", workspace ?? host.configuration.settings.workspace);

/** The session's name with its workspace, so that no workspace can reach another's sessions. */
export const toSessionName = (
  host: Host,
  { session, workspace }: { readonly session: string; readonly workspace?: string | undefined },
): string => {
  const name = toWorkspaceName(host, { workspace });
  return name === toWorkspaceName(host, {}) ? session : `${name}/${session}`;
};

/** Throws NAME_INVALID when opened. */
export const openValues =
  (host: Host, workspace?: string): (() => Promise<StoredValues>) =>
  async () =>
    (await openRunWorkspace(host, { workspace }).open()).storedValues;

export const listStoredValues = async (
  host: Host,
  { workspace }: { readonly workspace?: string | undefined } = {},
): Promise<readonly StoredEntry[]> => (await openValues(host, workspace)()).list();

export const readStoredValue = async (
  host: Host,
  { id, workspace }: StoredValueRequest,
): Promise<StoredValue> => {
  const values = await openValues(host, workspace)();
  const facts = await values.find(id);
  return { ...facts, content: await values.read(id) };
};
