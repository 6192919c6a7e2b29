// Where one run lies on disk, and how it is read: its journal, its program, the texts beside it.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import {
  CoordinatorError,
  type Journal,
  type Json,
  type RunReader,
  type RunSummary,
} from "../../contracts/index.js";
import { foldJournal } from "./fold-journal.js";
import { type ReadJournal, readJournal } from "./journal-file.js";
import { parseRecord } from "./parse-record.js";
import { isOwned } from "./run-owner.js";
import { openSideFiles, recallAnswer, type SideTexts } from "./side-texts.js";
import { summarizeJournal, toSummary } from "./to-summary.js";

export const journalName = "journal.jsonl";

/** Enough for the first record, and for the last. */
const edgeBytes = 64 * 1024;

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

/** Reads and folds a journal. Throws RUN_UNKNOWN. */
export const readRunFolder = (folder: string, runId: string): ReadJournal & { readonly journal: Journal } => {
  const path = join(folder, journalName);
  try {
    const { records, validBytes } = readJournal(path, `the journal of the run "${runId}"`);
    return { journal: foldJournal(records, (owner) => isOwned(owner, folder, path)), records, validBytes };
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
export const summarizeFolder = (folder: string, runId: string): RunSummary | undefined => {
  try {
    const edges = readEdges(join(folder, journalName));
    const started = parseRecord(edges?.first ?? "");
    const ended = parseRecord(edges?.last ?? "");
    if (started?.type === "started" && ended?.type === "ended") return toSummary(started, ended);
    return summarizeJournal(readRunFolder(folder, runId).journal);
  } catch {
    return undefined;
  }
};

/** The texts of a journal, wherever they lie. */
const toReader = (journal: Journal, texts: SideTexts): RunReader => ({
  journal,
  readProgram: () => texts.read(journal.program),
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
      : (JSON.parse(await texts.read(intent.argumentFile)) as Json),
  readResult: async () =>
    journal.ended?.resultFile === undefined
      ? journal.ended?.result
      : (JSON.parse(await texts.read(journal.ended.resultFile)) as Json),
});

export const readRun = (folder: string, runId: string): RunReader =>
  toReader(readRunFolder(folder, runId).journal, openSideFiles(folder));
