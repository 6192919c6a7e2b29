// The skills of one workspace: its own, and below them the ones that all workspaces share; and how often each was used.
import { join } from "node:path";
import {
  defaultWorkspace,
  once,
  type ProgramDiagnostic,
  type Settings,
  type SkillStore,
  type Store,
  skillsServer,
} from "../../contracts/index.js";
import { checkName, openLayeredSkills, openSkills, openUseCounts, toFileName } from "../../store/index.js";
import { openUses, toUseName } from "../host/count-uses.js";

export interface SkillShelf {
  /** In the default workspace what is saved is shared: that is the operator's. */
  readonly open: () => Promise<SkillStore>;
  /** For who comes in over HTTP: what is saved belongs to the workspace. */
  readonly openForCaller: () => Promise<SkillStore>;
  readonly noteUse: (path: string) => void;
  /** Path → runs of this workspace that completed. */
  readonly readUses: () => Promise<(path: string) => number>;
  readonly flush: () => Promise<void>;
  /** What the check said of a text with the tools as they were. */
  readonly verdicts: Map<
    string,
    { readonly diagnostics: readonly ProgramDiagnostic[]; readonly isGuessed?: boolean | undefined }
  >;
}

interface ShelfOptions {
  readonly settings: Settings;
  readonly workspace: string;
  /** Where uses are counted. */
  readonly usesFolder: string;
  readonly openStore: () => Promise<Store>;
}

export const openSkillShelf = ({ settings, workspace, usesFolder, openStore }: ShelfOptions): SkillShelf => {
  const { skillsFolder, stateFolder, syncToDisk: isSynced } = settings;
  const ownFolder = join(stateFolder, "workspaces", toFileName(checkName("workspace", workspace)), "skills");
  const counts = openUseCounts(usesFolder);
  const uses = openUses(counts);
  // Several folders of skills may share one state folder.
  const toName = (path: string): { readonly server: string; readonly name: string } => ({
    server: skillsServer,
    name: join(skillsFolder, path),
  });
  const openFolders = once(() =>
    Promise.all([
      openSkills({ folder: ownFolder, isSynced }),
      openSkills({ folder: skillsFolder, isSynced }),
    ]),
  );
  const openLayers = async (maySaveShared: boolean): Promise<SkillStore> => {
    const [own, shared] = await openFolders();
    // A workspace that holds nothing but skills is listed and removed like any other.
    const prepare = async (): Promise<unknown> => (await openStore()).openWorkspace(workspace);
    return openLayeredSkills({ own, shared, maySaveShared, prepare });
  };
  return {
    open: once(() => openLayers(workspace === defaultWorkspace)),
    openForCaller: once(() => openLayers(false)),
    noteUse: (path) => uses.note(toName(path)),
    readUses: async () => {
      await uses.flush();
      const known = await counts.read();
      return (path) => known.get(toUseName(toName(path))) ?? 0;
    },
    flush: uses.flush,
    verdicts: new Map(),
  };
};
