// The files of the audit: one hash chain for all processes of the state folder, rotated by size. Each line has its own HMAC and that of the
// line before, so that changes are detected.
import { createHmac } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  type AuditEntry,
  type AuditProblem,
  type AuditVerification,
  finishInSlices,
  type Json,
  largeBytes,
  stringifyInSteps,
  takeTurn,
} from "../../contracts/index.js";
import { guardStore, isMissing, readBytes, toBytes, writeBytes } from "../file-io.js";
import { toSortedText } from "../journal/journal-record.js";
import { withLock } from "../with-lock.js";

export interface AuditFilesOptions {
  readonly folder: string;
  readonly readKey: () => Promise<Buffer>;
  readonly maxFileBytes: number;
  /** How many rotated files to retain. @default all */
  readonly keptFiles?: number | undefined;
  /** Sync every write to the disk. */
  readonly isSynced: boolean;
}

export interface AuditFiles {
  /** Adds lines to the chain and returns them. */
  readonly append: (entries: readonly LooseEntry[]) => Promise<readonly string[]>;
  /** Calls `visit` with every line, oldest first, until it returns false. */
  readonly walk: (
    visit: (line: string, place: { readonly file: string; readonly line: number }) => boolean | undefined,
  ) => Promise<void>;
  /** `anchor`: the `mac` of a line that must still be there. */
  readonly verify: (anchor?: string) => Promise<AuditVerification>;
}

const current = "audit.jsonl";
const renamed = /^audit-\d{15}\.jsonl$/;
/** Contains the last line, unless a name in it is very long. */
const tailBytes = 64 * 1024;
const maxProblems = 100;

/** The number of its last line. */
const numberOf = (name = ""): number => Number(/\d+/.exec(name)?.[0] ?? 0);

export const openAuditFiles = (options: AuditFilesOptions): AuditFiles => {
  const { folder, readKey, maxFileBytes, keptFiles, isSynced } = options;
  const path = join(folder, current);
  /** The end that this process wrote. Another process may have written since. */
  let known: { readonly inode: number; readonly bytes: number; readonly end: ChainEnd } | undefined;

  const listRenamed = async (): Promise<readonly string[]> =>
    (await readdir(folder).catch(() => [])).filter((name) => renamed.test(name)).sort();

  /** The end of a file's chain, and its offset: a killed process may have left half a line. */
  const readEnd = async (
    file: FileHandle,
    key: Buffer | undefined,
    length = tailBytes,
  ): Promise<{ readonly bytes: number; readonly end?: ChainEnd }> => {
    const { size } = await file.stat();
    const offset = Math.max(0, size - length);
    const tail = Buffer.from(await readBytes(file.fd, { offset, length: size - offset }));
    const stop = tail.lastIndexOf("\n");
    const bytes = offset + stop + 1;
    if (key === undefined && (stop !== -1 || offset === 0)) return { bytes };
    // Lines that others added stay, and `verify` reports them. The chain continues after our last line.
    for (let last = stop; last > 0; ) {
      const before = tail.lastIndexOf("\n", last - 1);
      const isWhole = before !== -1 || offset === 0;
      const entry = isWhole ? readLine(tail.toString("utf8", before + 1, last), key) : undefined;
      if (entry !== undefined) return { bytes, end: { n: entry.n, mac: entry.mac } };
      last = before;
    }
    return offset === 0 ? { bytes } : readEnd(file, key, length * 4);
  };
  const findEnd = async (
    file: FileHandle,
    key: Buffer,
  ): Promise<{ readonly bytes: number; readonly end: ChainEnd }> => {
    const { size, ino } = await file.stat();
    if (known?.bytes === size && known.inode === ino) return known;
    const { bytes, end } = await readEnd(file, key);
    if (end !== undefined) return { bytes, end };
    const last = (await listRenamed()).at(-1);
    if (last === undefined) return { bytes, end: chainStart };
    const before = await open(join(folder, last), "r");
    try {
      return { bytes, end: (await readEnd(before, key)).end ?? chainStart };
    } finally {
      await before.close();
    }
  };

  /** The names of rotated files sort in the order of their lines, and are never reused. */
  const toRenamed = async ({ n }: ChainEnd): Promise<string> => {
    const last = numberOf((await listRenamed()).at(-1));
    return join(folder, `audit-${String(Math.max(n, last + 1)).padStart(15, "0")}.jsonl`);
  };

  /** Without a last line that is still being written. */
  const readLength = async (name: string): Promise<number> => {
    const file = await open(join(folder, name), "r").catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    try {
      return file === undefined ? 0 : (await readEnd(file, undefined)).bytes;
    } finally {
      await file?.close();
    }
  };

  /** Rotated files beyond the retention limit, and the number of the first line after them. */
  const findOld = async (): Promise<{ readonly old: readonly string[]; readonly first: number }> => {
    const all = await listRenamed();
    const old = keptFiles === undefined ? [] : all.slice(0, Math.max(0, all.length - keptFiles));
    return { old, first: numberOf(old.at(-1)) + 1 };
  };

  const append = async (entries: readonly LooseEntry[]): Promise<readonly string[]> => {
    const key = await readKey();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return withLock(join(folder, "locks"), async () => {
      const { old, first } = await findOld();
      const file = await open(path, "a+", 0o600);
      let bytes: number;
      let end: ChainEnd;
      const lines: string[] = [];
      try {
        ({ bytes, end } = await findEnd(file, key));
        await file.truncate(bytes);
        // Recorded before the files are removed, so that `verify` knows why they are missing.
        const pruned: readonly LooseEntry[] =
          old.length === 0 ? [] : [{ kind: "pruned", at: new Date().toISOString(), first }];
        for (const entry of [...pruned, ...entries]) {
          const sealed = sealLine(key, end, entry);
          lines.push(sealed.line);
          end = sealed.end;
        }
        const content = toBytes(`${lines.join("\n")}\n`);
        await writeBytes(file.fd, content, { isSynced });
        bytes += content.length;
        known = { inode: (await file.stat()).ino, bytes, end };
      } finally {
        await file.close();
      }
      for (const name of old) await rm(join(folder, name), { force: true });
      if (bytes >= maxFileBytes) {
        await rename(path, await toRenamed(end));
        known = undefined;
      }
      return lines;
    });
  };

  const walk: AuditFiles["walk"] = async (visit) => {
    for (const name of [...(await listRenamed()), current]) {
      const bytes = await readLength(name);
      if (bytes === 0) continue;
      const stream = createReadStream(join(folder, name), { encoding: "utf8", end: bytes - 1 });
      let line = 0;
      for await (const text of createInterface({ input: stream }))
        if (visit(text, { file: name, line: ++line }) === false) {
          stream.destroy();
          return;
        }
    }
  };

  const verify = async (anchor?: string): Promise<AuditVerification> => {
    const key = await readKey();
    const problems: AuditProblem[] = [];
    const files = new Set<string>();
    let lines = 0;
    let first: AuditEntry | undefined;
    let prunedTo = 1;
    let before: ChainEnd | undefined;
    let isAnchorFound = anchor === undefined;
    await walk((text, place) => {
      files.add(place.file);
      lines++;
      const add = (problem: string): void => void problems.push({ ...place, problem });
      const entry = readLine(text, key);
      if (entry === undefined) {
        add("it was changed or added");
        const claimed = readLine(text);
        before = claimed === undefined ? before : { n: claimed.n, mac: claimed.mac };
        return problems.length < maxProblems;
      }
      first ??= entry;
      if (entry.kind === "pruned") prunedTo = Math.max(prunedTo, entry.first ?? 1);
      if (before !== undefined && (entry.previous !== before.mac || entry.n !== before.n + 1))
        add(
          "it does not follow the line before: a line was removed or changed, or this one was moved or added",
        );
      before = { n: entry.n, mac: entry.mac };
      isAnchorFound ||= entry.mac === anchor;
      return problems.length < maxProblems;
    });
    const place = { file: [...files][0] ?? current, line: 1 };
    if (first !== undefined && first.n > prunedTo)
      problems.push({ ...place, problem: `the ${first.n - prunedTo} lines before it are missing` });
    if (!isAnchorFound) problems.push({ file: current, line: lines, problem: "the anchor is not in it" });
    return {
      isIntact: problems.length === 0,
      lines,
      files: files.size,
      problems: problems.slice(0, maxProblems),
      anchor: before?.mac,
    };
  };

  return guardStore<AuditFiles>({ append, walk, verify });
};

/** The current end of the chain. */
export interface ChainEnd {
  readonly n: number;
  readonly mac: string;
}

const chainStart: ChainEnd = { n: 0, mac: "" };

/** A line that is not yet part of the chain. */
export type LooseEntry = Omit<AuditEntry, "n" | "previous" | "mac">;

const toMac = (key: Buffer, body: string): string =>
  createHmac("sha256", key).update("line\n").update(body).digest("base64url");

/** Many readers of lines end one at these characters, too. Names that servers and programs choose may contain them. */
const lineEnds = /[\u0085\u2028\u2029]/g;

const toLine = (entry: object): string =>
  JSON.stringify(entry).replace(
    lineEnds,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Adds a line to the chain. */
const sealLine = (
  key: Buffer,
  end: ChainEnd,
  entry: LooseEntry,
): { readonly line: string; readonly end: ChainEnd } => {
  const n = end.n + 1;
  const body = toLine({ n, ...entry, previous: end.mac });
  const mac = toMac(key, body);
  return { line: `${body.slice(0, -1)},"mac":"${mac}"}`, end: { n, mac } };
};

const macField = /,"mac":"([\w-]{43})"\}$/;

/** Parses a line; undefined if it is not valid. With a key, its HMAC must be right. */
const readLine = (line: string, key?: Buffer): AuditEntry | undefined => {
  const found = macField.exec(line.slice(-60));
  const mac = found?.[1];
  if (mac === undefined) return undefined;
  const body = `${line.slice(0, -(found?.[0].length ?? 0))}}`;
  if (key !== undefined && toMac(key, body) !== mac) return undefined;
  try {
    const entry = JSON.parse(line) as AuditEntry;
    return Number.isSafeInteger(entry.n) && typeof entry.previous === "string" ? entry : undefined;
  } catch {
    return undefined;
  }
};

/** An HMAC of the arguments, to compare them without storing them. A plain hash of an amount or an address could be guessed. */
export const hashArguments = async (
  key: Buffer,
  value: Json,
): Promise<{ readonly hmac: string; readonly bytes: number }> => {
  const text = toSortedText(value) ?? (await finishInSlices(stringifyInSteps(value)));
  const hash = createHmac("sha256", key).update("arguments\n");
  for (let at = 0; at < text.length; at += largeBytes) {
    if (at > 0) await takeTurn();
    hash.update(text.slice(at, at + largeBytes));
  }
  return { hmac: hash.digest("base64url"), bytes: text.length };
};
