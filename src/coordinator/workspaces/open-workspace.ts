// The workspace of a run: its files, memory and sessions.
import type { RunRequest, Workspace } from "../../contracts/index.js";
import { checkName, toWorkspacePath } from "../../store/index.js";
import type { Host } from "../host/host.js";

interface WorkspaceRules {
  readonly open: () => Promise<Workspace>;
  readonly toPath: (path: string) => string;
}

/** Opens the workspace when the program first uses a file. Throws NAME_INVALID at once. */
export const toWorkspaceRules = (host: Host, request: Pick<RunRequest, "workspace">): WorkspaceRules => {
  const name = toWorkspaceName(host, request);
  let opened: Promise<Workspace> | undefined;
  return {
    open: () => {
      opened ??= host.openStore().then((store) => store.openWorkspace(name));
      return opened;
    },
    toPath: toWorkspacePath,
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
