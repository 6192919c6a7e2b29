// The files of src/ with their imports, for the architecture tests.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

const root = fileURLToPath(new URL("../../src", import.meta.url));

export interface SourceFile {
  /** Below src/, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Everything after `from`, in `import(...)` and in `export ... from`. */
  readonly imports: readonly string[];
}

const importsOf = (path: string, text: string): readonly string[] => {
  const { module } = parseSync(path, text);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start, moduleRequest.end).replace(/^["'`]|["'`]$/g, ""),
    ),
  ];
};

/** Every file of src/ that is code of the host or of a guest; the demo's program is data. */
export const readSourceFiles = (): readonly SourceFile[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|py)$/.test(entry.name))
    .map((entry) => {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join("/");
      const text = readFileSync(join(root, path), "utf8");
      return { path, text, imports: path.endsWith(".py") ? [] : importsOf(path, text) };
    });

/** A relative import as a path below src/. */
export const resolveImport = (file: SourceFile, specifier: string): string =>
  posix.join(posix.dirname(file.path), specifier);

/** The name of the package an import comes from; undefined for our own files and Node's modules. */
export const packageOf = (specifier: string): string | undefined => {
  if (specifier.startsWith(".") || specifier.startsWith("node:")) return undefined;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
};
