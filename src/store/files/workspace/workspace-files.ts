// The files of one workspace: opens them, reads and lists them.
import { closeSync, constants } from "node:fs";
import { CoordinatorError, type FileFacts, type WorkspaceFiles } from "../../../contracts/index.js";
import { fileFailed, parsePath, pathDenied, toFileError } from "../../check-input.js";
import { readBytes } from "../../file-io.js";
import { openFile } from "./anchored-folder.js";
import { openChanges } from "./change-files.js";
import {
  listFolder,
  listTree,
  openWorkspaceFolder,
  statEntry,
  toFacts,
  type WorkspaceFolder,
  type WorkspaceFolderOptions,
} from "./workspace-folder.js";

/** The workspace's folder must exist. */
export const openWorkspaceFiles = (options: WorkspaceFolderOptions): WorkspaceFiles => {
  const workspace = openWorkspaceFolder(options);
  const readers = openReaders(workspace);
  const changes = openChanges(workspace);
  return {
    ...readers,
    ...changes,
    copyFile: async (from, to) => changes.writeFile(to, await readers.readFile(from)),
  };
};

type FileReaders = Pick<WorkspaceFiles, "readFile" | "readdir" | "stat" | "exists" | "usage">;

const isWhole = (value: number | undefined): boolean =>
  value === undefined || (Number.isSafeInteger(value) && value >= 0);

const openReaders = (workspace: WorkspaceFolder): FileReaders => {
  const read: WorkspaceFiles["readFile"] = async (path, range = {}) => {
    const names = parsePath(path);
    const name = names.at(-1);
    if (name === undefined) throw fileFailed("read", path, "EISDIR");
    if (!isWhole(range.offset) || !isWhole(range.length))
      throw fileFailed("read", path, "EINVAL", "its range must consist of whole numbers");
    const folder = workspace.open(names.slice(0, -1));
    let descriptor: number | undefined;
    try {
      const file = openFile(folder, name, { flags: constants.O_RDONLY, shown: path });
      descriptor = file.descriptor;
      const offset = Math.min(range.offset ?? 0, file.bytes);
      const length = Math.min(range.length ?? file.bytes, file.bytes - offset);
      if (length > workspace.limits.fileBytes)
        throw new CoordinatorError(
          "LIMIT_WORKSPACE",
          `Cannot read "${path}": it has ${file.bytes} bytes, and limits.fileBytes allows ${workspace.limits.fileBytes} at once`,
          { hint: "Read it in parts, with an offset and a length.", details: { limit: "fileBytes" } },
        );
      return await readBytes(descriptor, { offset, length });
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
      folder.close();
    }
  };

  const readFacts = (path: string): FileFacts => {
    const names = parsePath(path);
    const folder = workspace.open(names.slice(0, -1));
    try {
      const stats = statEntry(folder, names.at(-1) ?? "");
      folder.check();
      if (stats === undefined) throw fileFailed("stat", path, "ENOENT");
      if (!(stats.isFile() || stats.isDirectory())) throw pathDenied(path, "there is a link or a device");
      return toFacts(names.join("/"), stats);
    } finally {
      folder.close();
    }
  };

  const list: WorkspaceFiles["readdir"] = async (path, { recursive = false } = {}) => {
    const names = parsePath(path);
    const open = (inner: string) => workspace.open(inner === "" ? [] : inner.split("/"));
    if (recursive) return listTree(open, names.join("/"));
    const folder = open(names.join("/"));
    try {
      return listFolder(folder, names.join("/"));
    } finally {
      folder.close();
    }
  };

  /** Errors name the operation and the path. */
  const named =
    <Rest extends unknown[], Result>(
      verb: string,
      work: (path: string, ...rest: Rest) => Result | Promise<Result>,
    ) =>
    async (path: string, ...rest: Rest): Promise<Result> => {
      try {
        return await work(path, ...rest);
      } catch (error) {
        throw toFileError(error, verb, path);
      }
    };

  const stat = named("stat", readFacts);
  return {
    readFile: named("read", read),
    readdir: named("list", list),
    stat,
    exists: async (path) => {
      parsePath(path);
      return stat(path).then(
        () => true,
        () => false,
      );
    },
    usage: () => workspace.change((usage) => usage.read()),
  };
};
