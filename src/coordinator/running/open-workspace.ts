// The workspace of a run: whose files, memory and states a program sees, and whose sessions.
import type { RunRequest, Workspace } from "../../contracts/index.js";
import { checkName, toWorkspacePath } from "../../store/index.js";
import type { Rooms } from "../opening/rooms.js";

interface WorkspaceRules {
  readonly open: () => Promise<Workspace>;
  readonly toPath: (path: string) => string;
}

/** Opened with the first file that the program asks for. Throws NAME_INVALID at once. */
export const toWorkspaceRules = (
  rooms: Rooms,
  { workspace = rooms.configuration.settings.workspace }: Pick<RunRequest, "workspace">,
): WorkspaceRules => {
  const name = checkName("workspace", workspace);
  let opened: Promise<Workspace> | undefined;
  return {
    open: () => {
      opened ??= rooms.openStore().then((store) => store.openWorkspace(name));
      return opened;
    },
    toPath: toWorkspacePath,
  };
};

/** What a session is called among those of every customer: no customer can reach another's by its name. */
export const toSessionName = (
  rooms: Rooms,
  { session, workspace }: { readonly session: string; readonly workspace?: string | undefined },
): string => {
  const { settings } = rooms.configuration;
  const name = checkName("workspace", workspace ?? settings.workspace);
  return name === checkName("workspace", settings.workspace) ? session : `${name}/${session}`;
};
