// Cached check results, one small file per program.
import { hash } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "../../contracts/index.js";
import { removeOldest, writeFileAtomically } from "../file-io.js";

export interface CheckCache {
  /** Undefined if nothing is cached. */
  readonly read: (key: string) => Promise<Json | undefined>;
  /** Writes in the background. */
  readonly write: (key: string, found: Json) => void;
  /** Resolves when everything is written. */
  readonly flush: () => Promise<void>;
}

interface CheckCacheOptions {
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
    await removeOldest(checks, await readdir(checks), { max: maxFiles });
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
