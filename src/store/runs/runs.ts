// The runs of one workspace, a folder each: begun, gone on with, read, listed, kept as cassettes.
import { hash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  CoordinatorError,
  type JournalRecord,
  type Language,
  type OpenRun,
  type ProgramReference,
  type ReplayChoices,
  type RunSummary,
  type Runs,
} from "../../contracts/index.js";
import { guardStore } from "../guard-store.js";
import { ownIdentity, withLock } from "../lock/index.js";
import { checkName, toFileName } from "../store-name.js";
import { parseCassette, programFile, renderCassette, toStarted, toStoredRecord } from "./cassette.js";
import { foldJournal } from "./fold-journal.js";
import { openJournalFile } from "./journal-file.js";
import { openRun } from "./open-run.js";
import { pruneRuns } from "./prune-runs.js";
import { replayCassette } from "./replay-cassette.js";
import { isMissing, journalName, readRun, readRunFolder, summarizeFolder } from "./run-folder.js";
import { holdRun } from "./run-owner.js";
import { openSideFiles } from "./side-texts.js";

export interface RunsOptions {
  /** The workspace's folder. */
  readonly folder: string;
  /** Wait for the disk at every record, so that a power cut loses nothing. */
  readonly isSynced?: boolean;
}

export const openRuns = ({ folder: workspace, isSynced = false }: RunsOptions): Runs => {
  const root = join(workspace, "runs");
  const folderOf = (runId: string): string => join(root, toFileName(checkName("run", runId)));

  /** Makes the folder of a new run. */
  const makeFolder = (runId: string): string => {
    const folder = folderOf(runId);
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (isMissing(error)) {
        mkdirSync(root, { recursive: true, mode: 0o700 });
        return makeFolder(runId);
      }
      if (error instanceof Error && "code" in error && error.code === "EEXIST")
        throw new CoordinatorError("RUN_BUSY", `Cannot begin the run "${runId}": a run of that id is kept`);
      throw error;
    }
    return folder;
  };

  const writeProgram = (
    folder: string,
    code: string,
    language: Language,
    attempt: number,
  ): ProgramReference => {
    const file = programFile(language, attempt);
    writeFileSync(join(folder, file), code, { mode: 0o600, flush: isSynced });
    return { file, bytes: Buffer.byteLength(code), hash: hash("sha256", code) };
  };

  /** Appends the record that begins an attempt, and opens the run behind it. */
  const open = async (
    folder: string,
    records: readonly JournalRecord[],
    { validBytes, choices }: { readonly validBytes: number; readonly choices: ReplayChoices },
  ): Promise<OpenRun> => {
    const file = openJournalFile({ path: join(folder, journalName), validBytes, isSynced });
    try {
      const journal = foldJournal(records, () => true);
      for (const record of records.slice(-1)) await file.append(record);
      const letGo = holdRun(folder);
      const port = {
        append: file.append,
        appendLater: file.appendLater,
        close: (isSettled: boolean) => {
          letGo(isSettled);
          file.close();
        },
        texts: openSideFiles(folder, { isSynced }),
      };
      return guardStore(openRun(port, journal, choices));
    } catch (error) {
      file.close();
      throw error;
    }
  };

  const list: Runs["list"] = async ({ limit } = {}) => {
    const names = await readdir(root).catch(() => []);
    const found = names.map((name) => summarizeFolder(join(root, name), name));
    return found
      .filter((summary): summary is RunSummary => summary !== undefined)
      .sort((one, other) => (one.startedAt < other.startedAt ? 1 : one.startedAt > other.startedAt ? -1 : 0))
      .slice(0, limit);
  };

  const remove: Runs["remove"] = async (runId) => {
    const { journal } = readRunFolder(folderOf(runId), runId);
    if (journal.status === "running") throw busy(runId);
    await rm(folderOf(runId), { recursive: true, force: true });
  };

  return {
    list,
    remove,
    begin: async ({ runId, language, code, session, rights = {}, startedAt }) => {
      const folder = makeFolder(runId);
      const record: JournalRecord = {
        type: "started",
        version: 1,
        runId,
        at: startedAt ?? new Date().toISOString(),
        language,
        program: writeProgram(folder, code, language, 1),
        ...(session === undefined ? {} : { session }),
        rights,
        owner: ownIdentity(),
      };
      return open(folder, [record], { validBytes: 0, choices: {} });
    },
    resume: async (runId, { code, rights, ...choices } = {}) => {
      const folder = folderOf(runId);
      readRunFolder(folder, runId);
      // Two may want the same run: the second finds the first one's name in the journal.
      return withLock(join(folder, "locks"), async () => {
        const { journal, records, validBytes } = readRunFolder(folder, runId);
        if (journal.status === "running") throw busy(runId);
        const attempt = journal.attempt + 1;
        const { language } = journal.started;
        const record: JournalRecord = {
          type: "resumed",
          at: new Date().toISOString(),
          attempt,
          program: code === undefined ? journal.program : writeProgram(folder, code, language, attempt),
          rights: rights ?? journal.rights,
          owner: ownIdentity(),
        };
        return open(folder, [...records, record], { validBytes, choices });
      });
    },
    read: async (runId) => readRun(folderOf(runId), runId),
    prune: (bounds) => pruneRuns({ root, list, remove, folderOf }, bounds),
    exportCassette: async (runId, { enclosed } = {}) =>
      renderCassette(readRun(folderOf(runId), runId), enclosed),
    openCassette: async (text) => replayCassette(parseCassette(text)),
    importCassette: async (text, runId) => {
      const cassette = parseCassette(text);
      const folder = makeFolder(runId);
      writeProgram(folder, cassette.code, cassette.language, 1);
      const texts = openSideFiles(folder, { isSynced });
      const file = openJournalFile({ path: join(folder, journalName), validBytes: 0, isSynced });
      try {
        for (const record of cassette.records)
          await file.append(
            record.type === "started"
              ? toStarted(record, cassette, runId)
              : await toStoredRecord(texts, record),
          );
      } finally {
        file.close();
      }
      const summary = summarizeFolder(folder, runId);
      if (summary === undefined)
        throw new CoordinatorError("INTERNAL", `Cannot read the run "${runId}" again`);
      return summary;
    },
  };
};

const busy = (runId: string): CoordinatorError =>
  new CoordinatorError("RUN_BUSY", `Cannot change the run "${runId}": a process works on it`);
