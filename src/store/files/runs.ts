// The runs of one workspace, a journal file each: begins, resumes, reads, lists and removes them, and exports cassettes.
import { hash } from "node:crypto";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  CoordinatorError,
  type Language,
  type NewRun,
  type ReplayChoices,
  type RunSummary,
  type Runs,
  type StoredJournal,
  type StoredProgram,
} from "../../contracts/index.js";
import { ownIdentity } from "../../processes/index.js";
import { checkName, toFileName } from "../check-input.js";
import { errnoOf, guardStore, isMissing } from "../file-io.js";
import { parseCassette, renderCassette, replayCassette } from "../journal/cassette.js";
import { foldJournal } from "../journal/fold-journal.js";
import type { JournalRecord } from "../journal/journal-record.js";
import { maxInline } from "../journal/run-texts.js";
import { openStoredJournal } from "../journal/stored-journal.js";
import { withLock } from "../with-lock.js";
import { createJournalFile, type JournalFile, markOpen, openJournalFile } from "./journal-file.js";
import {
  listRunFiles,
  openTextFiles,
  pruneRuns,
  type RunFiles,
  readFolded,
  readRun,
  summarizeRun,
  toRunFiles,
} from "./run-files.js";

export interface RunsOptions {
  /** The workspace's folder. */
  readonly folder: string;
  /** Wait for the disk at every record, so that a power failure loses nothing. */
  readonly isSynced?: boolean | undefined;
}

export const openRuns = ({ folder: workspace, isSynced = false }: RunsOptions): Runs => {
  const root = join(workspace, "runs");
  const filesOf = (runId: string): RunFiles => toRunFiles(root, toFileName(checkName("run", runId)));

  /** Throws RUN_BUSY if the id is taken. */
  const createJournal = async (runId: string, files: RunFiles): Promise<JournalFile> => {
    try {
      return await createJournalFile({ path: files.journal, isSynced });
    } catch (error) {
      if (isMissing(error)) {
        mkdirSync(root, { recursive: true, mode: 0o700 });
        return createJournal(runId, files);
      }
      if (errnoOf(error) === "EEXIST")
        throw new CoordinatorError("RUN_BUSY", `Cannot begin the run "${runId}": a run with that id exists`);
      throw error;
    }
  };

  const storeProgram = async (
    { folder }: RunFiles,
    code: string,
    language: Language,
    attempt: number,
  ): Promise<StoredProgram> => {
    const codeHash = hash("sha256", code);
    if (code.length <= maxInline && code.isWellFormed()) return { hash: codeHash, text: code };
    const file = `program${attempt === 1 ? "" : `.${attempt}`}.${language === "python" ? "py" : "ts"}`;
    return { hash: codeHash, ...(await openTextFiles(folder, { isSynced }).write(file, code)) };
  };

  /** Appends the first record of an attempt and opens the run. */
  const open = async (
    { file, files }: { readonly file: JournalFile; readonly files: RunFiles },
    before: readonly JournalRecord[],
    begin: () => Promise<JournalRecord>,
    choices: ReplayChoices = {},
  ): Promise<StoredJournal> => {
    try {
      const record = await begin();
      const recorded = foldJournal([...before, record], () => true);
      await file.append(record);
      const markClosed = markOpen(files.journal);
      const port = {
        append: file.append,
        appendLater: file.appendLater,
        close: (isSettled: boolean) => {
          markClosed(isSettled);
          file.close();
        },
        texts: guardStore(openTextFiles(files.folder, { isSynced })),
        isStopRequested: async () => existsSync(stopFile(files)),
      };
      return openStoredJournal(port, recorded, choices);
    } catch (error) {
      file.close();
      if (before.length === 0) rmSync(files.journal, { force: true });
      throw error;
    }
  };

  const stopFile = ({ folder }: RunFiles): string => join(folder, "stop");

  const requestStop: Runs["requestStop"] = async (runId) => {
    const files = filesOf(runId);
    if (readFolded(files, runId).recorded.status !== "running") return;
    await mkdir(files.folder, { recursive: true, mode: 0o700 });
    await writeFile(stopFile(files), "", { mode: 0o600 });
  };

  const list: Runs["list"] = async ({ limit } = {}) => {
    const found = (await listRunFiles(root)).map(summarizeRun);
    return found
      .filter((summary): summary is RunSummary => summary !== undefined)
      .sort((one, other) => (one.startedAt < other.startedAt ? 1 : one.startedAt > other.startedAt ? -1 : 0))
      .slice(0, limit);
  };

  const remove: Runs["remove"] = async (runId) => {
    const files = filesOf(runId);
    const { recorded } = readFolded(files, runId);
    if (recorded.status === "running") throw busy(runId);
    await rm(files.journal, { force: true });
    await rm(files.folder, { recursive: true, force: true });
  };

  const toLocks = ({ folder }: RunFiles): string => join(folder, "locks");

  const begin = async ({
    runId,
    language,
    code,
    session,
    rights = {},
    startedAt,
  }: NewRun): Promise<StoredJournal> => {
    const files = filesOf(runId);
    const file = await createJournal(runId, files);
    return open({ file, files }, [], async () => ({
      type: "started",
      version: 1,
      runId,
      at: startedAt ?? new Date().toISOString(),
      language,
      program: await storeProgram(files, code, language, 1),
      session,
      rights,
      owner: ownIdentity(),
    }));
  };

  return {
    list,
    remove,
    requestStop,
    begin: async ({ undoes, ...run }) => {
      if (undoes === undefined) return begin(run);
      const undone = filesOf(undoes.runId);
      readFolded(undone, undoes.runId);
      // Under the lock of the undone run: it is either resumed or undone.
      return withLock(toLocks(undone), async () => {
        const { status, attempt } = readFolded(undone, undoes.runId).recorded;
        if (status !== "running" && attempt === undoes.attempt) return begin(run);
        throw new CoordinatorError(
          "RUN_BUSY",
          `Cannot undo the run "${undoes.runId}": it has continued since its calls were read`,
        );
      });
    },
    resume: async (runId, { code, rights, afterAttempt, undoneBy, ...choices } = {}) => {
      const files = filesOf(runId);
      readFolded(files, runId);
      // If two processes resume the same run, the second finds the first as its owner.
      return withLock(toLocks(files), async () => {
        const { recorded, records, validBytes } = readFolded(files, runId);
        if (recorded.status === "running") throw busy(runId);
        if (undoneBy !== undefined && existsSync(filesOf(undoneBy).journal))
          throw new CoordinatorError(
            "UNDO_REFUSED",
            `Cannot resume the run "${runId}": its calls were undone by the run "${undoneBy}"`,
            { hint: "Run the program again." },
          );
        // Checked under the lock: the second of two answers to one question finds a later attempt.
        if (afterAttempt !== undefined && afterAttempt !== recorded.attempt)
          throw new CoordinatorError(
            "ANSWER_INVALID",
            `Cannot answer the run "${runId}": its question has already been answered`,
          );
        // A request concerns the attempt that was in progress.
        await rm(stopFile(files), { force: true });
        const attempt = recorded.attempt + 1;
        const { language } = recorded.started;
        const file = openJournalFile({ path: files.journal, validBytes, isSynced });
        const begin = async (): Promise<JournalRecord> => ({
          type: "resumed",
          at: new Date().toISOString(),
          attempt,
          program: code === undefined ? recorded.program : await storeProgram(files, code, language, attempt),
          rights: rights ?? recorded.rights,
          owner: ownIdentity(),
        });
        return open({ file, files }, records, begin, choices);
      });
    },
    read: async (runId) => readRun(filesOf(runId), runId),
    prune: (bounds) => pruneRuns({ root, list, remove, filesOf }, bounds),
    exportCassette: async (runId, { enclosed } = {}) =>
      renderCassette(readRun(filesOf(runId), runId), enclosed),
    openCassette: async (text) => replayCassette(parseCassette(text)),
  };
};

const busy = (runId: string): CoordinatorError =>
  new CoordinatorError("RUN_BUSY", `Cannot change the run "${runId}": a process is running it`);
