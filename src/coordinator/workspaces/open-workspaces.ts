// Opens workspaces by name.
import type { Settings, Store, Workspace } from "../../contracts/index.js";

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
