// A folder that stays open while its entries are used, so that nobody can replace it with a link in between. Drafts of files get their name
// in such a folder when they are complete.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join, sep } from "node:path";
import { pathDenied } from "../../check-input.js";
import { syncBytes, writeBytes } from "../../file-io.js";
import type { WorkspaceFolder } from "./workspace-folder.js";

/** `at`: the path of an entry for `node:fs`. `check` throws if the folder is no longer the one that was opened. */
export interface AnchoredFolder {
  readonly at: (name: string) => string;
  readonly check: () => void;
  readonly close: () => void;
}

const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
const folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

interface WalkOptions {
  /** May be a link: the user chose it. */
  readonly root: string;
  /** Folders below the root; none may be a link. */
  readonly names: readonly string[];
  /** Called before a missing folder is created. Without it, a missing folder is an error. */
  readonly onMissing?:
    | ((missing: { readonly depth: number; readonly siblings: () => readonly string[] }) => void)
    | undefined;
  /** The path in error messages. */
  readonly shown: string;
}

let isProcUsable: boolean | undefined;

/** On Linux, `/proc/self/fd/N` leads to an open folder even after it was moved. */
const canAnchor = (): boolean => {
  if (isProcUsable !== undefined) return isProcUsable;
  isProcUsable = false;
  if (process.platform !== "linux") return isProcUsable;
  const folder = openSync("/", O_RDONLY | O_DIRECTORY);
  try {
    isProcUsable = readlinkSync(`/proc/self/fd/${folder}`) === "/";
  } catch {
    // No /proc.
  } finally {
    closeSync(folder);
  }
  return isProcUsable;
};

const refuseLink = (path: string, shown: string): void => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw pathDenied(shown, "there is a link, and links are not followed");
};

const createMissing = (
  parent: string,
  path: string,
  depth: number,
  onMissing: WalkOptions["onMissing"],
): void => {
  if (onMissing === undefined || lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
  onMissing({ depth, siblings: () => readdirSync(parent) });
  // Recursive, because another process may create it first if no lock is held.
  mkdirSync(path, { mode: 0o700, recursive: true });
};

/** Opens each folder from the open one above it, so that no part of the path can be replaced. */
const openByDescriptor = ({ root, names, onMissing, shown }: WalkOptions): AnchoredFolder => {
  let folder = openSync(root, O_RDONLY | O_DIRECTORY);
  try {
    for (const [depth, name] of names.entries()) {
      const path = `/proc/self/fd/${folder}/${name}`;
      createMissing(`/proc/self/fd/${folder}/.`, path, depth, onMissing);
      let next: number;
      try {
        next = openSync(path, folderFlags);
      } catch (error) {
        refuseLink(path, shown);
        throw error;
      }
      closeSync(folder);
      folder = next;
    }
  } catch (error) {
    closeSync(folder);
    throw error;
  }
  const held = folder;
  return {
    at: (name) => (name === "" ? `/proc/self/fd/${held}/.` : `/proc/self/fd/${held}/${name}`),
    check: () => undefined,
    close: () => closeSync(held),
  };
};

/** On other systems, checks every folder on the path, and the whole path again after each operation. */
const openByPath = ({ root, names, onMissing, shown }: WalkOptions): AnchoredFolder => {
  const base = realpathSync(root);
  let path = base;
  for (const [depth, name] of names.entries()) {
    const parent = path;
    path = join(parent, name);
    createMissing(parent, path, depth, onMissing);
    refuseLink(path, shown);
    if (!lstatSync(path).isDirectory()) throw Object.assign(new Error("Not a folder"), { code: "ENOTDIR" });
  }
  const readIdentity = (): string => {
    const { dev, ino } = lstatSync(path, { bigint: true });
    return `${dev} ${ino} ${realpathSync.native(path)}`;
  };
  const first = readIdentity();
  const isInside = `${realpathSync.native(path)}${sep}`.startsWith(`${realpathSync.native(base)}${sep}`);
  const check = (): void => {
    if (!isInside || readIdentity() !== first)
      throw pathDenied(shown, "its folder was replaced during the operation");
  };
  check();
  return { at: (name) => (name === "" ? path : join(path, name)), check, close: () => undefined };
};

/** Opens the last folder of a path. `isByPath`: as on other systems, for tests. */
export const openFolder = (
  options: WalkOptions & { readonly isByPath?: boolean | undefined },
): AnchoredFolder =>
  options.isByPath !== true && canAnchor() ? openByDescriptor(options) : openByPath(options);

/** Opens a regular file with a single name, so that its content belongs to this workspace only. */
export const openFile = (
  folder: AnchoredFolder,
  name: string,
  { flags, shown }: { readonly flags: number; readonly shown: string },
): { readonly descriptor: number; readonly bytes: number } => {
  refuseLink(folder.at(name), shown);
  // O_NONBLOCK, because opening a pipe would block forever.
  const descriptor = openSync(folder.at(name), flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    folder.check();
    // Again, for systems without O_NOFOLLOW.
    refuseLink(folder.at(name), shown);
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw Object.assign(new Error("A folder"), { code: "EISDIR" });
    if (!stats.isFile()) throw pathDenied(shown, "there is a device or a pipe");
    if (stats.nlink > 1) throw pathDenied(shown, "the file has a hard link elsewhere");
    return { descriptor, bytes: stats.size };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
};

interface Draft {
  readonly bytes: number;
  /** Gives the draft its name, replacing an existing file. */
  readonly moveTo: (folder: AnchoredFolder, name: string) => void;
  readonly discard: () => void;
}

const { O_CREAT, O_EXCL, O_WRONLY } = constants;
/** Older drafts were left by a process that died. */
const abandonedMs = 3_600_000;

const sweep = (drafts: AnchoredFolder): void => {
  for (const name of readdirSync(drafts.at(""))) {
    const stats = lstatSync(drafts.at(name), { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > abandonedMs)
      rmSync(drafts.at(name), { force: true });
  }
};

/** `checkSize` runs as the content grows and throws if it is too large. */
export const writeDraft = async (
  workspace: WorkspaceFolder,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  checkSize: (bytes: number) => void,
): Promise<Draft> => {
  const drafts = workspace.openDrafts();
  const name = `${process.pid}-${randomBytes(6).toString("hex")}`;
  const discard = (): void => {
    rmSync(drafts.at(name), { force: true });
    drafts.close();
  };
  let bytes = 0;
  try {
    sweep(drafts);
    const descriptor = openSync(drafts.at(name), O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
    try {
      for await (const part of content instanceof Uint8Array ? [content] : content) {
        bytes += part.length;
        checkSize(bytes);
        await writeBytes(descriptor, part);
      }
      if (workspace.isSynced) await syncBytes(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    discard();
    throw error;
  }
  return {
    bytes,
    moveTo: (folder, target) => {
      folder.check();
      renameSync(drafts.at(name), folder.at(target));
      folder.check();
    },
    discard,
  };
};
