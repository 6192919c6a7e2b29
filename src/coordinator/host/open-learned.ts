// The skills, result types and use counts of one workspace. No other workspace sees them.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { joinShapes, openShapeTracker } from "../../catalog/index.js";
import {
  defaultWorkspace,
  once,
  type ProgramDiagnostic,
  type Settings,
  type SkillStore,
  type Store,
  skillsServer,
} from "../../contracts/index.js";
import {
  checkName,
  openLayeredSkills,
  openShapeStore,
  openSkills,
  openUseCounts,
  toFileName,
} from "../../store/index.js";
import { openSkillSigning, type SkillSigning } from "../skills/sign-skills.js";
import type { Host } from "./host.js";
import { openLearnedShapes, openUses, toUseName } from "./learned-shapes.js";

export type Learned = Pick<Host, "skills" | "shapes" | "uses" | "searchCache">;

/** The workspace's part of the cache folder. Throws NAME_INVALID. */
export const toLearnedFolder = ({ cacheFolder }: Pick<Settings, "cacheFolder">, workspace: string): string =>
  workspace === defaultWorkspace
    ? cacheFolder
    : join(cacheFolder, "workspaces", toFileName(checkName("workspace", workspace)));

/** How often each tool was called in the configured workspace. */
export const readUseCounts = (settings: Settings): Promise<ReadonlyMap<string, number>> =>
  openUseCounts(toLearnedFolder(settings, settings.workspace)).read();

interface LearnedOptions {
  readonly settings: Settings;
  readonly openStore: () => Promise<Store>;
}

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

/** The skills of one workspace, layered over the shared ones, with use counts. */
const openWorkspaceSkills = (
  { settings, openStore }: LearnedOptions,
  workspace: string,
  usesFolder: string,
): WorkspaceSkills => {
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

const openLearned = (options: LearnedOptions, workspace: string): Learned => {
  const { settings } = options;
  const folder = toLearnedFolder(settings, workspace);
  const usesFolder = join(workspace === defaultWorkspace ? settings.stateFolder : folder, "skill-uses");
  return {
    skills: openWorkspaceSkills(options, workspace, usesFolder),
    shapes: openLearnedShapes({ tracker: openShapeTracker(), store: openShapeStore({ folder, joinShapes }) }),
    uses: openUses(openUseCounts(folder)),
    searchCache: {},
  };
};

const flush = async ({ skills, shapes, uses }: Learned): Promise<void> => {
  await Promise.all([skills.flush(), shapes.flush(), uses.flush()]);
};

export interface LearnedByWorkspace {
  readonly of: (workspace: string) => Learned;
  /** Called after a workspace was removed. */
  readonly forget: (workspace: string) => Promise<void>;
  readonly flush: () => Promise<void>;
}

const maxOpen = 100;

export const openLearnedByWorkspace = (options: LearnedOptions): LearnedByWorkspace => {
  const open = new Map<string, Learned>();
  let writing: Promise<unknown> = Promise.resolve();
  return {
    of: (workspace) => {
      const known = open.get(workspace) ?? openLearned(options, workspace);
      open.delete(workspace);
      open.set(workspace, known);
      const [oldest] = open;
      if (open.size > maxOpen && oldest !== undefined) {
        open.delete(oldest[0]);
        writing = Promise.all([writing, flush(oldest[1])]);
      }
      return known;
    },
    forget: async (workspace) => {
      if (workspace === defaultWorkspace) return;
      const known = open.get(workspace);
      open.delete(workspace);
      if (known !== undefined) await flush(known);
      await rm(toLearnedFolder(options.settings, workspace), { recursive: true, force: true });
    },
    flush: async () => {
      await Promise.all([writing, ...[...open.values()].map(flush)]);
    },
  };
};
