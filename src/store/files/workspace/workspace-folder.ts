// Where the files of one workspace lie, and the ways into it: every folder on the way is opened without following a link.
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Limits } from "../../../contracts/index.js";
import { fileFailed } from "../../file-error.js";
import { withLock } from "../../with-lock.js";
import { isSameName } from "../../workspace-path.js";
import { type AnchoredFolder, openFolder } from "./anchored-folder.js";
import { listTree } from "./list-tree.js";
import { openUsageBook, type UsageBook } from "./workspace-usage.js";

export interface FilesPlaceOptions {
  /** The state folder. */
  readonly root: string;
  /** The workspace's folder, as names below the root. */
  readonly names: readonly string[];
  readonly limits: Pick<Limits, "workspaceBytes" | "workspaceFiles" | "fileBytes">;
  /** Wait for the disk before a file takes its name. */
  readonly isSynced?: boolean;
  /** Walk as on systems that have no names for open folders; for tests. */
  readonly isByPath?: boolean;
}

export interface FilesPlace {
  readonly limits: FilesPlaceOptions["limits"];
  readonly isSynced: boolean;
  /** Opens a folder of the workspace. */
  readonly open: (names: readonly string[]) => AnchoredFolder;
  /** The same, making what is missing; only under the lock. */
  readonly openOrMake: (names: readonly string[], verb: string) => AnchoredFolder;
  /** Where files are written before they take their names: programs do not see it. */
  readonly openDrafts: () => AnchoredFolder;
  /** One process at a time changes files. */
  readonly change: <Result>(work: (usage: UsageBook) => Result | Promise<Result>) => Promise<Result>;
}

/** Refuses a new name that a system without difference of case would take for one that is there. */
export const refuseTwin = (
  siblings: readonly string[],
  name: string,
  { verb, path, except }: { readonly verb: string; readonly path: string; readonly except?: string },
): void => {
  const twin = siblings.find((other) => other !== name && other !== except && isSameName(other, name));
  if (twin !== undefined)
    throw fileFailed(verb, path, "EEXIST", `"${twin}" is there, which is the same name on other systems`);
};

export const openFilesPlace = (options: FilesPlaceOptions): FilesPlace => {
  const { root, names: base, limits, isSynced = false, isByPath = false } = options;
  const folder = join(root, ...base);
  const walk = { root, isByPath };
  const open = (names: readonly string[]): AnchoredFolder =>
    openFolder({ ...walk, names: [...base, "files", ...names], shown: names.join("/") });

  const usage = openUsageBook({
    file: join(folder, "usage.json"),
    limits,
    count: () => {
      const entries = listTree((path) => open(path === "" ? [] : path.split("/")), "");
      return { files: entries.length, bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
  });

  return {
    limits,
    isSynced,
    open,
    openOrMake: (names, verb) =>
      openFolder({
        ...walk,
        names: [...base, "files", ...names],
        shown: names.join("/"),
        onMissing: ({ depth, siblings }) => {
          const place = depth - base.length - 1;
          if (place < 0) return;
          refuseTwin(siblings(), names[place] ?? "", { verb, path: names.slice(0, place + 1).join("/") });
          usage.take({ bytes: 0, files: 1 });
        },
      }),
    openDrafts: () =>
      openFolder({ ...walk, names: [...base, "drafts"], shown: "drafts", onMissing: () => undefined }),
    change: (work) => withLock(join(folder, "locks", "files"), () => work(usage)),
  };
};

/** What has this name in the folder. */
export const lookAt = (folder: AnchoredFolder, name: string): Stats | undefined =>
  lstatSync(folder.at(name), { throwIfNoEntry: false });

export const namesIn = (folder: AnchoredFolder): readonly string[] => readdirSync(folder.at(""));
