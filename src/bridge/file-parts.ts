// Files as the texts in which they cross the wall: UTF-8 as it is, other bytes one character each; large ones in parts.
import type { WorkspaceFiles } from "../contracts/index.js";

export type Encoding = "utf8" | "latin1";

/** Bytes that are read at once. */
const partBytes = 1024 * 1024;

/** The content, the offset of what follows or null at the end, and what the file is known again by. */
export type FilePart = readonly [content: string, next: number | null, stamp: string];

interface PartRequest {
  readonly path: string;
  readonly encoding: Encoding;
  readonly offset: number;
  /** The stamp of the parts before: of another file nothing is told. */
  readonly stamp: string | undefined;
}

/** One part of a file; null when it is no longer the file that the stamp is of. */
export const encodeParts = async (
  files: WorkspaceFiles,
  { path, encoding, offset, stamp }: PartRequest,
): Promise<FilePart | null> => {
  const readPart = async (): Promise<Buffer> =>
    Buffer.from(await files.readFile(path, { offset, length: partBytes + 1 }));
  const readStamp = async (): Promise<string> => {
    const { modifiedAt, bytes } = await files.stat(path);
    return `${modifiedAt} ${bytes}`;
  };
  const first = await readPart();
  if (first.length <= partBytes && stamp === undefined) return [first.toString(encoding), null, ""];
  const before = stamp ?? (await readStamp());
  const bytes = stamp === undefined ? await readPart() : first;
  if ((await readStamp()) !== before) return null;
  if (bytes.length <= partBytes) return [bytes.toString(encoding), null, before];
  const length = encoding === "utf8" ? wholeCharacters(bytes) : partBytes;
  return [bytes.toString(encoding, 0, length), offset + length, before];
};

/** The end of a part at which no character of UTF-8 is cut. */
const wholeCharacters = (bytes: Buffer): number => {
  let end = partBytes;
  while (end > partBytes - 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  // Not UTF-8 at all: it is cut anywhere.
  return ((bytes[end] ?? 0) & 0xc0) === 0x80 ? partBytes : end;
};

export const decodePart = (content: string, encoding: Encoding): Uint8Array => Buffer.from(content, encoding);
