// Bundles on disk: each is valid while the packages in it keep their versions.
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bundle, BundleOptions } from "./bundle-package.js";

export interface BundleCache {
  readonly read: (options: BundleOptions) => Promise<string | undefined>;
  readonly write: (options: BundleOptions, bundle: Bundle) => Promise<void>;
}

/** Changes whenever the way we bundle changes. */
const recipe = 1;

interface CachedBundle {
  /** Folder of a package → its version. */
  readonly versions: Readonly<Record<string, string>>;
  readonly source: string;
}

/** Opens the cache in `<folder>/packages`; the folder is created on the first write. */
export const openBundleCache = (folder: string): BundleCache => {
  const bundles = join(folder, "packages");
  const toFile = ({ specifier, names, resolveFrom }: BundleOptions): string => {
    const key = JSON.stringify([recipe, specifier, names, resolveFrom]);
    return join(bundles, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`);
  };
  return {
    read: async (options) => {
      try {
        const { versions, source } = JSON.parse(await readFile(toFile(options), "utf8")) as CachedBundle;
        const present = await readVersions(Object.keys(versions));
        const isSame = Object.entries(versions).every(([path, version]) => present[path] === version);
        return isSame && typeof source === "string" ? source : undefined;
      } catch {
        return undefined;
      }
    },
    write: async (options, { source, folders }) => {
      const cached: CachedBundle = { versions: await readVersions(folders), source };
      const file = toFile(options);
      const draft = `${file}.${randomUUID()}`;
      try {
        await mkdir(bundles, { recursive: true, mode: 0o700 });
        await writeFile(draft, JSON.stringify(cached), { mode: 0o600 });
        await rename(draft, file);
      } catch {
        // A cache that cannot be written only makes the next start slower.
      }
    },
  };
};

const readVersions = async (folders: readonly string[]): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      folders.map(async (folder) => {
        const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "{}");
        return [folder, String((JSON.parse(text) as { readonly version?: unknown }).version)];
      }),
    ),
  );
