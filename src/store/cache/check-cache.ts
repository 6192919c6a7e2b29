// What checks of programs found, one small file each: a program that was checked once is not checked again by the next process.
import { hash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "../../contracts/index.js";
import { writeFileAtomically } from "../write-file-atomically.js";

export interface CheckCache {
  /** What was found for a key; undefined when that is not known. */
  readonly read: (key: string) => Promise<Json | undefined>;
  /** Keeps it behind the caller's back. */
  readonly write: (key: string, found: Json) => void;
  /** Resolves when everything is written. */
  readonly flush: () => Promise<void>;
}

export interface CheckCacheOptions {
  readonly folder: string;
  /** What checks: another build may find something else. */
  readonly build: string;
}

const mostKept = 500;

/** Opens the cache in `<folder>/checks`; the folder is made on the first write. */
export const openCheckCache = ({ folder, build }: CheckCacheOptions): CheckCache => {
  const checks = join(folder, "checks");
  const fileOf = (key: string): string =>
    join(checks, `${hash("sha256", `${build}\n${key}`).slice(0, 40)}.json`);
  let isPruned = false;
  let writing: Promise<void> = Promise.resolve();

  /** Once in a process: the oldest go. */
  const prune = async (): Promise<void> => {
    if (isPruned) return;
    isPruned = true;
    const paths = (await readdir(checks)).map((name) => join(checks, name));
    if (paths.length <= mostKept) return;
    const aged = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
    aged.sort((one, other) => one.at - other.at);
    for (const { path } of aged.slice(0, aged.length - mostKept)) await rm(path, { force: true });
  };

  const writeNow = async (key: string, found: Json): Promise<void> => {
    await mkdir(checks, { recursive: true, mode: 0o700 });
    await writeFileAtomically(fileOf(key), JSON.stringify(found));
    await prune();
  };

  return {
    read: async (key) => {
      try {
        return JSON.parse(await readFile(fileOf(key), "utf8")) as Json;
      } catch {
        return undefined;
      }
    },
    write: (key, found) => {
      // A cache that cannot be written only makes the next start slower.
      writing = writing.then(() => writeNow(key, found)).catch(() => {});
    },
    flush: () => writing,
  };
};
