// The shared libraries that programs and extension modules of this machine link, as the dynamic linker finds them.
import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const batchSize = 100;

/** Paths of all libraries that these files, or the files in these folders, need to start. */
export const findLibraries = async (paths: readonly string[]): Promise<readonly string[]> => {
  const programs = (await Promise.all(paths.map(listPrograms))).flat();
  const found = new Set<string>();
  for (let at = 0; at < programs.length; at += batchSize) {
    const output = await askLinker(programs.slice(at, at + batchSize));
    for (const line of output.split("\n")) {
      // trusted: what the dynamic linker prints
      const path = /(?:=> |^\t)(\/\S+) \(0x/.exec(line)?.[1];
      if (path !== undefined) found.add(path);
    }
  }
  return [...found];
};

const listPrograms = async (path: string): Promise<readonly string[]> => {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true });
  return entries.filter((name) => /\.so(\.\d+)*$/.test(name)).map((name) => join(path, name));
};

/** One that is no program for this linker makes it complain about that one only. */
const askLinker = (paths: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile("ldd", [...paths], { maxBuffer: 1 << 26 }, (_error, stdout) => resolve(stdout));
  });
