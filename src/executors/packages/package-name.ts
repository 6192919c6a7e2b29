// The package that a specifier or a file belongs to.

/** `@scope/name/sub/path` → `@scope/name`. */
export const toPackageName = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** The folder of the installed package that a file lies in; undefined for a file of no package. */
export const toPackageFolder = (file: string): string | undefined => {
  const path = file.replaceAll("\\", "/");
  const marker = "/node_modules/";
  const start = path.lastIndexOf(marker) + marker.length;
  if (start < marker.length) return undefined;
  return path.slice(0, start) + toPackageName(path.slice(start));
};
