// How much of its limits a workspace uses: one small file that processes update under the lock, never below the real usage.
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import { CoordinatorError, type WorkspaceUsage } from "../../../contracts/index.js";

export interface WorkspaceQuotaOptions {
  /** Where the counts are stored. */
  readonly file: string;
  /** Counts the real usage. */
  readonly count: () => WorkspaceUsage;
  readonly limits: { readonly workspaceBytes: number; readonly workspaceFiles: number };
}

/** Every method requires the lock. */
export interface WorkspaceQuota {
  readonly read: () => WorkspaceUsage;
  /** Call before adding something. Throws LIMIT_WORKSPACE if it does not fit. */
  readonly add: (more: WorkspaceUsage) => void;
  /** Call after removing something, or after a failed addition. */
  readonly subtract: (less: WorkspaceUsage) => void;
}

const paddedLength = 63;

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

export const openWorkspaceQuota = ({ file, count, limits }: WorkspaceQuotaOptions): WorkspaceQuota => {
  // Users add files by hand, and a process may die between a change and its count: each process counts once.
  let isCounted = false;

  const write = (usage: WorkspaceUsage): WorkspaceUsage => {
    // In place and with a fixed length: some systems write a truncated or replaced file to disk at once.
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
    add: (more) => {
      let usage = read();
      if (!hasRoom(usage, more)) usage = recount();
      if (!hasRoom(usage, more)) throw workspaceFull(usage, more, limits);
      write({ bytes: usage.bytes + more.bytes, files: usage.files + more.files });
    },
    subtract: (less) => {
      if (less.bytes === 0 && less.files === 0) return;
      const usage = readKnown();
      // A recount already excludes what was removed.
      if (usage === undefined) recount();
      else
        write({ bytes: Math.max(0, usage.bytes - less.bytes), files: Math.max(0, usage.files - less.files) });
    },
  };
};

const workspaceFull = (
  usage: WorkspaceUsage,
  more: WorkspaceUsage,
  limits: WorkspaceQuotaOptions["limits"],
): CoordinatorError => {
  const isFiles = usage.files + more.files > limits.workspaceFiles && more.files > 0;
  const [limit, used, max] = isFiles
    ? ["workspaceFiles", `${usage.files} files and folders`, limits.workspaceFiles]
    : ["workspaceBytes", `${usage.bytes} bytes, ${more.bytes} more are needed`, limits.workspaceBytes];
  return new CoordinatorError(
    "LIMIT_WORKSPACE",
    `Cannot write to the workspace: it has ${used}, and limits.${limit} allows ${max}`,
    { details: { limit } },
  );
};
