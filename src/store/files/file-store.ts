// Implements the store with plain files: one folder per workspace, everything in it readable.
import { randomBytes } from "node:crypto";
import { constants, lstatSync } from "node:fs";
import { cp, lstat, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  CoordinatorError,
  type Json,
  type Limits,
  parseJson,
  type States,
  type Store,
  type Workspace,
  type WorkspaceFiles,
  type WorkspaceSummary,
} from "../../contracts/index.js";
import { checkDate, checkName, toFileName } from "../check-input.js";
import { formatJson, guardStore } from "../file-io.js";
import { withLock } from "../with-lock.js";
import { openMemory } from "./memory.js";
import { openRuns } from "./runs.js";
import { openSessionLogs } from "./session-logs.js";
import { openStoredValues } from "./stored-values.js";
import { openWorkspaceFiles } from "./workspace/workspace-files.js";

export interface FileStoreOptions {
  /** The state folder, created on first use. */
  readonly folder: string;
  readonly limits: Pick<
    Limits,
    | "workspaceBytes"
    | "workspaceFiles"
    | "fileBytes"
    | "memoryKeys"
    | "memoryValueBytes"
    | "storedValueBytes"
    | "storedValues"
    | "storedBytes"
  >;
  /** Days after which an unused stored value is removed. @default 7 */
  readonly storedValueDays?: number | undefined;
  /** Wait for the disk, so that a power failure loses nothing. @default false */
  readonly isSynced?: boolean | undefined;
}

const labelName = "workspace.json";
const parts = ["files", "drafts", "memory", "sessions", "runs", "values", "skills", "locks"];
/** Precision of the time of last use. */
const touchMs = 60_000;
/** A copy that is older was left by a process that was killed. */
const maxCopyMs = 24 * 60 * 60_000;

const copiedParts = ["files", "memory"];

/** Links and pipes are not copied: a workspace never opens them. */
const isPlain = async (path: string): Promise<boolean> => {
  const stats = await lstat(path);
  return stats.isFile() || stats.isDirectory();
};

/** Opens the store of a state folder. Another implementation of `Store` must pass `tests/contract/store`. */
export const openStore = ({
  folder,
  limits,
  storedValueDays = 7,
  isSynced = false,
}: FileStoreOptions): Store => {
  const root = join(folder, "workspaces");
  const locks = join(folder, "locks");
  const opened = new Map<string, { readonly workspace: Workspace; usedAt: number }>();
  const folderOf = (name: string): string => join(root, toFileName(name));

  /** A state folder that came with a project may contain links: none is followed. */
  const refuseLinks = (home: string): void => {
    const link = [root, home, ...parts.map((part) => join(home, part))].find(
      (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true,
    );
    if (link !== undefined)
      throw new CoordinatorError("PATH_DENIED", "Cannot open the workspace: one of its folders is a link");
  };

  const use = async (name: string): Promise<void> => {
    const home = folderOf(name);
    const label = join(home, labelName);
    await mkdir(join(home, "files"), { recursive: true, mode: 0o700 });
    refuseLinks(home);
    const now = new Date();
    try {
      await utimes(label, now, now);
    } catch {
      const text = `${JSON.stringify({ name, createdAt: now.toISOString() }, undefined, 2)}\n`;
      await writeFile(label, text, { mode: 0o600, flag: "wx" });
    }
  };

  /** What a program changes: the part of a workspace that can be copied. */
  const openContents = (names: readonly [string, string]): Pick<Workspace, "files" | "memory" | "states"> => {
    const files = openWorkspaceFiles({ root: folder, names, limits, isSynced });
    return {
      files,
      memory: guardStore(openMemory({ folder: join(folder, ...names), limits, isSynced })),
      states: openStates(files),
    };
  };

  const open = (name: string): Workspace => {
    const home = folderOf(name);
    return {
      name,
      ...openContents(["workspaces", toFileName(name)]),
      sessions: guardStore(openSessionLogs({ folder: home, customer: name, isSynced })),
      runs: guardStore(openRuns({ folder: home, isSynced })),
      storedValues: guardStore(
        openStoredValues({ folder: home, limits, maxDays: storedValueDays, isSynced }),
      ),
    };
  };

  const readLabel = async (folderName: string): Promise<WorkspaceSummary | undefined> => {
    try {
      const path = join(root, folderName, labelName);
      const { name, createdAt } = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
      if (typeof name !== "string" || typeof createdAt !== "string" || toFileName(name) !== folderName)
        return undefined;
      return { name, createdAt, lastUsedAt: (await stat(path)).mtime.toISOString() };
    } catch {
      return undefined;
    }
  };

  const list = async (): Promise<readonly WorkspaceSummary[]> => {
    const labels = await Promise.all((await readdir(root).catch(() => [])).map(readLabel));
    return labels
      .filter((label) => label !== undefined)
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  };

  /** Requires the lock. */
  const remove = async (name: string): Promise<boolean> => {
    const home = folderOf(name);
    if ((await readLabel(toFileName(name))) === undefined) return false;
    const runs = await openRuns({ folder: home }).list();
    if (runs.some(({ status }) => status === "running"))
      throw new CoordinatorError(
        "RUN_BUSY",
        `Cannot remove the workspace "${name}": one of its runs is still running`,
      );
    // Moved away first, so that nobody sees a partly removed workspace.
    const removed = join(folder, "removed", randomBytes(6).toString("hex"));
    await mkdir(join(folder, "removed"), { recursive: true, mode: 0o700 });
    await rename(home, removed);
    opened.delete(name);
    await rm(join(folder, "removed"), { recursive: true, force: true });
    return true;
  };

  const openWorkspace: Store["openWorkspace"] = async (given) => {
    const name = checkName("workspace", given);
    const known = opened.get(name);
    if (known !== undefined && Date.now() - known.usedAt < touchMs) return known.workspace;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await withLock(locks, () => use(name));
    const workspace = known?.workspace ?? open(name);
    opened.set(name, { workspace, usedAt: Date.now() });
    return workspace;
  };

  const removeOldCopies = async (): Promise<void> => {
    for (const name of await readdir(join(folder, "copies")).catch(() => [])) {
      const path = join(folder, "copies", name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > maxCopyMs) await rm(path, { recursive: true, force: true });
    }
  };

  const copyWorkspace: Store["copyWorkspace"] = async (name) => {
    const original = await openWorkspace(name);
    await removeOldCopies();
    const names = ["copies", randomBytes(6).toString("hex")] as const;
    const home = join(folder, ...names);
    await mkdir(join(home, "files"), { recursive: true, mode: 0o700 });
    for (const part of copiedParts) {
      const from = join(folderOf(original.name), part);
      if (lstatSync(from, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
      await cp(from, join(home, part), {
        recursive: true,
        mode: constants.COPYFILE_FICLONE,
        filter: isPlain,
      });
    }
    return {
      workspace: { ...original, ...openContents(names) },
      remove: () => rm(home, { recursive: true, force: true }),
    };
  };

  return guardStore<Store>({
    openWorkspace,
    copyWorkspace,
    listWorkspaces: list,
    removeWorkspace: async (given) => {
      const name = checkName("workspace", given);
      return withLock(locks, () => remove(name));
    },
    removeInactive: async ({ since }) => {
      const limit = checkDate("date of last use", since);
      return withLock(locks, async () => {
        const removed: string[] = [];
        for (const { name, lastUsedAt } of await list()) {
          if (!(new Date(lastUsedAt) < limit)) continue;
          if (await remove(name).catch(() => false)) removed.push(name);
        }
        return removed;
      });
    },
    close: async () => opened.clear(),
  });
};

const toPath = (name: string): string => `state/${checkName("state", name.replace(/\.json$/, ""))}.json`;

const isMissing = (error: unknown): boolean =>
  error instanceof CoordinatorError &&
  (error.details as { errno?: string | undefined } | undefined)?.errno === "ENOENT";

const openStates = (files: WorkspaceFiles): States => ({
  get: async (name = "state") => {
    const path = toPath(name);
    try {
      const { modifiedAt } = await files.stat(path);
      const text = Buffer.from(await files.readFile(path)).toString("utf8");
      return { exists: true, value: parseJson(text) as Json, savedAt: modifiedAt };
    } catch (error) {
      if (isMissing(error)) return { exists: false };
      if (error instanceof SyntaxError)
        throw new CoordinatorError("STORE_UNREADABLE", `Cannot read the state "${path}": it is not JSON`);
      throw error;
    }
  },
  save: async (value, name = "state") => {
    const path = toPath(name);
    await files.writeFile(path, `${formatJson(value)}\n`);
    return path;
  },
});
