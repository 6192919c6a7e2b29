// The files of one run: its journal, and a folder beside it for texts that are too large for the journal.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  CoordinatorError,
  decodeInSteps,
  encodeInSteps,
  finishInSlices,
  type RecordedRun,
  type RunReader,
  type RunSummary,
  type Runs,
} from "../../contracts/index.js";
import { checkBound } from "../check-input.js";
import { errnoOf } from "../file-io.js";
import { foldJournal, summarizeJournal, toSummary } from "../journal/fold-journal.js";
import { parseRecord } from "../journal/journal-record.js";
import { openRunReader, type RunTexts } from "../journal/run-texts.js";
import { isOwned, type ReadRecords, readJournal } from "./journal-file.js";

const journalExtension = ".jsonl";

export interface RunFiles {
  readonly journal: string;
  /** Created with its first text. */
  readonly folder: string;
}

/** `name`: the file name for the run's id. */
export const toRunFiles = (root: string, name: string): RunFiles => ({
  journal: join(root, `${name}${journalExtension}`),
  folder: join(root, `${name}.files`),
});

/** The files of all runs, and which of them have a folder. */
export const listRunFiles = async (
  root: string,
): Promise<readonly (RunFiles & { readonly hasFolder: boolean })[]> => {
  const names = new Set(await readdir(root).catch(() => []));
  return [...names]
    .filter((name) => name.endsWith(journalExtension))
    .map((name) => toRunFiles(root, name.slice(0, -journalExtension.length)))
    .map((files) => ({ ...files, hasFolder: names.has(basename(files.folder)) }));
};

/** Enough for the first or the last record. */
const edgeBytes = 64 * 1024;

/** Reads and folds a journal. Throws RUN_UNKNOWN. */
export const readFolded = (
  { journal: path }: RunFiles,
  runId: string,
): ReadRecords & { readonly recorded: RecordedRun } => {
  try {
    const { records, validBytes } = readJournal(path, `the journal of the run "${runId}"`);
    return { recorded: foldJournal(records, (owner) => isOwned(owner, path)), records, validBytes };
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" && errnoOf(error) !== "ENOTDIR") throw error;
    throw new CoordinatorError("RUN_UNKNOWN", `Cannot find the run "${runId}": there is none with that id`);
  }
};

const readEdges = (path: string): { readonly first: string; readonly last: string } => {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.allocUnsafe(Math.min(size, edgeBytes));
    const head = buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, buffer.length, 0));
    const tail =
      size <= edgeBytes
        ? head
        : buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, buffer.length, size - buffer.length));
    const lines = tail.split("\n");
    // What follows the last line break is empty or a torn line.
    return { first: head.split("\n")[0] ?? "", last: lines.at(-2) ?? "" };
  } finally {
    closeSync(descriptor);
  }
};

/** Summarizes a run, usually from the first and last record alone; undefined if it cannot be read. */
export const summarizeRun = (files: RunFiles): RunSummary | undefined => {
  try {
    const { first, last } = readEdges(files.journal);
    const started = parseRecord(first);
    const ended = parseRecord(last);
    if (started?.type === "started" && ended?.type === "ended") return toSummary(started, ended);
    return summarizeJournal(readFolded(files, basename(files.journal)).recorded);
  } catch {
    return undefined;
  }
};

/** A text is written before the record that names it, so no record names an incomplete text. */
export const openTextFiles = (folder: string, { isSynced = false } = {}): RunTexts => ({
  write: async (file, text) => {
    const path = join(folder, file);
    const content = await finishInSlices(encodeInSteps(text));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, content, { mode: 0o600, flush: isSynced });
    return { file, bytes: content.length };
  },
  read: async ({ file, bytes }) => {
    const content = await readFile(join(folder, file)).catch(() => undefined);
    if (content?.length === bytes) return finishInSlices(decodeInSteps(content));
    throw new CoordinatorError(
      "STORE_UNREADABLE",
      `Cannot read "${file}" of the run: ${content === undefined ? "the file is missing" : `it has ${content.length} bytes, expected ${bytes}`}`,
    );
  },
});

export const readRun = (files: RunFiles, runId: string): RunReader =>
  openRunReader(readFolded(files, runId).recorded, openTextFiles(files.folder));

interface PruneSource {
  readonly root: string;
  readonly list: Runs["list"];
  readonly remove: Runs["remove"];
  readonly filesOf: (runId: string) => RunFiles;
}

const sizeOf = async (path: string): Promise<number> => {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() === true ? stats.size : 0;
};

/** The size of a run's journal and folder. */
const sizeOfRun = async ({ journal, folder }: RunFiles, hasFolder: boolean): Promise<number> => {
  const names = hasFolder ? await readdir(folder, { recursive: true }).catch(() => []) : [];
  const sizes = await Promise.all([journal, ...names.map((name) => join(folder, name))].map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0);
};

const isSettled = ({ status }: RunSummary): boolean =>
  status === "completed" || status === "failed" || status === "stopped";

/**
 * Removes the oldest runs until the rest fits: ended and undone runs first, then paused and interrupted ones. A run that undoes another one
 * stays as long as that one: only it says what was undone.
 */
export const pruneRuns = async (
  { root, list, remove, filesOf }: PruneSource,
  bounds: { readonly runs: number; readonly bytes: number },
): Promise<{ readonly removed: readonly string[] }> => {
  const maxRuns = checkBound("number of runs", bounds.runs);
  const maxBytes = checkBound("size of runs", bounds.bytes);
  const runs = await list();
  const sizes = new Map<string, number>();
  const all = await listRunFiles(root);
  const withFolder = new Set(all.filter(({ hasFolder }) => hasFolder).map(({ folder }) => folder));
  for (const { runId } of runs) {
    const files = filesOf(runId);
    sizes.set(runId, await sizeOfRun(files, withFolder.has(files.folder)));
  }
  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  let count = runs.length;
  const oldestFirst = runs.toReversed().filter(({ status }) => status !== "running");
  const undone = new Set(runs.flatMap(({ undoes }) => undoes ?? []));
  const isFirst = (run: RunSummary): boolean => isSettled(run) || undone.has(run.runId);
  const candidates = [...oldestFirst.filter(isFirst), ...oldestFirst.filter((run) => !isFirst(run))];
  const removed: string[] = [];
  for (const { runId, undoes } of candidates) {
    if (count <= maxRuns && bytes <= maxBytes) break;
    if (undoes !== undefined && sizes.has(undoes) && !removed.includes(undoes)) continue;
    // A run that was resumed in the meantime stays.
    const isRemoved = await remove(runId).then(
      () => true,
      () => false,
    );
    if (!isRemoved) continue;
    removed.push(runId);
    count -= 1;
    bytes -= sizes.get(runId) ?? 0;
  }
  return { removed };
};
