// The skills, result types and use counts of one workspace. No other workspace sees them.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { joinShapes, openShapeTracker } from "../../catalog/index.js";
import { defaultWorkspace, type Settings, type Store } from "../../contracts/index.js";
import { checkName, openShapeStore, openUseCounts, toFileName } from "../../store/index.js";
import { openWorkspaceSkills } from "../skills/workspace-skills.js";
import type { Host } from "./host.js";
import { openLearnedShapes, openUses } from "./learned-shapes.js";

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

const openLearned = ({ settings, openStore }: LearnedOptions, workspace: string): Learned => {
  const folder = toLearnedFolder(settings, workspace);
  const usesFolder = join(workspace === defaultWorkspace ? settings.stateFolder : folder, "skill-uses");
  return {
    skills: openWorkspaceSkills({ settings, workspace, usesFolder, openStore }),
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
