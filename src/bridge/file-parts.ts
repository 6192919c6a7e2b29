// Files cross the bridge in parts. A file that is written takes its name when it is complete.
import { createHash, type Hash } from "node:crypto";
import type { Json, WorkspaceFiles } from "../contracts/index.js";
import { CoordinatorError } from "../contracts/index.js";
import { createGate } from "./pipeline.js";

export interface Uploads {
  /** Starts a file; `write` receives its parts. `place`: what the journal says of it. */
  readonly start: (
    place: readonly Json[],
    write: (parts: AsyncIterable<Uint8Array>) => Promise<void>,
  ) => Promise<number>;
  /** Resolves when the part is written, so that a guest cannot send faster than the disk writes. */
  readonly add: (id: number, part: Uint8Array) => Promise<void>;
  readonly end: (id: number) => Promise<void>;
  /** A file that is being written. Undefined if there is none. */
  readonly find: (id: Json | undefined) => WholeUpload | undefined;
  /** Gives up unfinished files. */
  readonly close: () => void;
}

/** A file that came in parts, as one call in the journal. */
export interface WholeUpload {
  readonly arguments: Json;
  /** Gives the file up: nothing is written. */
  readonly abandon: () => void;
}

interface Upload {
  readonly place: readonly Json[];
  readonly hash: Hash;
  bytes: number;
  readonly writer: WritableStreamDefaultWriter<Uint8Array>;
  /** Resolves when the file is written. */
  readonly done: Promise<void>;
  readonly leave: () => void;
}

/** Unfinished files of one run. They use disk space but do not count in the quota yet. */
const maxAtOnce = 4;

export const openUploads = (): Uploads => {
  const gate = createGate(maxAtOnce);
  const open = new Map<number, Upload>();
  let lastId = 0;

  const findOpen = (id: number): Upload => {
    const upload = open.get(id);
    if (upload !== undefined) return upload;
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot continue writing: no file ${id} is being written`,
    );
  };
  const forget = (id: number): void => {
    open.get(id)?.leave();
    open.delete(id);
  };
  const abort = (id: number, { writer }: Upload): void =>
    void writer
      .abort(new Error("The file is given up"))
      .catch(() => undefined)
      .finally(() => forget(id));

  return {
    start: async (place, write) => {
      const leave = await gate.enter();
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const done = write(readable);
      // The guest gets the error with its next call; until then nobody may listen.
      done.catch(() => undefined);
      writer.closed.catch(() => undefined);
      const id = ++lastId;
      open.set(id, { place, hash: createHash("sha256"), bytes: 0, writer, done, leave });
      return id;
    },
    add: async (id, part) => {
      const upload = findOpen(id);
      const { hash, writer, done } = upload;
      hash.update(part);
      upload.bytes += part.length;
      try {
        await Promise.race([writer.write(part), done]);
      } catch {
        forget(id);
        await done;
      }
    },
    end: async (id) => {
      const { writer, done } = findOpen(id);
      try {
        await writer.close().catch(() => undefined);
        await done;
      } finally {
        forget(id);
      }
    },
    find: (id) => {
      const upload = typeof id === "number" ? open.get(id) : undefined;
      if (upload === undefined || typeof id !== "number") return undefined;
      const { place, hash, bytes } = upload;
      return {
        arguments: [...place, { sha256: hash.copy().digest("hex"), bytes }],
        abandon: () => abort(id, upload),
      };
    },
    close: () => {
      gate.close();
      for (const [id, upload] of open) abort(id, upload);
    },
  };
};

/** Text crosses as UTF-8, other bytes as one character each. */
export type Encoding = "utf8" | "latin1";

/** Size of one part. */
const partBytes = 1024 * 1024;

/** The content, the offset of the next part or null at the end, and a stamp that identifies the file's version. */
export type FilePart = readonly [content: string, next: number | null, stamp: string];

interface PartRequest {
  readonly path: string;
  readonly encoding: Encoding;
  readonly offset: number;
  /** The stamp of the earlier parts. */
  readonly stamp: string | undefined;
}

/** One part of a file. Null if the file has changed since the stamp. */
export const readPart = async (
  files: WorkspaceFiles,
  { path, encoding, offset, stamp }: PartRequest,
): Promise<FilePart | null> => {
  const read = async (): Promise<Buffer> =>
    Buffer.from(await files.readFile(path, { offset, length: partBytes + 1 }));
  const readStamp = async (): Promise<string> => {
    const { modifiedAt, bytes } = await files.stat(path);
    return `${modifiedAt} ${bytes}`;
  };
  const first = await read();
  if (first.length <= partBytes && stamp === undefined) return [first.toString(encoding), null, ""];
  const before = stamp ?? (await readStamp());
  const bytes = stamp === undefined ? await read() : first;
  if ((await readStamp()) !== before) return null;
  if (bytes.length <= partBytes) return [bytes.toString(encoding), null, before];
  const length = encoding === "utf8" ? wholeCharacters(bytes) : partBytes;
  return [bytes.toString(encoding, 0, length), offset + length, before];
};

/** Where to end a part so that no UTF-8 character is cut. */
const wholeCharacters = (bytes: Buffer): number => {
  let end = partBytes;
  while (end > partBytes - 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  // Not UTF-8: cut anywhere.
  return ((bytes[end] ?? 0) & 0xc0) === 0x80 ? partBytes : end;
};

export const decodePart = (content: string, encoding: Encoding): Uint8Array => Buffer.from(content, encoding);
