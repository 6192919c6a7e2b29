// A folder that is held while names in it are used: between the look and the deed nobody can put a link in its place.
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
} from "node:fs";
import { join, relative } from "node:path";
import { pathDenied } from "../../workspace-path.js";

/** `at` names something in the folder for the calls of `node:fs`; `check` throws when the folder is no longer the one that was opened. */
export interface AnchoredFolder {
  readonly at: (name: string) => string;
  readonly check: () => void;
  readonly close: () => void;
}

const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
const folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

export interface WalkOptions {
  /** Followed as it is: the person's own choice. */
  readonly root: string;
  /** Each must be a real folder: no link is followed. */
  readonly names: readonly string[];
  /** Called for a folder that is missing, before it is made. Without it a missing folder is an error. */
  readonly onMissing?: (missing: {
    readonly depth: number;
    readonly siblings: () => readonly string[];
  }) => void;
  /** Names paths in messages. */
  readonly shown: string;
}

let isProcUsable: boolean | undefined;

/** On Linux an open folder has a name of its own, which leads to the folder itself wherever it was moved. */
const canAnchor = (): boolean => {
  if (isProcUsable !== undefined) return isProcUsable;
  isProcUsable = false;
  if (process.platform !== "linux") return isProcUsable;
  const folder = openSync("/", O_RDONLY | O_DIRECTORY);
  try {
    isProcUsable = readlinkSync(`/proc/self/fd/${folder}`) === "/";
  } catch {
    // No /proc here.
  } finally {
    closeSync(folder);
  }
  return isProcUsable;
};

const refuseLink = (path: string, shown: string): void => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw pathDenied(shown, "there is a link, and links are not followed");
};

const makeMissing = (
  parent: string,
  path: string,
  depth: number,
  onMissing: WalkOptions["onMissing"],
): void => {
  if (onMissing === undefined || lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
  onMissing({ depth, siblings: () => readdirSync(parent) });
  // Another process may have been faster where no lock is held.
  mkdirSync(path, { mode: 0o700, recursive: true });
};

/** Every step is taken from the open folder of the step before, so no part of the way can be exchanged. */
const openByDescriptor = ({ root, names, onMissing, shown }: WalkOptions): AnchoredFolder => {
  let folder = openSync(root, O_RDONLY | O_DIRECTORY);
  try {
    for (const [depth, name] of names.entries()) {
      const path = `/proc/self/fd/${folder}/${name}`;
      makeMissing(`/proc/self/fd/${folder}/.`, path, depth, onMissing);
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

/** Elsewhere every step is looked at, and the whole way again after each deed. */
const openByPath = ({ root, names, onMissing, shown }: WalkOptions): AnchoredFolder => {
  const base = realpathSync(root);
  let path = base;
  for (const [depth, name] of names.entries()) {
    const parent = path;
    path = join(parent, name);
    makeMissing(parent, path, depth, onMissing);
    refuseLink(path, shown);
    if (!lstatSync(path).isDirectory()) throw Object.assign(new Error("Not a folder"), { code: "ENOTDIR" });
  }
  const readPlace = (): string => {
    const { dev, ino } = lstatSync(path, { bigint: true });
    return `${dev} ${ino} ${realpathSync.native(path)}`;
  };
  const first = readPlace();
  const isInside = !relative(realpathSync.native(base), realpathSync.native(path)).startsWith("..");
  const check = (): void => {
    if (!isInside || readPlace() !== first)
      throw pathDenied(shown, "its folder was exchanged while it was used");
  };
  check();
  return { at: (name) => (name === "" ? path : join(path, name)), check, close: () => undefined };
};

/** Walks down and holds the last folder. `isByPath` is for tests of the way that other systems go. */
export const openFolder = (options: WalkOptions & { readonly isByPath?: boolean }): AnchoredFolder =>
  options.isByPath !== true && canAnchor() ? openByDescriptor(options) : openByPath(options);

/** Opens a file of the folder: a real one, with no other name anywhere, so its content is of this workspace only. */
export const openFile = (
  folder: AnchoredFolder,
  name: string,
  { flags, shown }: { readonly flags: number; readonly shown: string },
): { readonly descriptor: number; readonly bytes: number } => {
  refuseLink(folder.at(name), shown);
  // Without waiting: a pipe that someone put there would never answer.
  const descriptor = openSync(folder.at(name), flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    folder.check();
    // Again, for systems that cannot be told to open no link.
    refuseLink(folder.at(name), shown);
    const facts = fstatSync(descriptor);
    if (facts.isDirectory()) throw Object.assign(new Error("A folder"), { code: "EISDIR" });
    if (!facts.isFile()) throw pathDenied(shown, "there is a device or a pipe");
    if (facts.nlink > 1) throw pathDenied(shown, "the file has a second name somewhere else");
    return { descriptor, bytes: facts.size };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
};
