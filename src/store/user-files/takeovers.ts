// The changes made to clients' files, with backups: a folder of files that only their owner can read.
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { CoordinatorError, type Takeover, type TakeoverStore } from "../../contracts/index.js";
import { writeFileAtomically } from "../write-file-atomically.js";

const readText = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return undefined;
    throw new CoordinatorError("STORE_FAILED", `Cannot read "${path}": the system refused it`, {
      cause: thrown,
    });
  }
};

const isTakeover = (value: unknown): value is Takeover =>
  typeof value === "object" &&
  value !== null &&
  ["id", "client", "path", "format", "hashAfter"].every(
    (field) => typeof (value as Record<string, unknown>)[field] === "string",
  ) &&
  Array.isArray((value as { places?: unknown }).places);

/** Opens the folder; it is made with the first record. */
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
      // Said below, as for a list of something else.
    }
    const message = `Cannot read "${manifest}": it is not what was written there, wanted the list of changed files`;
    throw new CoordinatorError("STORE_UNREADABLE", message, {
      hint: `Restore it. The files as they were are beside it, named "*.before".`,
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
      // The record first: a backup without a record harms nobody, the other way round does.
      for (const id of ids) {
        for (const state of ["before", "after"]) await rm(stateFile(id, state), { force: true });
      }
    },
  };
};
