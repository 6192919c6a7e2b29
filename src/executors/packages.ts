// JavaScript packages that programs may import: listed in the configuration, and bundled once into modules without imports. Bundles are stored on
// disk and passed on only when imported. No code of a package runs on the host.
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { join } from "node:path";
import type { OutputChunk, RolldownError, RolldownLog } from "rolldown";
import { CoordinatorError, type LibraryFile } from "../contracts/index.js";

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
    const started = known.get(key);
    if (started !== undefined) return started;
    const making = make(options);
    known.set(key, making);
    // A missing package may be installed before the next run.
    making.catch(() => known.delete(key));
    return making;
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

interface BundleOptions {
  /** A package, or a path in one. */
  readonly specifier: string;
  /** The imported names; "default" is a name like any other. */
  readonly names: readonly string[] | "all";
  /** The folder from which the package is resolved. */
  readonly resolveFrom: string;
}

interface Bundle {
  readonly source: string;
  /** The folders of all packages in it. */
  readonly folders: readonly string[];
}

const entry = "\0entry";

/** Bundles with unused code removed. Throws PROGRAM_INVALID if the package cannot be used in a program. */
const bundlePackage = async (options: BundleOptions): Promise<Bundle> => {
  const { specifier, resolveFrom } = options;
  const { rolldown } = await loadBundler(specifier);
  const unresolved: RolldownLog[] = [];
  try {
    const build = await rolldown({
      input: entry,
      cwd: resolveFrom,
      // Neither Node nor browser: a package without a build for either gives its plain one.
      platform: "neutral",
      tsconfig: false,
      resolve: { mainFields: ["module", "main"], conditionNames: ["import", "module", "default"] },
      transform: {
        target: "es2023",
        define: { "process.env.NODE_ENV": '"production"', global: "globalThis" },
      },
      onLog: (_level, log) => {
        if (log.code === "UNRESOLVED_IMPORT") unresolved.push(log);
      },
      plugins: [
        {
          name: "entry",
          resolveId: (id) => (id === entry ? entry : undefined),
          load: (id) => (id === entry ? toEntry(options) : undefined),
        },
      ],
    });
    const { output } = await build.generate({
      format: "esm",
      minify: true,
      // Packages look at the names of their own classes.
      keepNames: true,
      codeSplitting: false,
    });
    await build.close();
    refuseUnresolved(specifier, unresolved);
    return { source: output[0].code, folders: toFolders(output[0]) };
  } catch (thrown) {
    throw toBundleError(specifier, thrown);
  }
};

const loadBundler = async (specifier: string): Promise<typeof import("rolldown")> => {
  try {
    return await import("rolldown");
  } catch (cause) {
    throw new CoordinatorError(
      "PROGRAM_INVALID",
      `Cannot import "${specifier}": the bundler "rolldown" is not installed`,
      { cause, hint: 'Run "npm install" again to install the optional package "rolldown".' },
    );
  }
};

const toEntry = ({ specifier, names }: BundleOptions): string => {
  const from = JSON.stringify(specifier);
  return names === "all"
    ? `import * as whole from ${from}; export * from ${from}; export default whole.default;`
    : `export { ${names.map((name) => (name === "default" ? name : JSON.stringify(name))).join(", ")} } from ${from};`;
};

const refuseUnresolved = (specifier: string, logs: readonly RolldownLog[]): void => {
  const [first] = logs;
  if (first === undefined) return;
  const wanted = String(first.exporter);
  const name = wanted.replace(/^node:/, "");
  const isBuiltin = wanted.startsWith("node:") || builtinModules.includes(name);
  const importer = toPackageFolder(first.id ?? "")
    ?.split("/node_modules/")
    .at(-1);
  const owner = importer === undefined || importer === toPackageName(specifier) ? "it" : `its "${importer}"`;
  if (isBuiltin) {
    throw new CoordinatorError(
      "PROGRAM_INVALID",
      `Cannot import "${specifier}": ${owner} needs Node's "${name}", which programs do not have`,
      { hint: "Use a package that is pure JavaScript." },
    );
  }
  throw new CoordinatorError(
    "PROGRAM_INVALID",
    importer === undefined
      ? `Cannot import "${specifier}": the package is listed, but not installed`
      : `Cannot import "${specifier}": ${owner} needs "${wanted}", which is not installed`,
    { hint: `Run "npm install ${toPackageName(wanted)}" in the folder of the configuration.` },
  );
};

const toFolders = ({ moduleIds }: OutputChunk): readonly string[] => {
  const folders = moduleIds.map(toPackageFolder).filter((folder) => folder !== undefined);
  return [...new Set(folders)].sort();
};

const toBundleError = (specifier: string, thrown: unknown): CoordinatorError => {
  if (thrown instanceof CoordinatorError) return thrown;
  const { errors = [] } = thrown as { readonly errors?: readonly RolldownError[] | undefined };
  const [first] = errors;
  const name = /"([^"]*)" is not exported/.exec(first?.message ?? "")?.[1];
  const problem =
    first?.code === "MISSING_EXPORT" && name !== undefined
      ? `Cannot import "${name}" from "${specifier}": the package has no such export`
      : first?.code === "RESOLVE_ERROR"
        ? `Cannot import "${specifier}": the package has no such path`
        : `Cannot import "${specifier}": it cannot be bundled: ${first?.code ?? String(thrown)}`;
  return new CoordinatorError("PROGRAM_INVALID", problem, {
    cause: thrown,
    hint: "Import something that the package exports, or remove the import.",
  });
};

/** `@scope/name/sub/path` → `@scope/name`. */
const toPackageName = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** The folder of the installed package that a file lies in; undefined for a file of no package. */
const toPackageFolder = (file: string): string | undefined => {
  const path = file.replaceAll("\\", "/");
  const marker = "/node_modules/";
  const start = path.lastIndexOf(marker) + marker.length;
  if (start < marker.length) return undefined;
  return path.slice(0, start) + toPackageName(path.slice(start));
};
