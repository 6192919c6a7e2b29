// Tells whether files have changed without reading them.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Another text whenever a file of the folder was written, added or removed; empty when there is none. */
export const stampFolder = async (folder: string): Promise<string> => {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json")).sort();
  const stamps = names.map(async (name) => {
    const found = await stat(join(folder, name)).catch(() => undefined);
    return found === undefined ? "" : `${name} ${found.mtimeMs} ${found.size}`;
  });
  return (await Promise.all(stamps)).join("\n");
};
