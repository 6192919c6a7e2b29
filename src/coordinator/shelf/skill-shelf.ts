// The skills as the rooms have them: their store, opened when it is first needed, their counts of use, what checks have said.
import { join } from "node:path";
import {
  type ProgramDiagnostic,
  type Settings,
  type SkillStore,
  skillsServer,
  type UseCounts,
} from "../../contracts/index.js";
import { openSkills, openUseCounts } from "../../store/index.js";
import { openUses, toUseName } from "../opening/count-uses.js";

export interface SkillShelf {
  readonly open: () => Promise<SkillStore>;
  readonly noteUse: (path: string) => void;
  /** Path → runs that completed. */
  readonly readUses: () => Promise<(path: string) => number>;
  readonly flush: () => Promise<void>;
  /** What the check said of a text with the tools as they were. */
  readonly verdicts: Map<
    string,
    { readonly diagnostics: readonly ProgramDiagnostic[]; readonly isGuessed?: boolean }
  >;
}

export const openSkillShelf = ({ skillsFolder, stateFolder, syncToDisk }: Settings): SkillShelf => {
  let opening: Promise<SkillStore> | undefined;
  const counts: UseCounts = openUseCounts(join(stateFolder, "skill-uses"));
  const uses = openUses(counts);
  // Several folders of skills may share one state folder.
  const toName = (path: string): { readonly server: string; readonly name: string } => ({
    server: skillsServer,
    name: join(skillsFolder, path),
  });
  return {
    open: () => {
      opening ??= openSkills({ folder: skillsFolder, isSynced: syncToDisk });
      return opening;
    },
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
