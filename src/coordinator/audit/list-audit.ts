// Reads the audit: lists its lines, checks that nobody changed them, and copies them to one file.
import { open } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { type AuditEntry, type AuditVerification, CoordinatorError } from "../../contracts/index.js";
import type { Host } from "../host/host.js";

/** Which lines of the audit log to list. */
export interface ListAuditRequest {
  /** Only lines of this run. */
  readonly runId?: string | undefined;
  readonly server?: string | undefined;
  readonly caller?: string | undefined;
  /** Only decisions, or only calls. */
  readonly kind?: AuditEntry["kind"] | undefined;
  /** Only lines at or after this time, as an ISO date. */
  readonly since?: string | undefined;
  /** At most this many, the newest. @default 100 */
  readonly limit?: number | undefined;
}

/** What to compare the audit log with. */
export interface VerifyAuditRequest {
  /** The `anchor` of an earlier check. Finds lines that were removed from the end since then. */
  readonly anchor?: string | undefined;
}

/** Where to write a copy of the audit log. */
export interface ExportAuditRequest {
  /** The file to write. It must not exist. */
  readonly path: string;
}

/** The written copy of the audit log and its length. */
export interface ExportedAudit {
  readonly path: string;
  readonly lines: number;
}

/** Methods to read the audit. Never offer them to a program or a model. */
export interface AuditVerbs {
  /** Lists lines of the audit, the oldest first. */
  readonly listAudit: (request?: ListAuditRequest) => Promise<readonly AuditEntry[]>;
  /** Checks the audit: finds lines that were changed, removed, moved or added. */
  readonly verifyAudit: (request?: VerifyAuditRequest) => Promise<AuditVerification>;
  /** Writes all lines of the audit to one file, as JSON lines. */
  readonly exportAudit: (request: ExportAuditRequest) => Promise<ExportedAudit>;
}

const defaultLimit = 100;

const parse = (line: string): AuditEntry | undefined => {
  try {
    return JSON.parse(line) as AuditEntry;
  } catch {
    // `verifyAudit` reports it.
    return undefined;
  }
};

export const listAudit = async (
  { audit }: Host,
  { runId, server, caller, kind, since, limit = defaultLimit }: ListAuditRequest = {},
): Promise<readonly AuditEntry[]> => {
  const from = since === undefined ? undefined : Date.parse(since);
  if (Number.isNaN(from))
    throw new CoordinatorError("USAGE", `Cannot list the audit: "${since?.slice(0, 40)}" is not a date`, {
      hint: "Write the time like this: 2026-01-31T12:00Z.",
    });
  let found: AuditEntry[] = [];
  await audit.files.walk((line) => {
    const entry = parse(line);
    const isWanted =
      entry !== undefined &&
      (runId === undefined || entry.run === runId) &&
      (server === undefined || entry.server === server) &&
      (caller === undefined || entry.caller === caller) &&
      (kind === undefined || entry.kind === kind) &&
      (from === undefined || Date.parse(entry.at) >= from);
    if (!isWanted) return undefined;
    found.push(entry);
    if (found.length > 2 * limit) found = found.slice(-limit);
    return undefined;
  });
  return found.slice(-limit);
};

export const verifyAudit = (
  { audit }: Host,
  { anchor }: VerifyAuditRequest = {},
): Promise<AuditVerification> => audit.files.verify(anchor);

export const exportAudit = async ({ audit }: Host, { path }: ExportAuditRequest): Promise<ExportedAudit> => {
  const file = await open(path, "wx", 0o600).catch((cause: unknown) => {
    const isTaken = (cause as { readonly code?: unknown }).code === "EEXIST";
    const state = isTaken ? "the file already exists" : "it cannot be written";
    const hint = isTaken ? "Name another file, or remove this one first." : undefined;
    throw new CoordinatorError("USAGE", `Cannot export the audit to "${path}": ${state}`, { cause, hint });
  });
  let lines = 0;
  const stream = file.createWriteStream();
  const ended = finished(stream);
  await audit.files.walk((line) => {
    lines++;
    stream.write(`${line}\n`);
    return !stream.destroyed;
  });
  stream.end();
  await ended;
  return { path, lines };
};
