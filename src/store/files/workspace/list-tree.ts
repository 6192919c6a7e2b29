// What is in a folder of the workspace, by itself or with everything below it; links and devices are not there.
import { lstatSync, readdirSync } from "node:fs";
import type { FileFacts } from "../../../contracts/index.js";
import type { AnchoredFolder } from "./anchored-folder.js";

export const toFacts = (
  path: string,
  facts: { isDirectory: () => boolean; size: number; mtimeMs: number },
): FileFacts => ({
  path,
  kind: facts.isDirectory() ? "folder" : "file",
  bytes: facts.isDirectory() ? 0 : facts.size,
  modifiedAt: new Date(facts.mtimeMs).toISOString(),
});

/** The entries of one open folder, sorted by name. */
export const listFolder = (folder: AnchoredFolder, path: string): readonly FileFacts[] => {
  const names = readdirSync(folder.at(""));
  folder.check();
  return names.sort().flatMap((name) => {
    const facts = lstatSync(folder.at(name), { throwIfNoEntry: false });
    if (facts === undefined || !(facts.isDirectory() || facts.isFile())) return [];
    return [toFacts(path === "" ? name : `${path}/${name}`, facts)];
  });
};

/** The same with everything below. `open` opens a folder by its path; one that vanishes meanwhile is empty. */
export const listTree = (open: (path: string) => AnchoredFolder, path: string): readonly FileFacts[] => {
  const folder = open(path);
  let entries: readonly FileFacts[];
  try {
    entries = listFolder(folder, path);
  } finally {
    folder.close();
  }
  return entries.flatMap((entry) =>
    entry.kind === "folder" ? [entry, ...listBelow(open, entry.path)] : [entry],
  );
};

const listBelow = (open: (path: string) => AnchoredFolder, path: string): readonly FileFacts[] => {
  try {
    return listTree(open, path);
  } catch {
    return [];
  }
};
