// Texts that are too large for a line of the journal, as files beside it.
import { Buffer } from "node:buffer";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  CoordinatorError,
  decodeInSteps,
  encodeInSteps,
  finishInSlices,
  type GuestAnswer,
  type RecordedAnswer,
  type StoredText,
} from "../../contracts/index.js";

/** Up to this a text stands in the journal itself. */
export const longestInline = 16 * 1024;

/** Where the texts of one run are kept. */
export interface SideTexts {
  readonly write: (file: string, text: string) => Promise<StoredText>;
  readonly read: (stored: StoredText) => Promise<string>;
}

/** In files of the run's folder. A text is written before the record that names it, so no record names half a text. */
export const openSideFiles = (folder: string, { isSynced = false } = {}): SideTexts => ({
  write: async (file, text) => {
    const path = join(folder, file);
    const content = await finishInSlices(encodeInSteps(text));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, content, { mode: 0o600, flush: isSynced });
    return { file, bytes: content.length };
  },
  read: async ({ file, bytes }) => {
    const content = await readFile(join(folder, file)).catch(() => undefined);
    if (content?.length === bytes) return finishInSlices(decodeInSteps(content));
    throw new CoordinatorError(
      "STORE_UNREADABLE",
      `Cannot read "${file}" of the run: ${content === undefined ? "it is gone" : `it has ${content.length} bytes, ${bytes} were written`}`,
    );
  },
});

/** In memory, for what is only replayed. */
export const openSideMemory = (): SideTexts => {
  const texts = new Map<string, string>();
  return {
    write: async (file, text) => {
      texts.set(file, text);
      return { file, bytes: Buffer.byteLength(text) };
    },
    read: async ({ file }) => texts.get(file) ?? "",
  };
};

/** Whether an answer stands in the journal as it is. */
export const isShort = (answer: GuestAnswer): boolean =>
  answer.status === "failed" || answer.body.length <= longestInline;

/** An answer as it stands in the journal. */
export const keepAnswer = async (
  texts: SideTexts,
  sequence: number,
  answer: GuestAnswer,
): Promise<RecordedAnswer> => {
  if (answer.status === "failed" || isShort(answer)) return answer;
  const { status, format, body } = answer;
  // UTF-8 has no half characters, and a server's text may.
  const isQuoted = !body.isWellFormed();
  const stored = await texts.write(
    `answers/${sequence}.${format === "json" || isQuoted ? "json" : "txt"}`,
    isQuoted ? JSON.stringify(body) : body,
  );
  return { status, format, file: { ...stored, ...(isQuoted ? { isQuoted: true as const } : {}) } };
};

export const recallAnswer = async (texts: SideTexts, answer: RecordedAnswer): Promise<GuestAnswer> => {
  if (answer.status === "failed") return answer;
  const { status, format, body, file } = answer;
  if (body !== undefined) return { status, format, body };
  if (file === undefined)
    throw new CoordinatorError("STORE_UNREADABLE", "Cannot read an answer: it has no text");
  const text = await texts.read(file);
  return { status, format, body: file.isQuoted === true ? (JSON.parse(text) as string) : text };
};
