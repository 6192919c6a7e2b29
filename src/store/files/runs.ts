// The runs of one workspace, a journal each: begun, gone on with, read, listed, kept as cassettes.
import { hash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  CoordinatorError,
  type JournalRecord,
  type KeptProgram,
  type Language,
  type OpenRun,
  type ReplayChoices,
  type RunSummary,
  type Runs,
} from "../../contracts/index.js";
import { ownIdentity } from "../../processes/index.js";
import { checkName, toFileName } from "../check-input.js";
import { guardStore } from "../guard-store.js";
import { parseCassette, renderCassette, toStarted, toStoredRecord } from "../journal/cassette.js";
import { foldJournal } from "../journal/fold-journal.js";
import { openRun } from "../journal/open-run.js";
import { replayCassette } from "../journal/replay-cassette.js";
import { longestInline, openSideFiles } from "../journal/run-texts.js";
import { withLock } from "../with-lock.js";
import { type JournalFile, makeJournalFile, openJournalFile } from "./journal-file.js";
import { pruneRuns } from "./prune-runs.js";
import {
  isMissing,
  listPlaces,
  type RunPlace,
  readFolded,
  readRun,
  summarizeRun,
  toPlace,
} from "./run-files.js";
import { holdRun } from "./run-owner.js";

export interface RunsOptions {
  /** The workspace's folder. */
  readonly folder: string;
  /** Wait for the disk at every record, so that a power cut loses nothing. */
  readonly isSynced?: boolean;
}

export const openRuns = ({ folder: workspace, isSynced = false }: RunsOptions): Runs => {
  const root = join(workspace, "runs");
  const placeOf = (runId: string): RunPlace => toPlace(root, toFileName(checkName("run", runId)));

  /** The journal of a new run. */
  const makeJournal = async (runId: string, place: RunPlace): Promise<JournalFile> => {
    try {
      return await makeJournalFile({ path: place.journal, isSynced });
    } catch (error) {
      if (isMissing(error)) {
        mkdirSync(root, { recursive: true, mode: 0o700 });
        return makeJournal(runId, place);
      }
      if (error instanceof Error && "code" in error && error.code === "EEXIST")
        throw new CoordinatorError("RUN_BUSY", `Cannot begin the run "${runId}": a run of that id is kept`);
      throw error;
    }
  };

  const keepProgram = async (
    { folder }: RunPlace,
    code: string,
    language: Language,
    attempt: number,
  ): Promise<KeptProgram> => {
    const facts = { hash: hash("sha256", code) };
    if (code.length <= longestInline && code.isWellFormed()) return { ...facts, text: code };
    const file = `program${attempt === 1 ? "" : `.${attempt}`}.${language === "python" ? "py" : "ts"}`;
    return { ...facts, ...(await openSideFiles(folder, { isSynced }).write(file, code)) };
  };

  /** Appends the record that begins an attempt, and opens the run behind it. */
  const open = async (
    { file, place }: { readonly file: JournalFile; readonly place: RunPlace },
    before: readonly JournalRecord[],
    begin: () => Promise<JournalRecord>,
    choices: ReplayChoices = {},
  ): Promise<OpenRun> => {
    try {
      const record = await begin();
      const journal = foldJournal([...before, record], () => true);
      await file.append(record);
      const letGo = holdRun(place.journal);
      const port = {
        append: file.append,
        appendLater: file.appendLater,
        close: (isSettled: boolean) => {
          letGo(isSettled);
          file.close();
        },
        texts: guardStore(openSideFiles(place.folder, { isSynced })),
      };
      return openRun(port, journal, choices);
    } catch (error) {
      file.close();
      if (before.length === 0) rmSync(place.journal, { force: true });
      throw error;
    }
  };

  const list: Runs["list"] = async ({ limit } = {}) => {
    const found = (await listPlaces(root)).map(summarizeRun);
    return found
      .filter((summary): summary is RunSummary => summary !== undefined)
      .sort((one, other) => (one.startedAt < other.startedAt ? 1 : one.startedAt > other.startedAt ? -1 : 0))
      .slice(0, limit);
  };

  const remove: Runs["remove"] = async (runId) => {
    const place = placeOf(runId);
    const { journal } = readFolded(place, runId);
    if (journal.status === "running") throw busy(runId);
    await rm(place.journal, { force: true });
    await rm(place.folder, { recursive: true, force: true });
  };

  return {
    list,
    remove,
    begin: async ({ runId, language, code, session, rights = {}, startedAt }) => {
      const place = placeOf(runId);
      const file = await makeJournal(runId, place);
      return open({ file, place }, [], async () => ({
        type: "started",
        version: 1,
        runId,
        at: startedAt ?? new Date().toISOString(),
        language,
        program: await keepProgram(place, code, language, 1),
        ...(session === undefined ? {} : { session }),
        rights,
        owner: ownIdentity(),
      }));
    },
    resume: async (runId, { code, rights, afterAttempt, ...choices } = {}) => {
      const place = placeOf(runId);
      readFolded(place, runId);
      // Two may want the same run: the second finds the first one's name in the journal.
      return withLock(join(place.folder, "locks"), async () => {
        const { journal, records, validBytes } = readFolded(place, runId);
        if (journal.status === "running") throw busy(runId);
        // Looked at under the lock: of two answers to one question, the second finds a later attempt.
        if (afterAttempt !== undefined && afterAttempt !== journal.attempt)
          throw new CoordinatorError(
            "ANSWER_INVALID",
            `Cannot answer the run "${runId}": its question was answered already`,
          );
        const attempt = journal.attempt + 1;
        const { language } = journal.started;
        const file = openJournalFile({ path: place.journal, validBytes, isSynced });
        const begin = async (): Promise<JournalRecord> => ({
          type: "resumed",
          at: new Date().toISOString(),
          attempt,
          program: code === undefined ? journal.program : await keepProgram(place, code, language, attempt),
          rights: rights ?? journal.rights,
          owner: ownIdentity(),
        });
        return open({ file, place }, records, begin, choices);
      });
    },
    read: async (runId) => readRun(placeOf(runId), runId),
    prune: (bounds) => pruneRuns({ root, list, remove, placeOf }, bounds),
    exportCassette: async (runId, { enclosed } = {}) =>
      renderCassette(readRun(placeOf(runId), runId), enclosed),
    openCassette: async (text) => replayCassette(parseCassette(text)),
    importCassette: async (text, runId) => {
      const cassette = parseCassette(text);
      const place = placeOf(runId);
      const file = await makeJournal(runId, place);
      const texts = openSideFiles(place.folder, { isSynced });
      try {
        const program = await keepProgram(place, cassette.code, cassette.language, 1);
        for (const record of cassette.records)
          await file.append(
            record.type === "started"
              ? toStarted(record, cassette, { runId, program })
              : await toStoredRecord(texts, record),
          );
      } finally {
        file.close();
      }
      const summary = summarizeRun(place);
      if (summary === undefined)
        throw new CoordinatorError("INTERNAL", `Cannot read the run "${runId}" again`);
      return summary;
    },
  };
};

const busy = (runId: string): CoordinatorError =>
  new CoordinatorError("RUN_BUSY", `Cannot change the run "${runId}": a process works on it`);
