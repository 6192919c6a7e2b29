// The stored values of one workspace as files: written once, read in parts, the oldest removed first. Each has two files: its content,
// which people can open, and its facts.
import { createHash, hash } from "node:crypto";
import { mkdir, open, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import {
  CoordinatorError,
  finishInSlices,
  type Limits,
  type Steps,
  type StoredContent,
  type StoredEntry,
  type StoredValues,
} from "../../contracts/index.js";
import { checkBound } from "../check-input.js";
import { writeFileAtomically } from "../file-io.js";
import { peekContent, prepareContent, toBuffer } from "../values/inspect-value.js";
import { type PageMark, pageBytes, pageJson, pageText } from "../values/page-value.js";
import { queryJson, queryText } from "../values/query-value.js";

export interface StoredValuesOptions {
  /** The workspace's folder. */
  readonly folder: string;
  readonly limits: Pick<Limits, "storedValueBytes" | "storedValues" | "storedBytes">;
  /** Days after which an unused value is removed. */
  readonly maxDays: number;
  readonly isSynced?: boolean | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;
const peekBytes = 256 * 1024;
/** The limits are enforced after so many values or bytes. */
const sweepValues = 20;
const sweepBytes = 16 * 1024 * 1024;
const maxMarks = 100;
const valueId = /^k_[0-9a-f]{20}$/;
/** Bytes hashed between two pauses. */
const hashedBytes = 1024 * 1024;
const factsExtension = ".facts";

export const openStoredValues = (options: StoredValuesOptions): StoredValues => {
  const { limits, isSynced = false } = options;
  const maxValues = checkBound("number of stored values", limits.storedValues);
  const maxBytes = checkBound("size of stored values", limits.storedBytes);
  const maxAgeMs = checkBound("age of stored values", options.maxDays) * dayMs;
  const folder = join(options.folder, "values");
  const marks = new Map<string, PageMark>();
  let values = 0;
  let bytesSince = 0;
  let isNew = true;

  const find = async (id: string): Promise<{ readonly entry: StoredEntry; readonly file: string }> => {
    const found = await readFacts(folder, checkId(id));
    if (found === undefined) throw valueUnknown(id);
    return found;
  };
  const read = async (id: string): Promise<Buffer> => {
    const { file } = await find(id);
    try {
      return await readFile(file);
    } catch {
      throw valueUnknown(id);
    }
  };
  const remove: StoredValues["remove"] = async (id) => {
    const found = await readFacts(folder, checkId(id));
    await rm(factsPath(folder, id), { force: true });
    if (found !== undefined) await rm(found.file, { force: true });
    return found !== undefined;
  };
  const list: StoredValues["list"] = async () => {
    const names = (await readdir(folder).catch(() => [])).filter(isFactsName);
    const entries = await Promise.all(names.map((name) => readFacts(folder, toIdOf(name))));
    return entries
      .flatMap((found) => found?.entry ?? [])
      .sort((one, other) => (one.storedAt < other.storedAt ? 1 : -1));
  };

  /** Enforces the limits. The value that was just stored stays. */
  const sweep = async (spared: string): Promise<void> => {
    const now = Date.now();
    let count = 0;
    let bytes = 0;
    for (const entry of await list()) {
      count++;
      bytes += entry.bytes;
      const isTooOld = now - Date.parse(entry.storedAt) > maxAgeMs;
      const isBeyond = count > maxValues || bytes > maxBytes || isTooOld;
      if (!isBeyond || entry.id === spared) continue;
      await remove(entry.id);
      count--;
      bytes -= entry.bytes;
    }
  };

  const write = async (facts: WrittenFacts, bytes: Uint8Array): Promise<void> => {
    if (isNew) await mkdir(folder, { recursive: true, mode: 0o700 });
    // The facts last: a value that has them is complete.
    await writeFileAtomically(join(folder, facts.file), bytes, { isSynced });
    await writeFileAtomically(factsPath(folder, facts.id), JSON.stringify(facts), { isSynced });
    values++;
    bytesSince += bytes.length;
    if (!isNew && values < sweepValues && bytesSince < sweepBytes && limits.storedValues >= sweepValues)
      return;
    isNew = false;
    values = 0;
    bytesSince = 0;
    await sweep(facts.id);
  };

  const store: StoredValues["store"] = async ({ format, content, name, mimeType }) => {
    const given = await toBuffer(content);
    if (given.length > limits.storedValueBytes)
      throw new CoordinatorError(
        "LIMIT_WORKSPACE",
        `Cannot store the value: it has ${given.length} bytes, at most ${limits.storedValueBytes} are allowed`,
        {
          hint: "Store less at once, or raise limits.storedValueBytes.",
          details: { limit: "storedValueBytes" },
        },
      );
    const { bytes, kind, count } = await prepareContent(given, format);
    const named = { name, mimeType };
    const id = await finishInSlices(toId(bytes, named));
    const facts = {
      id,
      kind,
      bytes: bytes.length,
      count,
      ...named,
    };
    const known = await readFacts(folder, id);
    const now = new Date();
    const isThere =
      known !== undefined && (await stat(known.file).catch(() => undefined))?.size === bytes.length;
    if (isThere) await utimes(factsPath(folder, id), now, now).catch(() => undefined);
    else await write({ ...facts, file: `${id}.${toExtension(kind, name)}` }, bytes);
    return { ...facts, storedAt: now.toISOString() };
  };

  const page: StoredValues["page"] = async (id, asked, maxBytes) => {
    const { entry } = await find(id);
    const bytes = await read(id);
    if (entry.kind === "text") return finishInSlices(pageText(bytes, asked, maxBytes));
    if (entry.kind === "bytes") return pageBytes(bytes, asked, maxBytes);
    const key = `${id} ${asked.path ?? ""}`;
    const { part, mark } = await finishInSlices(pageJson(bytes, asked, { maxBytes, mark: marks.get(key) }));
    marks.delete(key);
    if (mark !== undefined) marks.set(key, mark);
    for (const oldest of [...marks.keys()].slice(0, Math.max(0, marks.size - maxMarks))) marks.delete(oldest);
    return part;
  };

  return {
    store,
    read,
    list,
    remove,
    page,
    find: async (id) => (await find(id)).entry,
    peek: async (id) => {
      const { entry, file } = await find(id);
      const { storedAt: _storedAt, ...facts } = entry;
      const head = await readHead(file, entry.kind === "object" ? entry.bytes : peekBytes);
      const isWhole = head.length === entry.bytes;
      return {
        format: "json",
        text: JSON.stringify({ ...facts, ...(await finishInSlices(peekContent(head, entry.kind, isWhole))) }),
      };
    },
    query: async (id, query, maxBytes) => {
      const { entry } = await find(id);
      const bytes = await read(id);
      if (entry.kind === "text") return finishInSlices(queryText(bytes, query, maxBytes));
      if (entry.kind !== "bytes") return finishInSlices(queryJson(bytes, query, maxBytes));
      throw new CoordinatorError("ARGUMENTS_INVALID", "Cannot query the stored value: it consists of bytes");
    },
  };
};

const readHead = async (file: string, length: number): Promise<Buffer> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

/** The facts as stored; the file's time is that of the last use. */
type WrittenFacts = Omit<StoredEntry, "storedAt"> & { readonly file: string };

const valueUnknown = (id: string): CoordinatorError =>
  new CoordinatorError(
    "VALUE_UNKNOWN",
    `Cannot find the stored value ${JSON.stringify(id.slice(0, 60))}: the workspace has none with that id`,
  );

/** Throws VALUE_UNKNOWN for an invalid id, so that it never becomes part of a path. */
const checkId = (id: string): string => {
  if (valueId.test(id)) return id;
  throw valueUnknown(id);
};

/** Derived from the content and its name: equal values are stored once, and a resumed run finds them again. */
function* toId(bytes: Uint8Array, { name = "", mimeType = "" }: Partial<StoredContent>): Steps<string> {
  const content = createHash("sha256");
  for (let from = 0; from < bytes.length; from += hashedBytes) {
    content.update(bytes.subarray(from, from + hashedBytes));
    yield undefined;
  }
  const digest = content.digest("hex");
  const isNamed = name !== "" || mimeType !== "";
  return `k_${(isNamed ? hash("sha256", JSON.stringify([digest, name, mimeType])) : digest).slice(0, 20)}`;
}

const factsPath = (folder: string, id: string): string => join(folder, `${id}${factsExtension}`);
const isFactsName = (name: string): boolean => name.endsWith(factsExtension);
const toIdOf = (factsName: string): string => factsName.slice(0, -factsExtension.length);

/** The extension that opens the file in the right program. */
const toExtension = (kind: StoredEntry["kind"], name: string | undefined): string => {
  const [, own] = /\.([a-z0-9]{1,8})$/i.exec(name ?? "") ?? [];
  return own?.toLowerCase() ?? (kind === "text" ? "txt" : kind === "bytes" ? "bin" : "json");
};

/** Undefined if the file is missing or not what was written. */
const readFacts = async (
  folder: string,
  id: string,
): Promise<{ readonly entry: StoredEntry; readonly file: string } | undefined> => {
  try {
    const path = factsPath(folder, id);
    const { file, ...facts } = JSON.parse(await readFile(path, "utf8")) as WrittenFacts;
    if (facts.id !== id || file !== `${id}.${toExtension(facts.kind, facts.name)}`) return undefined;
    return {
      entry: { ...facts, storedAt: (await stat(path)).mtime.toISOString() },
      file: join(folder, file),
    };
  } catch {
    return undefined;
  }
};
