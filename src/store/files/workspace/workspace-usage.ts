// How full a workspace is: one small file that every process updates under the workspace's lock, never less than what is there.
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import { CoordinatorError, type WorkspaceUsage } from "../../../contracts/index.js";

export interface UsageBookOptions {
  /** Where the figures are kept. */
  readonly file: string;
  /** Counts what is really there. */
  readonly count: () => WorkspaceUsage;
  readonly limits: { readonly workspaceBytes: number; readonly workspaceFiles: number };
}

/** Every method is to be called under the lock. */
export interface UsageBook {
  readonly read: () => WorkspaceUsage;
  /** Before something grows. Throws LIMIT_WORKSPACE when there is no room. */
  readonly take: (more: WorkspaceUsage) => void;
  /** After something shrank, or did not grow after all. */
  readonly giveBack: (less: WorkspaceUsage) => void;
}

const paddedLength = 63;

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

export const openUsageBook = ({ file, count, limits }: UsageBookOptions): UsageBook => {
  // People put files there by hand, and processes die between a deed and its entry: the first look of a process counts.
  let isCounted = false;

  const write = (usage: WorkspaceUsage): WorkspaceUsage => {
    // In place and of one length: cutting or exchanging the file would make some systems write it to the disk at once.
    const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      writeSync(descriptor, `${JSON.stringify(usage).padEnd(paddedLength)}\n`, 0);
    } finally {
      closeSync(descriptor);
    }
    return usage;
  };
  const recount = (): WorkspaceUsage => {
    isCounted = true;
    return write(count());
  };
  const readKnown = (): WorkspaceUsage | undefined => {
    if (!isCounted) return undefined;
    try {
      const { bytes, files } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      return isCount(bytes) && isCount(files) ? { bytes, files } : undefined;
    } catch {
      return undefined;
    }
  };
  const read = (): WorkspaceUsage => readKnown() ?? recount();
  const hasRoom = (usage: WorkspaceUsage, more: WorkspaceUsage): boolean =>
    (more.bytes <= 0 || usage.bytes + more.bytes <= limits.workspaceBytes) &&
    (more.files <= 0 || usage.files + more.files <= limits.workspaceFiles);

  return {
    read,
    take: (more) => {
      let usage = read();
      if (!hasRoom(usage, more)) usage = recount();
      if (!hasRoom(usage, more)) throw workspaceFull(usage, more, limits);
      write({ bytes: usage.bytes + more.bytes, files: usage.files + more.files });
    },
    giveBack: (less) => {
      if (less.bytes === 0 && less.files === 0) return;
      const usage = readKnown();
      // Counting sees what is already gone.
      if (usage === undefined) recount();
      else
        write({ bytes: Math.max(0, usage.bytes - less.bytes), files: Math.max(0, usage.files - less.files) });
    },
  };
};

const workspaceFull = (
  usage: WorkspaceUsage,
  more: WorkspaceUsage,
  limits: UsageBookOptions["limits"],
): CoordinatorError => {
  const isFiles = usage.files + more.files > limits.workspaceFiles && more.files > 0;
  const [limit, used, most] = isFiles
    ? ["workspaceFiles", `${usage.files} files and folders`, limits.workspaceFiles]
    : ["workspaceBytes", `${usage.bytes} bytes, ${more.bytes} more are needed`, limits.workspaceBytes];
  return new CoordinatorError(
    "LIMIT_WORKSPACE",
    `Cannot write to the workspace: it has ${used}, and limits.${limit} allows ${most}`,
    { details: { limit } },
  );
};
