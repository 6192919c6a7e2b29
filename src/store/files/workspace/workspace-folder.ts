// The folder of one workspace: opens folders in it without following links, and serializes changes.
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { FileFacts, Limits } from "../../../contracts/index.js";
import { withLock } from "../../with-lock.js";
import { fileFailed, isSameName } from "../../workspace-path.js";
import { type AnchoredFolder, openFolder } from "./anchored-folder.js";
import { openWorkspaceQuota, type WorkspaceQuota } from "./workspace-usage.js";

export interface WorkspaceFolderOptions {
  /** The state folder. */
  readonly root: string;
  /** The workspace's folder, as names below the root. */
  readonly names: readonly string[];
  readonly limits: Pick<Limits, "workspaceBytes" | "workspaceFiles" | "fileBytes">;
  /** Wait for the disk before a file gets its name. */
  readonly isSynced?: boolean | undefined;
  /** Open folders as on systems without /proc; for tests. */
  readonly isByPath?: boolean | undefined;
}

export interface WorkspaceFolder {
  readonly limits: WorkspaceFolderOptions["limits"];
  readonly isSynced: boolean;
  readonly open: (names: readonly string[]) => AnchoredFolder;
  /** Creates missing folders. Requires the lock. */
  readonly openOrCreate: (names: readonly string[], verb: string) => AnchoredFolder;
  /** Where files are written before they get their names; programs cannot see it. */
  readonly openDrafts: () => AnchoredFolder;
  /** Runs under the lock: one process at a time changes files. */
  readonly change: <Result>(work: (usage: WorkspaceQuota) => Result | Promise<Result>) => Promise<Result>;
}

/** Refuses a new name that equals an existing one on a case-insensitive system. */
export const refuseSameName = (
  siblings: readonly string[],
  name: string,
  {
    verb,
    path,
    except,
  }: { readonly verb: string; readonly path: string; readonly except?: string | undefined },
): void => {
  const same = siblings.find((other) => other !== name && other !== except && isSameName(other, name));
  if (same !== undefined)
    throw fileFailed(verb, path, "EEXIST", `"${same}" exists, which is the same name on other systems`);
};

export const openWorkspaceFolder = (options: WorkspaceFolderOptions): WorkspaceFolder => {
  const { root, names: base, limits, isSynced = false, isByPath = false } = options;
  const folder = join(root, ...base);
  const walk = { root, isByPath };
  const open = (names: readonly string[]): AnchoredFolder =>
    openFolder({ ...walk, names: [...base, "files", ...names], shown: names.join("/") });

  const usage = openWorkspaceQuota({
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
    openOrCreate: (names, verb) =>
      openFolder({
        ...walk,
        names: [...base, "files", ...names],
        shown: names.join("/"),
        onMissing: ({ depth, siblings }) => {
          const index = depth - base.length - 1;
          if (index < 0) return;
          refuseSameName(siblings(), names[index] ?? "", { verb, path: names.slice(0, index + 1).join("/") });
          usage.add({ bytes: 0, files: 1 });
        },
      }),
    openDrafts: () =>
      openFolder({ ...walk, names: [...base, "drafts"], shown: "drafts", onMissing: () => undefined }),
    change: (work) => withLock(join(folder, "locks", "files"), () => work(usage)),
  };
};

/** Undefined if the folder has no such entry. */
export const statEntry = (folder: AnchoredFolder, name: string): Stats | undefined =>
  lstatSync(folder.at(name), { throwIfNoEntry: false });

export const listNames = (folder: AnchoredFolder): readonly string[] => readdirSync(folder.at(""));

export const toFacts = (path: string, stats: Stats): FileFacts => ({
  path,
  kind: stats.isDirectory() ? "folder" : "file",
  bytes: stats.isDirectory() ? 0 : stats.size,
  modifiedAt: new Date(stats.mtimeMs).toISOString(),
});

/** The files and folders of one open folder, sorted by name; links and devices are left out. */
export const listFolder = (folder: AnchoredFolder, path: string): readonly FileFacts[] => {
  const names = [...listNames(folder)];
  folder.check();
  return names.sort().flatMap((name) => {
    const stats = statEntry(folder, name);
    if (stats === undefined || !(stats.isDirectory() || stats.isFile())) return [];
    return [toFacts(path === "" ? name : `${path}/${name}`, stats)];
  });
};

/** The same with everything below. A folder that is removed in the meantime counts as empty. */
export const listTree = (open: (path: string) => AnchoredFolder, path: string): readonly FileFacts[] => {
  const folder = open(path);
  let entries: readonly FileFacts[];
  try {
    entries = listFolder(folder, path);
  } finally {
    folder.close();
  }
  return entries.flatMap((entry) =>
    entry.kind === "folder" ? [entry, ...listBelow(open, entry.path)] : [entry],
  );
};

const listBelow = (open: (path: string) => AnchoredFolder, path: string): readonly FileFacts[] => {
  try {
    return listTree(open, path);
  } catch {
    return [];
  }
};
