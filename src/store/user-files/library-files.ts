// The library in a person's folder: writes what was generated, only if it changed, and reads the adapters that people wrote beside it.
import { hash } from "node:crypto";
import { mkdir, readdir, readFile, realpath, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { CoordinatorError, type LibraryFile } from "../../contracts/index.js";
import { readBounded, writeFileAtomically } from "../file-io.js";

interface WriteOptions {
  readonly folder: string;
  readonly files: readonly LibraryFile[];
  /** Part of the first line of every generated file; a file without it was written by hand. */
  readonly marker: string;
  /** Files that are up to date: neither read nor removed. */
  readonly isKnown?: ((path: string) => boolean) | undefined;
  /** Write every generated file, even if it would not change. */
  readonly isForced?: boolean | undefined;
}

/** The number of files written, unchanged and removed, and the hand-written files that were left alone. */
export interface WrittenTree {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly kept: readonly string[];
}

const maxDepth = 6;
const filesAtOnce = 32;

/** Whether the first line has the marker. */
const isGenerated = (text: string, marker: string): boolean =>
  text.slice(0, text.indexOf("\n") + 1 || undefined).includes(marker);

/** Servers choose part of the names. Catalogs make them safe; this is the last check. */
const checkPath = (path: string): void => {
  const segments = path.split("/");
  const isSafe = segments.every(
    (name) => name !== "" && name !== "." && name !== ".." && !/[\\:\0]/.test(name),
  );
  if (!isSafe)
    throw new CoordinatorError("INTERNAL", `Cannot write the file "${path}": it would leave its folder`);
};

/** Every file below a folder, relative to the root; links are not followed. */
const listFiles = async (root: string, path: string, depth = 0): Promise<readonly string[]> => {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map((entry) => {
      const inner = `${path}/${entry.name}`;
      if (entry.isFile()) return [inner];
      return entry.isDirectory() && depth < maxDepth ? listFiles(root, inner, depth + 1) : [];
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

/** Updates the folder. Writing the same files again changes nothing. */
export const writeLibraryTree = async (options: WriteOptions): Promise<WrittenTree> => {
  const { files } = options;
  for (const { path } of files) checkPath(path);
  // First: on a case-insensitive system, the old name of a file may equal a new one.
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

/** A file as we wrote it: another size or time means that it was changed. */
type FileStamp = readonly [path: string, bytes: number, modifiedMs: number];

export interface ServerStamp<Fallback> {
  /** Changes whenever the input of the server's files changes. */
  readonly fingerprint: string;
  readonly files: readonly FileStamp[];
  readonly fallbacks: readonly Fallback[];
  /** The list of servers shows it when this server is not rendered again. */
  readonly toolCount?: number | undefined;
}

/** Server → its stamp. */
type TreeStamp<Fallback> = Readonly<Record<string, ServerStamp<Fallback>>>;

interface StampPlace {
  readonly cacheFolder: string;
  /** The tree's own folder. */
  readonly folder: string;
  readonly language: string;
}

const toFile = ({ cacheFolder, folder, language }: StampPlace): string => {
  const name = hash("sha256", `${language}\n${folder}`).slice(0, 32);
  return join(cacheFolder, "library", `${name}.json`);
};

/** The stamp of the last write; empty if it cannot be read. */
export const readTreeStamp = async <Fallback>(place: StampPlace): Promise<TreeStamp<Fallback>> => {
  try {
    const parsed: unknown = JSON.parse(await readFile(toFile(place), "utf8"));
    return typeof parsed === "object" && parsed !== null ? (parsed as TreeStamp<Fallback>) : {};
  } catch {
    return {};
  }
};

/** Failures are ignored: without a stamp, the next write is only slower. */
export const writeTreeStamp = async <Fallback>(
  place: StampPlace,
  stamp: TreeStamp<Fallback>,
): Promise<void> => {
  try {
    await mkdir(join(place.cacheFolder, "library"), { recursive: true, mode: 0o700 });
    await writeFileAtomically(toFile(place), JSON.stringify(stamp));
  } catch {}
};

/** The stamps of the files that exist. */
export const stampFiles = async (folder: string, paths: readonly string[]): Promise<readonly FileStamp[]> => {
  const stamps: FileStamp[] = [];
  for (let start = 0; start < paths.length; start += filesAtOnce) {
    const batch = paths.slice(start, start + filesAtOnce);
    const found = await Promise.all(batch.map((path) => stat(join(folder, path)).catch(() => undefined)));
    for (const [index, facts] of found.entries())
      if (facts?.isFile() === true) stamps.push([batch[index] ?? "", facts.size, facts.mtimeMs]);
  }
  return stamps;
};

/** Whether a server's files are unchanged since they were written for this fingerprint. */
export const isFresh = async (
  folder: string,
  stamp: ServerStamp<unknown> | undefined,
  fingerprint: string,
): Promise<boolean> => {
  if (stamp?.fingerprint !== fingerprint || !Array.isArray(stamp.files) || !Array.isArray(stamp.fallbacks))
    return false;
  const now = await stampFiles(
    folder,
    stamp.files.map(([path]) => path),
  );
  return JSON.stringify(now) === JSON.stringify(stamp.files);
};

/** Where the adapters of one server are. */
export interface AdapterPlace {
  /** The library's folder on disk. */
  readonly root: string;
  /** The server's folder in it, e.g. `servers/github`. */
  readonly folder: string;
  /** In order of precedence. */
  readonly extensions: readonly string[];
  /** Part of the first line of every generated file. */
  readonly marker: string;
}

export interface Adapter {
  /** Without its extension, as programs import it: `servers/github/triage`. */
  readonly path: string;
  /** As in error messages: `servers/github/triage.ts`. */
  readonly file: string;
  readonly source: string;
}

const maxBytes = 1024 * 1024;
const maxListed = 200;

/** No separators, no leading dot, nothing that a file system could interpret. */
const safeName = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.-]{0,99}$/u;

/** Undefined if there is no such file, or only a generated one. */
export const readAdapter = async (place: AdapterPlace, name: string): Promise<Adapter | undefined> => {
  if (!safeName.test(name)) return undefined;
  const path = `${place.folder}/${name}`;
  for (const extension of place.extensions) {
    const file = path + extension;
    const source = await readInside(place.root, file);
    if (source !== undefined && !isGenerated(source, place.marker)) return { path, file, source };
  }
  return undefined;
};

/** The names of a server's adapters, sorted. */
export const listAdapters = async (place: AdapterPlace): Promise<readonly string[]> => {
  const entries = await readdir(join(place.root, place.folder)).catch(() => []);
  const names = entries.flatMap((entry) => {
    const extension = place.extensions.find((one) => entry.endsWith(one));
    return extension === undefined ? [] : [entry.slice(0, -extension.length)];
  });
  const found: string[] = [];
  for (const name of [...new Set(names)].sort()) {
    if (found.length === maxListed) break;
    const adapter = await readAdapter(place, name).catch(() => undefined);
    if (adapter !== undefined) found.push(name);
  }
  return found;
};

const readInside = async (root: string, file: string): Promise<string | undefined> => {
  let target: string;
  let home: string;
  try {
    [target, home] = await Promise.all([realpath(join(root, file)), realpath(root)]);
  } catch {
    return undefined;
  }
  if (!target.startsWith(home + sep))
    throw new CoordinatorError(
      "PROGRAM_INVALID",
      `Cannot import "${file}": it is a link out of the library's folder`,
      { hint: "Put the file itself there." },
    );
  const tooLarge = (bytes: number): CoordinatorError =>
    new CoordinatorError(
      "LIMIT_CODE",
      `Cannot import "${file}": it has ${bytes} bytes, at most ${maxBytes} are allowed`,
      { hint: "Split the adapter into smaller files." },
    );
  return (await readBounded(target, { maxBytes, tooLarge }))?.toString("utf8");
};
