// Finds the shared libraries that programs and extension modules of this machine link, using the dynamic linker.
import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join, normalize } from "node:path";

const batchSize = 100;

/** Paths of all libraries that these files, or the files in these folders, need, without those inside the folders. */
export const findLibraries = async (
  paths: readonly string[],
  excluded: readonly string[] = [],
): Promise<readonly string[]> => {
  const found = new Set<string>();
  const programs = (await Promise.all(paths.map(listPrograms)))
    .flat()
    .filter((path) => !excluded.some((folder) => path.startsWith(`${folder}/`)));
  for (let at = 0; at < programs.length; at += batchSize) {
    for (const line of (await askLinker(programs.slice(at, at + batchSize))).split("\n")) {
      const path = readPath(line);
      if (path !== undefined) found.add(path);
    }
  }
  return withoutNested([...paths, ...found]).filter((path) => !paths.includes(path));
};

/** `\tlibm.so.6 => /lib/libm.so.6 (0x…)`; wheels name their own libraries by `…/numpy/../numpy.libs/…`. */
const readPath = (line: string): string | undefined => {
  const end = line.lastIndexOf(" (0x");
  const start = line.indexOf("=> ");
  const path = line.slice(start < 0 ? 0 : start + 3, Math.max(end, 0)).trim();
  return path.startsWith("/") ? normalize(path) : undefined;
};

/** Removes duplicates and paths that lie inside another one. */
export const withoutNested = (paths: readonly string[]): readonly string[] => {
  const unique = [...new Set(paths.map((path) => normalize(path)))];
  return unique.filter((path) => !unique.some((other) => path !== other && path.startsWith(`${other}/`)));
};

const listPrograms = async (path: string): Promise<readonly string[]> => {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true });
  return entries.filter((name) => /\.so(\.\d+)*$/.test(name)).map((name) => join(path, name));
};

/** If a file is no program for this linker, it complains about that file only. */
const askLinker = (paths: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile("ldd", [...paths], { maxBuffer: 1 << 26 }, (_error, stdout) => resolve(stdout));
  });
