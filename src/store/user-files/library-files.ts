// Writes a generated tree into a folder: only what changed, and never over or under what people wrote there.
import { mkdir, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CoordinatorError, type LibraryFile } from "../../contracts/index.js";
import { writeFileAtomically } from "../write-file-atomically.js";

interface WriteOptions {
  readonly folder: string;
  readonly files: readonly LibraryFile[];
  /** Stands in the first line of every generated file; a file without it was written by hand. */
  readonly marker: string;
  /** Files that are as they should be: neither looked at nor removed. */
  readonly isKnown?: (path: string) => boolean;
  /** Write every generated file, also one that would not change. */
  readonly isForced?: boolean;
}

/** How many files were written, found as they should be, and removed; and which were left because they are not ours. */
export interface WrittenTree {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly kept: readonly string[];
}

const deepestLevel = 6;
const filesAtOnce = 32;

const isGenerated = (text: string, marker: string): boolean =>
  text.slice(0, text.indexOf("\n") + 1 || undefined).includes(marker);

/** Tools choose part of the names; catalogs make them safe, and this is the last look. */
const checkPath = (path: string): void => {
  const segments = path.split("/");
  const isSafe = segments.every(
    (name) => name !== "" && name !== "." && name !== ".." && !/[\\:\0]/.test(name),
  );
  if (!isSafe)
    throw new CoordinatorError("INTERNAL", `Cannot write the file "${path}": it would leave its folder`);
};

/** Every file below a folder, as paths from the root; links are not followed. */
const listFiles = async (root: string, path: string, depth = 0): Promise<readonly string[]> => {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map((entry) => {
      const inner = `${path}/${entry.name}`;
      if (entry.isFile()) return [inner];
      return entry.isDirectory() && depth < deepestLevel ? listFiles(root, inner, depth + 1) : [];
    }),
  );
  return found.flat();
};

const removeEmptyFolders = async (root: string, path: string): Promise<void> => {
  for (let folder = dirname(path); folder.includes("/"); folder = dirname(folder)) {
    const isRemoved = await rmdir(join(root, folder)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
};

const removeStale = async ({ folder, files, marker, isKnown }: WriteOptions): Promise<number> => {
  const planned = new Set(files.map(({ path }) => path));
  const tops = new Set(files.map(({ path }) => path.split("/")[0] ?? path));
  let removed = 0;
  for (const path of (await Promise.all([...tops].map((top) => listFiles(folder, top)))).flat()) {
    if (planned.has(path) || isKnown?.(path) === true) continue;
    const text = await readFile(join(folder, path), "utf8").catch(() => "");
    if (!isGenerated(text, marker)) continue;
    await rm(join(folder, path), { force: true });
    await removeEmptyFolders(folder, path);
    removed += 1;
  }
  return removed;
};

const updateFile = async (
  { folder, marker, isForced }: WriteOptions,
  { path, source }: LibraryFile,
): Promise<"written" | "unchanged" | "kept"> => {
  const target = join(folder, path);
  const found = await readFile(target, "utf8").catch(() => undefined);
  if (found === source && isForced !== true) return "unchanged";
  if (found !== undefined && !isGenerated(found, marker)) return "kept";
  await mkdir(dirname(target), { recursive: true });
  await writeFileAtomically(target, source, { mode: 0o644 });
  return "written";
};

/** Brings the folder up to date. The same files twice write nothing the second time. */
export const writeLibraryTree = async (options: WriteOptions): Promise<WrittenTree> => {
  const { files } = options;
  for (const { path } of files) checkPath(path);
  // First, because where case makes no difference an old name can be a new file.
  const removed = await removeStale(options);
  const counts = { written: 0, unchanged: 0 };
  const kept: string[] = [];
  for (let start = 0; start < files.length; start += filesAtOnce) {
    const batch = files.slice(start, start + filesAtOnce);
    const outcomes = await Promise.all(batch.map((file) => updateFile(options, file)));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome === "kept") kept.push(batch[index]?.path ?? "");
      else counts[outcome] += 1;
    }
  }
  return { ...counts, removed, kept };
};
