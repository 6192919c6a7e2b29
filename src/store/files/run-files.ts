// Where one run lies on disk, and how it is read: its journal, and a folder beside it for texts that are too large for that.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  CoordinatorError,
  type Journal,
  type Json,
  parseJson,
  type RunReader,
  type RunSummary,
} from "../../contracts/index.js";
import { foldJournal } from "../journal/fold-journal.js";
import { parseRecord } from "../journal/journal-record.js";
import { openSideFiles, recallAnswer, type SideTexts } from "../journal/run-texts.js";
import { summarizeJournal, toSummary } from "../journal/to-summary.js";
import { type ReadJournal, readJournal } from "./journal-file.js";
import { isOwned } from "./run-owner.js";

const journalEnding = ".jsonl";

export interface RunPlace {
  readonly journal: string;
  /** Made with the first text that is kept in it. */
  readonly folder: string;
}

/** The place of a run among all, by a file name that was made of its id. */
export const toPlace = (root: string, name: string): RunPlace => ({
  journal: join(root, `${name}${journalEnding}`),
  folder: join(root, `${name}.files`),
});

/** The places of all runs, and which of them have a folder. */
export const listPlaces = async (
  root: string,
): Promise<readonly (RunPlace & { readonly hasFolder: boolean })[]> => {
  const names = new Set(await readdir(root).catch(() => []));
  return [...names]
    .filter((name) => name.endsWith(journalEnding))
    .map((name) => toPlace(root, name.slice(0, -journalEnding.length)))
    .map((place) => ({ ...place, hasFolder: names.has(basename(place.folder)) }));
};

/** Enough for the first record, and for the last. */
const edgeBytes = 64 * 1024;

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

/** Reads and folds a journal. Throws RUN_UNKNOWN. */
export const readFolded = (
  { journal: path }: RunPlace,
  runId: string,
): ReadJournal & { readonly journal: Journal } => {
  try {
    const { records, validBytes } = readJournal(path, `the journal of the run "${runId}"`);
    return { journal: foldJournal(records, (owner) => isOwned(owner, path)), records, validBytes };
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new CoordinatorError("RUN_UNKNOWN", `Cannot find the run "${runId}": none of that id is kept`);
  }
};

const readEdges = (path: string): { readonly first: string; readonly last: string } | undefined => {
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
    // Behind the last line break is nothing, or a torn line.
    return { first: head.split("\n")[0] ?? "", last: lines.at(-2) ?? "" };
  } finally {
    closeSync(descriptor);
  }
};

/** A run for a list, in most cases without reading all of its journal; undefined when it cannot be read. */
export const summarizeRun = (place: RunPlace): RunSummary | undefined => {
  try {
    const edges = readEdges(place.journal);
    const started = parseRecord(edges?.first ?? "");
    const ended = parseRecord(edges?.last ?? "");
    if (started?.type === "started" && ended?.type === "ended") return toSummary(started, ended);
    return summarizeJournal(readFolded(place, basename(place.journal)).journal);
  } catch {
    return undefined;
  }
};

/** The texts of a journal, wherever they lie. */
const toReader = (journal: Journal, texts: SideTexts): RunReader => ({
  journal,
  readProgram: async () => journal.program.text ?? texts.read(journal.program),
  readAnswer: async ({ intent, answer }) => {
    if (answer !== undefined) return recallAnswer(texts, answer.answer);
    throw new CoordinatorError(
      "STORE_UNREADABLE",
      `Cannot read the answer of call ${intent.sequence}: it was lost`,
    );
  },
  readArguments: async ({ intent }) =>
    intent.argumentFile === undefined
      ? (intent.arguments ?? null)
      : (parseJson(await texts.read(intent.argumentFile)) as Json),
  readResult: async () =>
    journal.ended?.resultFile === undefined
      ? journal.ended?.result
      : (parseJson(await texts.read(journal.ended.resultFile)) as Json),
});

export const readRun = (place: RunPlace, runId: string): RunReader =>
  toReader(readFolded(place, runId).journal, openSideFiles(place.folder));
