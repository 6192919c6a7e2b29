// Bundles what a program imports from an installed package into one module without imports. No code of the package is run.
import { builtinModules } from "node:module";
import type { OutputChunk, RolldownError, RolldownLog } from "rolldown";
import { CoordinatorError } from "../../contracts/index.js";

export interface BundleOptions {
  /** A package, or a path in one. */
  readonly specifier: string;
  /** The imported names; "default" is a name like any other. */
  readonly names: readonly string[] | "all";
  /** The folder from which the package is resolved. */
  readonly resolveFrom: string;
}

export interface Bundle {
  readonly source: string;
  /** The folders of all packages in it. */
  readonly folders: readonly string[];
}

const entry = "\0entry";

/** Bundles with unused code removed. Throws PROGRAM_INVALID if the package cannot be used in a program. */
export const bundlePackage = async (options: BundleOptions): Promise<Bundle> => {
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
export const toPackageName = (specifier: string): string =>
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
