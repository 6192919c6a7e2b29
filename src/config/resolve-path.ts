// Paths as people write them: `~` for the home folder, relative to a folder that the caller names.
import { statSync } from "node:fs";
import { resolve } from "node:path";

/** Puts the home folder in place of a leading `~`. */
export const expandHome = (path: string, homeFolder: string): string =>
  /^~(?=$|[\\/])/.test(path) ? homeFolder + path.slice(1) : path;

/** A written path as an absolute one. */
export const resolvePath = (path: string, folder: string, homeFolder: string): string =>
  resolve(folder, expandHome(path, homeFolder));

/** What is at a path; `undefined` when nothing is there, it cannot be looked at, or it is a device. */
export const kindOfPath = (path: string): "file" | "folder" | "pipe" | undefined => {
  try {
    const found = statSync(path);
    if (found.isFile()) return "file";
    // A folder may bring a link to a pipe, such as our own input, whose content never ends.
    if (found.isFIFO()) return "pipe";
    return found.isDirectory() ? "folder" : undefined;
  } catch {
    return undefined;
  }
};
