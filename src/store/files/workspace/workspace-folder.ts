// The folder of one workspace: opens folders in it without following links, serializes changes, and counts how much of its limits is used.
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import {
  CoordinatorError,
  type FileFacts,
  type Limits,
  type WorkspaceUsage,
} from "../../../contracts/index.js";
import { fileFailed, isSameName } from "../../check-input.js";
import { withLock } from "../../with-lock.js";
import { type AnchoredFolder, openFolder } from "./anchored-folder.js";

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

interface WorkspaceQuotaOptions {
  /** Where the counts are stored. */
  readonly file: string;
  /** Counts the real usage. */
  readonly count: () => WorkspaceUsage;
  readonly limits: { readonly workspaceBytes: number; readonly workspaceFiles: number };
}

/** Every method requires the lock. */
export interface WorkspaceQuota {
  readonly read: () => WorkspaceUsage;
  /** Call before adding something. Throws LIMIT_WORKSPACE if it does not fit. */
  readonly add: (more: WorkspaceUsage) => void;
  /** Call after removing something, or after a failed addition. */
  readonly subtract: (less: WorkspaceUsage) => void;
}

const paddedLength = 63;

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

const openWorkspaceQuota = ({ file, count, limits }: WorkspaceQuotaOptions): WorkspaceQuota => {
  // Users add files by hand, and a process may die between a change and its count: each process counts once.
  let isCounted = false;

  const write = (usage: WorkspaceUsage): WorkspaceUsage => {
    // In place and with a fixed length: some systems write a truncated or replaced file to disk at once.
    const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      writeSync(descriptor, `${JSON.stringify(usage).padEnd(paddedLength)}\n`, 0);
    } finally {
      closeSync(descriptor);
    }
    return usage;
  };
  const recount = (): WorkspaceUsage => {
    isCounted = true;
    return write(count());
  };
  const readKnown = (): WorkspaceUsage | undefined => {
    if (!isCounted) return undefined;
    try {
      const { bytes, files } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      return isCount(bytes) && isCount(files) ? { bytes, files } : undefined;
    } catch {
      return undefined;
    }
  };
  const read = (): WorkspaceUsage => readKnown() ?? recount();
  const fits = (usage: WorkspaceUsage, more: WorkspaceUsage): boolean =>
    (more.bytes <= 0 || usage.bytes + more.bytes <= limits.workspaceBytes) &&
    (more.files <= 0 || usage.files + more.files <= limits.workspaceFiles);

  return {
    read,
    add: (more) => {
      let usage = read();
      if (!fits(usage, more)) usage = recount();
      if (!fits(usage, more)) throw workspaceFull(usage, more, limits);
      write({ bytes: usage.bytes + more.bytes, files: usage.files + more.files });
    },
    subtract: (less) => {
      if (less.bytes === 0 && less.files === 0) return;
      const usage = readKnown();
      // A recount already excludes what was removed.
      if (usage === undefined) recount();
      else
        write({ bytes: Math.max(0, usage.bytes - less.bytes), files: Math.max(0, usage.files - less.files) });
    },
  };
};

const workspaceFull = (
  usage: WorkspaceUsage,
  more: WorkspaceUsage,
  limits: WorkspaceQuotaOptions["limits"],
): CoordinatorError => {
  const isFiles = usage.files + more.files > limits.workspaceFiles && more.files > 0;
  const [limit, used, max] = isFiles
    ? ["workspaceFiles", `${usage.files} files and folders`, limits.workspaceFiles]
    : ["workspaceBytes", `${usage.bytes} bytes, ${more.bytes} more are needed`, limits.workspaceBytes];
  return new CoordinatorError(
    "LIMIT_WORKSPACE",
    `Cannot write to the workspace: it has ${used}, and limits.${limit} allows ${max}`,
    { details: { limit } },
  );
};
