// The ways to look at a workspace's files.
import { closeSync, constants } from "node:fs";
import { CoordinatorError, type FileFacts, type WorkspaceFiles } from "../../../contracts/index.js";
import { fileFailed, toFileError } from "../../file-error.js";
import { readBytes } from "../../file-io.js";
import { parsePath, pathDenied } from "../../workspace-path.js";
import { openFile } from "./anchored-folder.js";
import { listFolder, listTree, toFacts } from "./list-tree.js";
import { type FilesPlace, lookAt } from "./workspace-folder.js";

type ReadingFiles = Pick<WorkspaceFiles, "readFile" | "readdir" | "stat" | "exists" | "usage">;

const isWhole = (value: number | undefined): boolean =>
  value === undefined || (Number.isSafeInteger(value) && value >= 0);

export const openReadingFiles = (place: FilesPlace): ReadingFiles => {
  const read: WorkspaceFiles["readFile"] = async (path, range = {}) => {
    const names = parsePath(path);
    const name = names.at(-1);
    if (name === undefined) throw fileFailed("read", path, "EISDIR");
    if (!isWhole(range.offset) || !isWhole(range.length))
      throw fileFailed("read", path, "EINVAL", "its range is not of whole numbers");
    const folder = place.open(names.slice(0, -1));
    let descriptor: number | undefined;
    try {
      const file = openFile(folder, name, { flags: constants.O_RDONLY, shown: path });
      descriptor = file.descriptor;
      const offset = Math.min(range.offset ?? 0, file.bytes);
      const length = Math.min(range.length ?? file.bytes, file.bytes - offset);
      if (length > place.limits.fileBytes)
        throw new CoordinatorError(
          "LIMIT_WORKSPACE",
          `Cannot read "${path}": it has ${file.bytes} bytes, and limits.fileBytes allows ${place.limits.fileBytes} at once`,
          { hint: "Read it in parts, with an offset and a length.", details: { limit: "fileBytes" } },
        );
      return await readBytes(descriptor, { offset, length });
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
      folder.close();
    }
  };

  const look = (path: string): FileFacts => {
    const names = parsePath(path);
    const folder = place.open(names.slice(0, -1));
    try {
      const facts = lookAt(folder, names.at(-1) ?? "");
      folder.check();
      if (facts === undefined) throw fileFailed("look at", path, "ENOENT");
      if (!(facts.isFile() || facts.isDirectory())) throw pathDenied(path, "there is a link or a device");
      return toFacts(names.join("/"), facts);
    } finally {
      folder.close();
    }
  };

  const list: WorkspaceFiles["readdir"] = async (path, { recursive = false } = {}) => {
    const names = parsePath(path);
    const open = (inner: string) => place.open(inner === "" ? [] : inner.split("/"));
    if (recursive) return listTree(open, names.join("/"));
    const folder = open(names.join("/"));
    try {
      return listFolder(folder, names.join("/"));
    } finally {
      folder.close();
    }
  };

  /** Says of every failure what was tried on which path. */
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

  const stat = named("look at", look);
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
    usage: () => place.change((usage) => usage.read()),
  };
};
