// Files of other clients: reads and writes them byte for byte, and records the changes made to them with private backups.
import { mkdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CoordinatorError, type Takeover, type TakeoverStore } from "../../contracts/index.js";
import { errnoOf, readTextIfPresent, writeFileAtomically } from "../file-io.js";

const readText = async (path: string): Promise<string | undefined> => {
  try {
    return await readTextIfPresent(path);
  } catch (thrown) {
    throw new CoordinatorError(
      "STORE_FAILED",
      `Cannot read "${path}": the system reported ${errnoOf(thrown)}`,
      {
        cause: thrown,
      },
    );
  }
};

const isTakeover = (value: unknown): value is Takeover =>
  typeof value === "object" &&
  value !== null &&
  ["id", "client", "path", "format", "hashAfter"].every(
    (field) => typeof (value as Record<string, unknown>)[field] === "string",
  ) &&
  Array.isArray((value as { places?: unknown }).places);

/** Opens the records in a folder, which the first record creates. */
export const openTakeovers = (folder: string): TakeoverStore => {
  const manifest = join(folder, "manifest.json");
  const stateFile = (id: string, state: string): string => join(folder, `${id}.${state}`);
  const list = async (): Promise<readonly Takeover[]> => {
    const text = await readText(manifest);
    if (text === undefined) return [];
    try {
      const { takeovers } = JSON.parse(text) as { takeovers: unknown };
      if (Array.isArray(takeovers) && takeovers.every(isTakeover)) return takeovers;
    } catch {
      // Reported below.
    }
    const message = `Cannot read "${manifest}": its content is damaged, expected the list of changed files`;
    throw new CoordinatorError("STORE_UNREADABLE", message, {
      hint: `Restore it. The original files are beside it, named "*.before".`,
    });
  };
  const write = async (takeovers: readonly Takeover[]): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFileAtomically(manifest, `${JSON.stringify({ takeovers }, undefined, 2)}\n`, {
      isSynced: true,
    });
  };
  return {
    folder,
    list,
    add: async (takeover, { before, after }) => {
      const known = await list();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (before !== undefined) {
        await writeFileAtomically(stateFile(takeover.id, "before"), before, { isSynced: true });
      }
      await writeFileAtomically(stateFile(takeover.id, "after"), after, { isSynced: true });
      await write([...known, takeover]);
    },
    read: (id, state) => readText(stateFile(id, state)),
    remove: async (ids) => {
      const known = await list();
      await write(known.filter(({ id }) => !ids.includes(id)));
      // The record first: a backup without a record does no harm, a record without a backup does.
      for (const id of ids) {
        for (const state of ["before", "after"]) await rm(stateFile(id, state), { force: true });
      }
    },
  };
};

/** Files of other programs may hold more than servers, and be large. */
const maxBytes = 256 * 1024 * 1024;

/** The text of a file; undefined if there is none. */
export const readForeignFile = async (path: string): Promise<string | undefined> => {
  let bytes: Buffer;
  try {
    // A project may bring a link to a pipe or a device, whose content never ends.
    const facts = await stat(path);
    if (!facts.isFile() || facts.size > maxBytes)
      throw Object.assign(new Error("Not a file, or too large"), { code: "EFBIG" });
    bytes = await readFile(path);
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT" || errnoOf(thrown) === "ENOTDIR") return undefined;
    const message = `Cannot read "${path}": the system reported ${errnoOf(thrown)}, expected a readable file`;
    throw new CoordinatorError("CLIENT_FILE_UNREADABLE", message, { cause: thrown });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message = `Cannot read "${path}": it is not UTF-8, expected text that can be written back unchanged`;
    throw new CoordinatorError("CLIENT_FILE_UNREADABLE", message, { cause });
  }
};

/** Follows links and keeps the file's mode. Only the owner can read a new file. */
export const writeForeignFile = async (path: string, text: string): Promise<void> => {
  try {
    const target = await realpath(path).catch(() => path);
    const mode = await stat(target).then(
      (stats) => stats.mode & 0o7777,
      () => 0o600,
    );
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFileAtomically(target, text, { mode, isSynced: true });
  } catch (cause) {
    if (cause instanceof CoordinatorError) throw cause;
    const message = `Cannot write "${path}": the system reported ${errnoOf(cause)}, expected a file that your user can write`;
    throw new CoordinatorError("CLIENT_FILE_UNREADABLE", message, { cause });
  }
};

export const removeForeignFile = (path: string): Promise<void> => rm(path, { force: true });
