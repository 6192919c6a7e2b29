// Removes a file or a folder with everything below it; of a link it removes the link.
import { lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import type { WorkspaceUsage } from "../../../contracts/index.js";
import type { AnchoredFolder } from "./anchored-folder.js";
import type { FilesPlace } from "./workspace-folder.js";

interface Place {
  readonly folder: AnchoredFolder;
  readonly name: string;
  /** The whole path to it, this name included. */
  readonly names: readonly string[];
}

/** What was removed, as it was counted. */
export const removeTree = (place: FilesPlace, { folder, name, names }: Place): WorkspaceUsage => {
  const facts = lstatSync(folder.at(name));
  folder.check();
  if (!facts.isDirectory()) {
    unlinkSync(folder.at(name));
    return facts.isFile() ? { bytes: facts.size, files: 1 } : { bytes: 0, files: 0 };
  }
  let bytes = 0;
  let files = 1;
  const inner = place.open(names);
  try {
    for (const entry of readdirSync(inner.at(""))) {
      const removed = removeTree(place, { folder: inner, name: entry, names: [...names, entry] });
      bytes += removed.bytes;
      files += removed.files;
    }
  } finally {
    inner.close();
  }
  rmdirSync(folder.at(name));
  return { bytes, files };
};
