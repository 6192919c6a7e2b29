// JavaScript packages that programs may import: listed in the configuration, bundled once, stored on disk, passed on only when imported.
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CoordinatorError, type LibraryFile } from "../../contracts/index.js";
import { type Bundle, type BundleOptions, bundlePackage, toPackageName } from "./bundle-package.js";

export interface PackagesOptions {
  /** Whole packages or single paths: `lodash-es`, `date-fns/format`. */
  readonly packages: readonly string[];
  /** The folder from which they are resolved: that of the configuration. */
  readonly resolveFrom: string;
  readonly cacheFolder: string;
}

/** One import of a program; several of the same path are merged. */
export interface PackageImport {
  /** The specifier as written. */
  readonly specifier: string;
  /** Its name in the module that the sandbox gets. */
  readonly path: string;
  /** "default" among them stands for a default import. */
  readonly names: readonly string[] | "all";
}

export interface Packages {
  readonly isListed: (specifier: string) => boolean;
  /** The modules for a program's imports. Throws PROGRAM_INVALID for one that is unavailable. */
  readonly select: (imports: readonly PackageImport[]) => Promise<readonly LibraryFile[]>;
}

export const openPackages = ({ packages, resolveFrom, cacheFolder }: PackagesOptions): Packages => {
  const cache = openBundleCache(cacheFolder);
  /** Includes pending ones: two runs that need the same bundle wait for it together. */
  const known = new Map<string, Promise<string>>();

  const isListed = (specifier: string): boolean =>
    packages.includes(specifier) || packages.includes(toPackageName(specifier));

  const make = async (options: BundleOptions): Promise<string> => {
    const cached = await cache.read(options);
    if (cached !== undefined) return cached;
    const bundle = await bundlePackage(options);
    await cache.write(options, bundle);
    return bundle.source;
  };

  const bundle = (options: BundleOptions): Promise<string> => {
    const key = JSON.stringify([options.specifier, options.names]);
    const there = known.get(key);
    if (there !== undefined) return there;
    const made = make(options);
    known.set(key, made);
    // A missing package may be installed before the next run.
    made.catch(() => known.delete(key));
    return made;
  };

  return {
    isListed,
    select: (imports) =>
      Promise.all(
        joinImports(imports).map(async ({ specifier, path, names }) => {
          if (!isListed(specifier)) throw refuse(specifier, packages);
          return { path, source: await bundle({ specifier, names, resolveFrom }) };
        }),
      ),
  };
};

const joinImports = (imports: readonly PackageImport[]): readonly PackageImport[] => {
  const joined = new Map<string, PackageImport>();
  for (const { specifier, path, names } of imports) {
    const before = joined.get(path)?.names ?? [];
    const isAll = names === "all" || before === "all";
    joined.set(path, {
      specifier,
      path,
      names: isAll ? "all" : [...new Set([...before, ...names])].sort(),
    });
  }
  // An import without names is for its side effects.
  return [...joined.values()].map((one) => (one.names.length === 0 ? { ...one, names: "all" } : one));
};

const refuse = (specifier: string, packages: readonly string[]): CoordinatorError =>
  new CoordinatorError(
    "PROGRAM_INVALID",
    `Cannot import "${specifier}": ${
      packages.length === 0
        ? "no packages are configured for programs"
        : `programs may import ${packages.map((name) => `"${name}"`).join(", ")}`
    }`,
    { hint: `List it in the configuration: "coordinator": { "packages": ["${toPackageName(specifier)}"] }.` },
  );

interface BundleCache {
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
const openBundleCache = (folder: string): BundleCache => {
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
