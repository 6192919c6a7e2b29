// The workspace of a run: its files, memory and sessions.
import type { RunRequest, Settings, Store, Workspace, WorkspaceCopy } from "../../contracts/index.js";
import { checkName, toWorkspacePath } from "../../store/index.js";
import type { Host } from "../host/host.js";

interface WorkspaceRules {
  readonly open: () => Promise<Workspace>;
  readonly toPath: (path: string) => string;
  /** Removes the copy that a simulated run worked on. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the workspace when the program first uses a file. A simulated run gets a copy, so that it does not store made-up values.
 * Throws NAME_INVALID at once.
 */
export const toWorkspaceRules = (
  host: Host,
  request: Pick<RunRequest, "workspace" | "simulate">,
): WorkspaceRules => {
  const name = toWorkspaceName(host, request);
  const isCopied = request.simulate !== undefined && request.simulate !== false;
  let opened: Promise<Workspace> | undefined;
  let copied: Promise<WorkspaceCopy> | undefined;
  const open = async (): Promise<Workspace> => {
    const store = await host.openStore();
    if (!isCopied) return store.openWorkspace(name);
    copied = store.copyWorkspace(name);
    return (await copied).workspace;
  };
  return {
    open: () => {
      opened ??= open();
      return opened;
    },
    toPath: toWorkspacePath,
    close: async () => {
      await opened?.catch(() => undefined);
      const copy = await copied?.catch(() => undefined);
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
  const name = toWorkspaceName(host, workspace === undefined ? {} : { workspace });
  return name === toWorkspaceName(host, {}) ? session : `${name}/${session}`;
};

export interface Workspaces {
  /** Without a name, the workspace of the settings. Throws NAME_INVALID. */
  readonly open: (name?: string) => Promise<Workspace>;
}

export const openWorkspaces = (
  openStore: () => Promise<Store>,
  { workspace }: Pick<Settings, "workspace">,
): Workspaces => ({
  open: async (name = workspace) => (await openStore()).openWorkspace(name),
});
