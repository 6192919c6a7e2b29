// Changes the files of a workspace: one change at a time, counted against the limits before it is made.
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import {
  CoordinatorError,
  pause,
  type WorkspaceFiles,
  type WorkspaceUsage,
} from "../../../contracts/index.js";
import { fileFailed, parsePath, pathDenied, toFileError } from "../../check-input.js";
import { toBytes, writeBytes } from "../../file-io.js";
import { type AnchoredFolder, openFile, writeDraft } from "./anchored-folder.js";
import {
  listNames,
  refuseSameName,
  statEntry,
  type WorkspaceFolder,
  type WorkspaceQuota,
} from "./workspace-folder.js";

type FileChanges = Pick<WorkspaceFiles, "writeFile" | "appendFile" | "mkdir" | "rm" | "rmdir" | "rename">;

/** The last name of a path, in its open folder. */
interface Target {
  readonly folder: AnchoredFolder;
  readonly name: string;
  readonly stats: Stats | undefined;
}

const { O_APPEND, O_CREAT, O_WRONLY } = constants;

export const openChanges = (workspace: WorkspaceFolder): FileChanges => {
  const checkSize = (bytes: number, verb: string, path: string): void => {
    if (bytes <= workspace.limits.fileBytes) return;
    throw new CoordinatorError(
      "LIMIT_WORKSPACE",
      `Cannot ${verb} "${path}": it would have ${bytes} bytes, and limits.fileBytes allows ${workspace.limits.fileBytes}`,
      { details: { limit: "fileBytes" } },
    );
  };

  /** Opens the folder of a path's last name under the lock. Errors name the operation and the path. */
  const changeAt = async <Result>(
    path: string,
    { verb, isCreating }: { readonly verb: string; readonly isCreating: boolean },
    work: (target: Target, usage: WorkspaceQuota) => Result | Promise<Result>,
  ): Promise<Result> => {
    try {
      const names = parsePath(path);
      const name = names.at(-1);
      if (name === undefined) throw fileFailed(verb, path, "EINVAL", "it is the workspace itself");
      return await workspace.change(async (usage) => {
        const parent = names.slice(0, -1);
        const folder = isCreating ? workspace.openOrCreate(parent, verb) : workspace.open(parent);
        try {
          const stats = statEntry(folder, name);
          if (stats !== undefined && !(stats.isFile() || stats.isDirectory()))
            throw pathDenied(path, "there is a link or a device");
          return await work({ folder, name, stats }, usage);
        } finally {
          folder.close();
        }
      });
    } catch (error) {
      throw toFileError(error, verb, path);
    }
  };

  /** Counts a change first and reverts the count if the change fails. */
  const counted = async (
    usage: WorkspaceQuota,
    more: { readonly bytes: number; readonly files: number },
    work: () => void | Promise<void>,
  ): Promise<void> => {
    const grown = { bytes: Math.max(0, more.bytes), files: Math.max(0, more.files) };
    if (grown.bytes + grown.files > 0) usage.add(grown);
    try {
      await work();
    } catch (error) {
      usage.subtract(grown);
      throw error;
    }
    usage.subtract({ bytes: Math.max(0, -more.bytes), files: Math.max(0, -more.files) });
  };

  return {
    writeFile: async (path, content, { isNew = false } = {}) => {
      const parts = typeof content === "string" ? toBytes(content) : content;
      if (parts instanceof Uint8Array) checkSize(parts.length, "write", path);
      // Outside the lock, because it takes the longest.
      const draft = await writeDraft(workspace, parts, (bytes) => checkSize(bytes, "write", path)).catch(
        (error: unknown) => {
          throw toFileError(error, "write", path);
        },
      );
      try {
        await changeAt(path, { verb: "write", isCreating: true }, async ({ folder, name, stats }, usage) => {
          if (stats?.isDirectory() === true) throw fileFailed("write", path, "EISDIR");
          if (stats !== undefined && isNew) throw fileFailed("write", path, "EEXIST");
          if (stats === undefined) refuseSameName(listNames(folder), name, { verb: "write", path });
          const more = { bytes: draft.bytes - (stats?.size ?? 0), files: stats === undefined ? 1 : 0 };
          await counted(usage, more, () => draft.moveTo(folder, name));
        });
      } finally {
        draft.discard();
      }
    },

    appendFile: (path, content) => {
      const bytes = toBytes(content);
      return changeAt(
        path,
        { verb: "append to", isCreating: true },
        async ({ folder, name, stats }, usage) => {
          if (stats?.isDirectory() === true) throw fileFailed("append to", path, "EISDIR");
          if (stats === undefined) refuseSameName(listNames(folder), name, { verb: "append to", path });
          checkSize((stats?.size ?? 0) + bytes.length, "append to", path);
          await counted(usage, { bytes: bytes.length, files: stats === undefined ? 1 : 0 }, async () => {
            const { descriptor } = openFile(folder, name, {
              flags: O_WRONLY | O_APPEND | O_CREAT,
              shown: path,
            });
            try {
              await writeBytes(descriptor, bytes, { isSynced: workspace.isSynced });
            } finally {
              closeSync(descriptor);
            }
          });
        },
      );
    },

    mkdir: async (path, { recursive = false } = {}) => {
      if (recursive && parsePath(path).length === 0) return;
      await changeAt(
        path,
        { verb: "create", isCreating: recursive },
        async ({ folder, name, stats }, usage) => {
          if (stats?.isDirectory() === true && recursive) return;
          if (stats !== undefined) throw fileFailed("create", path, "EEXIST");
          refuseSameName(listNames(folder), name, { verb: "create", path });
          await counted(usage, { bytes: 0, files: 1 }, () => mkdirSync(folder.at(name), { mode: 0o700 }));
        },
      );
    },

    rm: async (path, { recursive = false, force = false } = {}) => {
      try {
        await changeAt(
          path,
          { verb: "remove", isCreating: false },
          async ({ folder, name, stats }, usage) => {
            if (stats === undefined) throw fileFailed("remove", path, "ENOENT");
            if (stats.isDirectory() && !recursive) throw fileFailed("remove", path, "EISDIR");
            usage.subtract(await removeTree(workspace, { folder, name, names: parsePath(path) }));
          },
        );
      } catch (error) {
        const errno =
          error instanceof CoordinatorError ? (error.details as { errno?: string | undefined })?.errno : "";
        if (!(force && errno === "ENOENT")) throw error;
      }
    },

    rmdir: (path) =>
      changeAt(path, { verb: "remove", isCreating: false }, ({ folder, name, stats }, usage) => {
        if (stats === undefined) throw fileFailed("remove", path, "ENOENT");
        if (!stats.isDirectory()) throw fileFailed("remove", path, "ENOTDIR");
        rmdirSync(folder.at(name));
        usage.subtract({ bytes: 0, files: 1 });
      }),

    rename: async (from, to) => {
      const toNames = parsePath(to);
      const fromNames = parsePath(from);
      if (toNames.join("/") === fromNames.join("/")) return;
      if (`${toNames.join("/")}/`.startsWith(`${fromNames.join("/")}/`))
        throw fileFailed("rename", from, "EINVAL", `"${to}" is inside it`);
      await changeAt(from, { verb: "rename", isCreating: false }, async ({ folder, name, stats }, usage) => {
        if (stats === undefined) throw fileFailed("rename", from, "ENOENT");
        const last = toNames.at(-1);
        if (last === undefined) throw fileFailed("rename", to, "EISDIR");
        const into = workspace.openOrCreate(toNames.slice(0, -1), "rename");
        try {
          const target = statEntry(into, last);
          if (target?.isDirectory() === true) throw fileFailed("rename to", to, "EISDIR");
          if (target !== undefined && !target.isFile()) throw pathDenied(to, "there is a link or a device");
          if (target !== undefined && stats.isDirectory()) throw fileFailed("rename to", to, "EEXIST");
          // Changing only the case of a name is no conflict.
          const isSameFolder = fromNames.slice(0, -1).join("/") === toNames.slice(0, -1).join("/");
          const except = isSameFolder ? name : undefined;
          if (target === undefined)
            refuseSameName(listNames(into), last, { verb: "rename to", path: to, except });
          const less = target === undefined ? { bytes: 0, files: 0 } : { bytes: -target.size, files: -1 };
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

interface Entry {
  readonly folder: AnchoredFolder;
  readonly name: string;
  /** The whole path, this name included. */
  readonly names: readonly string[];
}

/** Removes a file, or a folder with everything below it; of a link only the link. Returns what was removed. */
const removeTree = async (
  workspace: WorkspaceFolder,
  { folder, name, names }: Entry,
): Promise<WorkspaceUsage> => {
  const stats = lstatSync(folder.at(name));
  folder.check();
  if (!stats.isDirectory()) {
    unlinkSync(folder.at(name));
    return stats.isFile() ? { bytes: stats.size, files: 1 } : { bytes: 0, files: 0 };
  }
  let bytes = 0;
  let files = 1;
  const inner = workspace.open(names);
  try {
    for (const entry of readdirSync(inner.at(""))) {
      await pause();
      const removed = await removeTree(workspace, { folder: inner, name: entry, names: [...names, entry] });
      bytes += removed.bytes;
      files += removed.files;
    }
  } finally {
    inner.close();
  }
  rmdirSync(folder.at(name));
  return { bytes, files };
};
