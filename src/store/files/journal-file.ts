// The journal file of a run: one record per line, appended synchronously, read up to the last complete line; and the process that owns it.
import {
  closeSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  open,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { CoordinatorError, type ProcessIdentity } from "../../contracts/index.js";
import { isAlive, ownIdentity } from "../../processes/index.js";
import { type JournalRecord, parseRecord } from "../journal/journal-record.js";

export interface JournalFile {
  /** Once it resolves, the record survives the end of this process, and with `isSynced` a power failure. */
  readonly append: (record: JournalRecord) => Promise<void>;
  /** Written with the next record or a moment later: for records that may be lost. */
  readonly appendLater: (record: JournalRecord) => void;
  readonly close: () => void;
}

interface OpenOptions {
  readonly path: string;
  /** Where the last complete line ends; a torn line after it is cut off. */
  readonly validBytes: number;
  readonly isSynced: boolean;
}

/** How often the file is touched: a sign of life for processes that cannot see this one. */
const heartbeatMs = 10_000;
const flushMs = 5;
/** Such a process regards a journal as abandoned after this time. */
const silentMs = 6 * heartbeatMs;

const syncData = promisify(fdatasync);

/** On another thread: on some systems, creating a file takes milliseconds. */
const openFile = promisify(open);

/** Rejects if the file exists. */
export const createJournalFile = async ({
  path,
  isSynced,
}: Omit<OpenOptions, "validBytes">): Promise<JournalFile> =>
  toJournalFile(await openFile(path, "ax", 0o600), { bytes: 0, isSynced });

export const openJournalFile = ({ path, validBytes, isSynced }: OpenOptions): JournalFile => {
  const descriptor = openSync(path, "a", 0o600);
  // Only if needed: some systems write a truncated file to disk as soon as it is closed.
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
      // One missing sign of life does no harm.
    }
  }, heartbeatMs);
  heartbeat.unref();

  const write = (lines: string): void => {
    try {
      const size = Buffer.byteLength(lines);
      let written = writeSync(descriptor, lines);
      // A nearly full disk accepts a part and reports the reason with the next write.
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
        // The next record must not continue an incomplete line.
        ftruncateSync(descriptor, bytes);
      } catch {
        // It is cut off when the journal is opened again. Nothing more is written here.
      }
      throw failure;
    }
  };

  let syncing: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  /** Records that arrive while the disk is busy share the next sync. */
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
      // The lost calls are made again. The next record reports the failure.
    }
  };

  return {
    append: async (record) => {
      if (failure !== undefined) throw failure;
      // Synchronous, so that records stay in the order of the calls. Its cost: `node benchmarks/journal.mjs`.
      flush(`${JSON.stringify(record)}\n`);
      if (isSynced) await sync();
    },
    appendLater: (record) => {
      if (failure !== undefined) throw failure;
      later += `${JSON.stringify(record)}\n`;
      timer ??= setTimeout(flushQuietly, flushMs).unref();
    },
    close: () => {
      clearInterval(heartbeat);
      clearTimeout(timer);
      flushQuietly();
      closeSync(descriptor);
    },
  };
};

export interface ReadRecords {
  readonly records: readonly JournalRecord[];
  readonly validBytes: number;
}

/** Parses a journal. Only its end may be torn: a bad line before a good one throws STORE_UNREADABLE. */
export const parseJournal = (content: Buffer, name: string): ReadRecords => {
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
      throw new CoordinatorError("STORE_UNREADABLE", `Cannot read ${name}: line ${badLine} is not a record`);
    else {
      records.push(record);
      validBytes = start;
    }
  }
  return { records, validBytes };
};

export const readJournal = (path: string, name: string): ReadRecords =>
  parseJournal(readFileSync(path), name);

/** Journals of runs that are open in this process, and of runs that it closed without a last record. */
const openJournals = new Set<string>();
const closedJournals = new Set<string>();

/** Marks a run as open in this process until the returned function is called. */
export const markOpen = (journalPath: string): ((isSettled: boolean) => void) => {
  openJournals.add(journalPath);
  closedJournals.delete(journalPath);
  return (isSettled) => {
    openJournals.delete(journalPath);
    if (!isSettled) closedJournals.add(journalPath);
  };
};

const isOwn = (owner: ProcessIdentity): boolean => {
  const { pid, startedAt, scope } = ownIdentity();
  // The first records of this process may lack its start time: see `ownIdentity`.
  return owner.pid === pid && (owner.startedAt ?? startedAt) === startedAt && owner.scope === scope;
};

/** Whether a process is running the program. One that cannot be seen from here touches the journal. */
export const isOwned = (owner: ProcessIdentity | undefined, journalPath: string): boolean => {
  if (owner === undefined) return false;
  if (isOwn(owner)) {
    if (openJournals.has(journalPath)) return true;
    if (closedJournals.has(journalPath)) return false;
  } else {
    const isRunning = isAlive(owner);
    if (isRunning !== undefined) return isRunning;
  }
  const stats = statSync(journalPath, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs < silentMs;
};
