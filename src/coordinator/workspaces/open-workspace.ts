// The workspace of a run: whose files, memory and states a program sees, and whose sessions.
import type { RunRequest, Workspace } from "../../contracts/index.js";
import { checkName, toWorkspacePath } from "../../store/index.js";
import type { Host } from "../host/host.js";

interface WorkspaceRules {
  readonly open: () => Promise<Workspace>;
  readonly toPath: (path: string) => string;
}

/** Opened with the first file that the program asks for. Throws NAME_INVALID at once. */
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

/** What the workspace of a run is called. Throws NAME_INVALID. */
export const toWorkspaceName = (host: Host, { workspace }: Pick<RunRequest, "workspace">): string =>
  checkName("workspace", workspace ?? host.configuration.settings.workspace);

/** What a session is called among those of every customer: no customer can reach another's by its name. */
export const toSessionName = (
  host: Host,
  { session, workspace }: { readonly session: string; readonly workspace?: string | undefined },
): string => {
  const name = toWorkspaceName(host, workspace === undefined ? {} : { workspace });
  return name === toWorkspaceName(host, {}) ? session : `${name}/${session}`;
};
