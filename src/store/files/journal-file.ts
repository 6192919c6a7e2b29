// The journal on disk: one record a line, appended at once, read back up to the last whole line.
import {
  closeSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  open,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { CoordinatorError, type JournalRecord } from "../../contracts/index.js";
import { parseRecord } from "../journal/journal-record.js";

export interface JournalFile {
  /** When it has returned, the record survives the end of this process; with `isSynced` a power cut too, once that has resolved. */
  readonly append: (record: JournalRecord) => Promise<void> | undefined;
  /** Goes to disk with the next record, or a moment later: for what is done again when it is lost. */
  readonly appendLater: (record: JournalRecord) => undefined;
  readonly close: () => void;
}

interface OpenOptions {
  readonly path: string;
  /** Where the last whole line ends; what is behind it was torn and is cut off. */
  readonly validBytes: number;
  readonly isSynced: boolean;
}

/** Tells processes that cannot see this one that it lives. */
const heartbeatMs = 10_000;
const laterMs = 5;
/** What is read of a journal by such a process. */
export const silentMs = 6 * heartbeatMs;

const syncData = promisify(fdatasync);

/** By another thread: to make a file can take some systems longer than a program takes to come to its first call. */
const openFile = promisify(open);

/** Rejects when there is one already. */
export const makeJournalFile = async ({
  path,
  isSynced,
}: Omit<OpenOptions, "validBytes">): Promise<JournalFile> =>
  toJournalFile(await openFile(path, "ax", 0o600), { bytes: 0, isSynced });

export const openJournalFile = ({ path, validBytes, isSynced }: OpenOptions): JournalFile => {
  const descriptor = openSync(path, "a", 0o600);
  // Only when there is something to cut: a file that was cut is written out by some systems as soon as it is closed.
  if (fstatSync(descriptor).size !== validBytes) ftruncateSync(descriptor, validBytes);
  return toJournalFile(descriptor, { bytes: validBytes, isSynced });
};

const toJournalFile = (
  descriptor: number,
  { bytes: before, isSynced }: { readonly bytes: number; readonly isSynced: boolean },
): JournalFile => {
  let bytes = before;
  let failure: CoordinatorError | undefined;
  const heartbeat = setInterval(() => {
    const now = new Date();
    try {
      futimesSync(descriptor, now, now);
    } catch {
      // A sign of life that is missing is no reason to end it.
    }
  }, heartbeatMs);
  heartbeat.unref();

  const write = (lines: string): void => {
    try {
      const size = Buffer.byteLength(lines);
      let written = writeSync(descriptor, lines);
      // A disk that is nearly full takes a part, and says why with the next one.
      if (written < size) {
        const content = Buffer.from(lines, "utf8");
        while (written < size) written += writeSync(descriptor, content, written);
      }
      bytes += size;
    } catch (cause) {
      failure = new CoordinatorError(
        "STORE_FAILED",
        "Cannot write the journal of the run: the disk refused it",
        {
          cause,
        },
      );
      try {
        // Half a line must not become the beginning of the next one.
        ftruncateSync(descriptor, bytes);
      } catch {
        // It is cut off when the journal is opened again; nothing more is written to it here.
      }
      throw failure;
    }
  };

  let syncing: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  /** All who wait while the disk is busy share its next turn. */
  const sync = (): Promise<void> => {
    if (waiting !== undefined) return waiting;
    const turn = (async () => {
      await syncing?.catch(() => undefined);
      waiting = undefined;
      syncing = syncData(descriptor);
      await syncing;
    })();
    waiting = turn;
    return turn;
  };

  let later = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (line = ""): void => {
    const lines = later + line;
    later = "";
    if (lines !== "") write(lines);
  };

  const flushQuietly = (): void => {
    timer = undefined;
    try {
      if (failure === undefined) flush();
    } catch {
      // What is lost so is made again; the next record tells that the disk refuses.
    }
  };

  return {
    append: (record) => {
      if (failure !== undefined) throw failure;
      // At once and not by another thread: it takes some microseconds, and the order of records is the order of calls.
      flush(`${JSON.stringify(record)}\n`);
      return isSynced ? sync() : undefined;
    },
    appendLater: (record) => {
      if (failure !== undefined) throw failure;
      later += `${JSON.stringify(record)}\n`;
      // Others see what takes long. It is not taken back when the line went before: the next one goes with it.
      timer ??= setTimeout(flushQuietly, laterMs).unref();
      return undefined;
    },
    close: () => {
      clearInterval(heartbeat);
      clearTimeout(timer);
      flushQuietly();
      closeSync(descriptor);
    },
  };
};

export interface ReadJournal {
  readonly records: readonly JournalRecord[];
  readonly validBytes: number;
}

/** The records of a journal's bytes. Only its end can be torn: a bad line before a good one throws STORE_UNREADABLE. */
export const parseJournal = (content: Buffer, shown: string): ReadJournal => {
  const records: JournalRecord[] = [];
  let validBytes = 0;
  let badLine: number | undefined;
  let line = 0;
  for (let start = 0; ; ) {
    const end = content.indexOf(10, start);
    if (end === -1) break;
    line++;
    const record = parseRecord(content.toString("utf8", start, end));
    start = end + 1;
    if (record === undefined) badLine ??= line;
    else if (badLine !== undefined)
      throw new CoordinatorError("STORE_UNREADABLE", `Cannot read ${shown}: line ${badLine} is not a record`);
    else {
      records.push(record);
      validBytes = start;
    }
  }
  return { records, validBytes };
};

export const readJournal = (path: string, shown: string): ReadJournal =>
  parseJournal(readFileSync(path), shown);
