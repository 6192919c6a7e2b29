// Paths as people write them: `~` for the home folder, relative to a folder that the caller names.
import { statSync } from "node:fs";
import { resolve } from "node:path";

/** Puts the home folder in place of a leading `~`. */
export const expandHome = (path: string, homeFolder: string): string =>
  /^~(?=$|[\\/])/.test(path) ? homeFolder + path.slice(1) : path;

/** A written path as an absolute one. */
export const resolvePath = (path: string, folder: string, homeFolder: string): string =>
  resolve(folder, expandHome(path, homeFolder));

/** What is at a path; `undefined` when nothing is there or it cannot be looked at. */
export const kindOfPath = (path: string): "file" | "folder" | undefined => {
  try {
    const found = statSync(path);
    // A folder may bring a link to a device whose content never ends.
    if (found.isCharacterDevice()) return undefined;
    return found.isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
};
