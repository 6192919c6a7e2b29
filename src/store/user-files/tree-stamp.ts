// Remembers what a generated tree was made of, so that a server that did not change is neither rendered nor read again.
import { createHash } from "node:crypto";
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../write-file-atomically.js";

/** A file as it was left: another size or time means that somebody else wrote it. */
type FileStamp = readonly [path: string, bytes: number, modifiedMs: number];

export interface ServerStamp<Fallback> {
  /** Changes whenever anything that the server's files are made of does. */
  readonly fingerprint: string;
  readonly files: readonly FileStamp[];
  readonly fallbacks: readonly Fallback[];
  /** For the list of servers, when this one is not rendered. */
  readonly toolCount?: number | undefined;
}

/** By server. */
export type TreeStamp<Fallback> = Readonly<Record<string, ServerStamp<Fallback>>>;

interface StampPlace {
  readonly cacheFolder: string;
  /** The tree's own folder. */
  readonly folder: string;
  readonly language: string;
}

const filesAtOnce = 64;

const toFile = ({ cacheFolder, folder, language }: StampPlace): string => {
  const name = createHash("sha256").update(`${language}\n${folder}`).digest("hex").slice(0, 32);
  return join(cacheFolder, "library", `${name}.json`);
};

/** What is kept of the last time; nothing when it cannot be read. */
export const readTreeStamp = async <Fallback>(place: StampPlace): Promise<TreeStamp<Fallback>> => {
  try {
    const parsed: unknown = JSON.parse(await readFile(toFile(place), "utf8"));
    return typeof parsed === "object" && parsed !== null ? (parsed as TreeStamp<Fallback>) : {};
  } catch {
    return {};
  }
};

/** A stamp that cannot be written only makes the next time slower. */
export const writeTreeStamp = async <Fallback>(
  place: StampPlace,
  stamp: TreeStamp<Fallback>,
): Promise<void> => {
  try {
    await mkdir(join(place.cacheFolder, "library"), { recursive: true, mode: 0o700 });
    await writeFileAtomically(toFile(place), JSON.stringify(stamp));
  } catch {}
};

/** The stamps of files as they are now; one that is missing has none. */
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

/** Whether a server's files are those that were written for the same fingerprint. */
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
