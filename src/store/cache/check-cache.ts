// Cached check results: one small file per program, so that the next process need not check it again.
import { hash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "../../contracts/index.js";
import { writeFileAtomically } from "../file-io.js";

export interface CheckCache {
  /** Undefined if nothing is cached. */
  readonly read: (key: string) => Promise<Json | undefined>;
  /** Writes in the background. */
  readonly write: (key: string, found: Json) => void;
  /** Resolves when everything is written. */
  readonly flush: () => Promise<void>;
}

export interface CheckCacheOptions {
  readonly folder: string;
  /** The version of the checker: another one may find something else. */
  readonly build: string;
}

const maxFiles = 500;

/** Opens the cache in `<folder>/checks`, which the first write creates. */
export const openCheckCache = ({ folder, build }: CheckCacheOptions): CheckCache => {
  const checks = join(folder, "checks");
  const fileOf = (key: string): string =>
    join(checks, `${hash("sha256", `${build}\n${key}`).slice(0, 40)}.json`);
  let isPruned = false;
  let writing: Promise<void> = Promise.resolve();

  /** Removes the oldest files, once per process. */
  const prune = async (): Promise<void> => {
    if (isPruned) return;
    isPruned = true;
    const paths = (await readdir(checks)).map((name) => join(checks, name));
    if (paths.length <= maxFiles) return;
    const aged = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
    aged.sort((one, other) => one.at - other.at);
    for (const { path } of aged.slice(0, aged.length - maxFiles)) await rm(path, { force: true });
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
      // Without the cache, the next start is only slower.
      writing = writing.then(() => writeNow(key, found)).catch(() => {});
    },
    flush: () => writing,
  };
};
