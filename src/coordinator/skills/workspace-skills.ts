// The skills of one workspace, layered over the shared ones, with use counts.
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
import { openUses, toUseName } from "../host/learned-shapes.js";
import { openSkillSigning, type SkillSigning } from "./sign-skills.js";

export interface WorkspaceSkills {
  /** Saving in the default workspace shares the skill: it belongs to the operator. */
  readonly open: () => Promise<SkillStore>;
  /** For HTTP callers: a saved skill belongs to the workspace. */
  readonly openForCaller: () => Promise<SkillStore>;
  readonly noteUse: (path: string) => void;
  /** Path → completed runs of this workspace. */
  readonly readUses: () => Promise<(path: string) => number>;
  readonly flush: () => Promise<void>;
  readonly signing: SkillSigning;
  /** The check results of a text with its tools at that time. */
  readonly verdicts: Map<
    string,
    { readonly diagnostics: readonly ProgramDiagnostic[]; readonly isGuessed?: boolean | undefined }
  >;
}

interface WorkspaceSkillsOptions {
  readonly settings: Settings;
  readonly workspace: string;
  /** The folder of the use counts. */
  readonly usesFolder: string;
  readonly openStore: () => Promise<Store>;
}

export const openWorkspaceSkills = ({
  settings,
  workspace,
  usesFolder,
  openStore,
}: WorkspaceSkillsOptions): WorkspaceSkills => {
  const { skillsFolder, stateFolder, syncToDisk: isSynced } = settings;
  const ownFolder = join(stateFolder, "workspaces", toFileName(checkName("workspace", workspace)), "skills");
  const counts = openUseCounts(usesFolder);
  const uses = openUses(counts);
  // Several skill folders may share one state folder.
  const toName = (path: string): { readonly server: string; readonly name: string } => ({
    server: skillsServer,
    name: join(skillsFolder, path),
  });
  const own = openSkills({ folder: ownFolder, isSynced });
  const shared = openSkills({ folder: skillsFolder, isSynced });
  const openLayers = async (maySaveShared: boolean): Promise<SkillStore> => {
    // A workspace that contains only skills is listed and removed like any other.
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
    signing: openSkillSigning({ stateFolder, own: ownFolder, shared: skillsFolder }),
    verdicts: new Map(),
  };
};
