// The ways to change a workspace's files: one change at a time, counted before it is done.
import { closeSync, constants, mkdirSync, renameSync, rmdirSync, type Stats } from "node:fs";
import { CoordinatorError, type WorkspaceFiles } from "../../../contracts/index.js";
import { fileFailed, toFileError } from "../../file-error.js";
import { toBytes, writeBytes } from "../../file-io.js";
import { parsePath, pathDenied } from "../../workspace-path.js";
import { type AnchoredFolder, openFile } from "./anchored-folder.js";
import { removeTree } from "./remove-tree.js";
import { type FilesPlace, lookAt, namesIn, refuseTwin } from "./workspace-folder.js";
import type { UsageBook } from "./workspace-usage.js";
import { writeDraft } from "./write-draft.js";

type ChangingFiles = Pick<WorkspaceFiles, "writeFile" | "appendFile" | "mkdir" | "rm" | "rmdir" | "rename">;

/** A path's last name in its folder. */
interface Target {
  readonly folder: AnchoredFolder;
  readonly name: string;
  readonly facts: Stats | undefined;
}

const { O_APPEND, O_CREAT, O_WRONLY } = constants;

export const openChangingFiles = (place: FilesPlace): ChangingFiles => {
  const checkSize = (bytes: number, verb: string, path: string): void => {
    if (bytes <= place.limits.fileBytes) return;
    throw new CoordinatorError(
      "LIMIT_WORKSPACE",
      `Cannot ${verb} "${path}": it would have ${bytes} bytes, and limits.fileBytes allows ${place.limits.fileBytes}`,
      { details: { limit: "fileBytes" } },
    );
  };

  /** Opens the folder of a path's last name for a change, and says of a failure what was tried. */
  const changeAt = async <Result>(
    path: string,
    { verb, isMaking }: { readonly verb: string; readonly isMaking: boolean },
    work: (target: Target, usage: UsageBook) => Result | Promise<Result>,
  ): Promise<Result> => {
    try {
      const names = parsePath(path);
      const name = names.at(-1);
      if (name === undefined) throw fileFailed(verb, path, "EINVAL", "it is the workspace itself");
      return await place.change(async (usage) => {
        const parent = names.slice(0, -1);
        const folder = isMaking ? place.openOrMake(parent, verb) : place.open(parent);
        try {
          const facts = lookAt(folder, name);
          if (facts !== undefined && !(facts.isFile() || facts.isDirectory()))
            throw pathDenied(path, "there is a link or a device");
          return await work({ folder, name, facts }, usage);
        } finally {
          folder.close();
        }
      });
    } catch (error) {
      throw toFileError(error, verb, path);
    }
  };

  /** Counts first, does then, and takes the count back when it could not be done. */
  const counted = async (
    usage: UsageBook,
    more: { readonly bytes: number; readonly files: number },
    work: () => void | Promise<void>,
  ): Promise<void> => {
    const grown = { bytes: Math.max(0, more.bytes), files: Math.max(0, more.files) };
    if (grown.bytes + grown.files > 0) usage.take(grown);
    try {
      await work();
    } catch (error) {
      usage.giveBack(grown);
      throw error;
    }
    usage.giveBack({ bytes: Math.max(0, -more.bytes), files: Math.max(0, -more.files) });
  };

  return {
    writeFile: async (path, content, { isNew = false } = {}) => {
      const parts = typeof content === "string" ? toBytes(content) : content;
      if (parts instanceof Uint8Array) checkSize(parts.length, "write", path);
      // Outside of the lock, because it takes the longest.
      const draft = await writeDraft(place, parts, (bytes) => checkSize(bytes, "write", path)).catch(
        (error: unknown) => {
          throw toFileError(error, "write", path);
        },
      );
      try {
        await changeAt(path, { verb: "write", isMaking: true }, async ({ folder, name, facts }, usage) => {
          if (facts?.isDirectory() === true) throw fileFailed("write", path, "EISDIR");
          if (facts !== undefined && isNew) throw fileFailed("write", path, "EEXIST");
          if (facts === undefined) refuseTwin(namesIn(folder), name, { verb: "write", path });
          const more = { bytes: draft.bytes - (facts?.size ?? 0), files: facts === undefined ? 1 : 0 };
          await counted(usage, more, () => draft.moveTo(folder, name));
        });
      } finally {
        draft.discard();
      }
    },

    appendFile: (path, content) => {
      const bytes = toBytes(content);
      return changeAt(path, { verb: "append to", isMaking: true }, async ({ folder, name, facts }, usage) => {
        if (facts?.isDirectory() === true) throw fileFailed("append to", path, "EISDIR");
        if (facts === undefined) refuseTwin(namesIn(folder), name, { verb: "append to", path });
        checkSize((facts?.size ?? 0) + bytes.length, "append to", path);
        await counted(usage, { bytes: bytes.length, files: facts === undefined ? 1 : 0 }, async () => {
          const { descriptor } = openFile(folder, name, {
            flags: O_WRONLY | O_APPEND | O_CREAT,
            shown: path,
          });
          try {
            await writeBytes(descriptor, bytes, { isSynced: place.isSynced });
          } finally {
            closeSync(descriptor);
          }
        });
      });
    },

    mkdir: async (path, { recursive = false } = {}) => {
      if (recursive && parsePath(path).length === 0) return;
      await changeAt(path, { verb: "make", isMaking: recursive }, async ({ folder, name, facts }, usage) => {
        if (facts?.isDirectory() === true && recursive) return;
        if (facts !== undefined) throw fileFailed("make", path, "EEXIST");
        refuseTwin(namesIn(folder), name, { verb: "make", path });
        await counted(usage, { bytes: 0, files: 1 }, () => mkdirSync(folder.at(name), { mode: 0o700 }));
      });
    },

    rm: async (path, { recursive = false, force = false } = {}) => {
      try {
        await changeAt(path, { verb: "remove", isMaking: false }, ({ folder, name, facts }, usage) => {
          if (facts === undefined) throw fileFailed("remove", path, "ENOENT");
          if (facts.isDirectory() && !recursive) throw fileFailed("remove", path, "EISDIR");
          usage.giveBack(removeTree(place, { folder, name, names: parsePath(path) }));
        });
      } catch (error) {
        const errno = error instanceof CoordinatorError ? (error.details as { errno?: string })?.errno : "";
        if (!(force && errno === "ENOENT")) throw error;
      }
    },

    rmdir: (path) =>
      changeAt(path, { verb: "remove", isMaking: false }, ({ folder, name, facts }, usage) => {
        if (facts === undefined) throw fileFailed("remove", path, "ENOENT");
        if (!facts.isDirectory()) throw fileFailed("remove", path, "ENOTDIR");
        rmdirSync(folder.at(name));
        usage.giveBack({ bytes: 0, files: 1 });
      }),

    rename: async (from, to) => {
      const target = parsePath(to);
      const source = parsePath(from);
      if (target.join("/") === source.join("/")) return;
      if (`${target.join("/")}/`.startsWith(`${source.join("/")}/`))
        throw fileFailed("rename", from, "EINVAL", `"${to}" is inside of it`);
      await changeAt(from, { verb: "rename", isMaking: false }, async ({ folder, name, facts }, usage) => {
        if (facts === undefined) throw fileFailed("rename", from, "ENOENT");
        const last = target.at(-1);
        if (last === undefined) throw fileFailed("rename", to, "EISDIR");
        const into = place.openOrMake(target.slice(0, -1), "rename");
        try {
          const there = lookAt(into, last);
          if (there?.isDirectory() === true) throw fileFailed("rename to", to, "EISDIR");
          if (there !== undefined && !there.isFile()) throw pathDenied(to, "there is a link or a device");
          if (there !== undefined && facts.isDirectory()) throw fileFailed("rename to", to, "EEXIST");
          // Another spelling of its own name is not a twin.
          const isSameFolder = source.slice(0, -1).join("/") === target.slice(0, -1).join("/");
          const except = isSameFolder ? { except: name } : {};
          if (there === undefined)
            refuseTwin(namesIn(into), last, { verb: "rename to", path: to, ...except });
          const less = there === undefined ? { bytes: 0, files: 0 } : { bytes: -there.size, files: -1 };
          await counted(usage, less, () => {
            into.check();
            renameSync(folder.at(name), into.at(last));
            into.check();
          });
        } finally {
          into.close();
        }
      });
    },
  };
};
