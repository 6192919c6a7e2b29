// Includes the stored values that a run refers to in its recording, and stores them again for a replay.
import { CoordinatorError, type Json, type KeptKind, type KeptValues } from "../../contracts/index.js";

interface RecordedValue {
  readonly kind: KeptKind;
  readonly base64: string;
  readonly name?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** Limit of all values together. */
const maxBytes = 16 * 1024 * 1024;

const idPattern = /\bk_[0-9a-f]{20}\b/g;

/** Values whose id is in the text: handles, their metadata, and ids that a program writes itself. */
export const recordValues = async (text: string, kept: KeptValues): Promise<readonly RecordedValue[]> => {
  const values: RecordedValue[] = [];
  let left = maxBytes;
  for (const id of new Set(text.match(idPattern))) {
    const { kind, bytes, name, mimeType } = await kept.find(id).catch(() => {
      throw incomplete(`it uses the stored value "${id}", which is gone`);
    });
    left -= bytes;
    if (left < 0) throw incomplete(`the values that it stored are larger than ${maxBytes} bytes together`);
    values.push({ kind, base64: Buffer.from(await kept.read(id)).toString("base64"), name, mimeType });
  }
  return values;
};

/** The same content has the same id. */
export const restoreValues = async (
  values: Json | undefined,
  open: () => Promise<KeptValues>,
): Promise<void> => {
  if (!Array.isArray(values) || values.length === 0) return;
  const kept = await open();
  for (const { kind, base64, name, mimeType } of values as unknown as readonly RecordedValue[]) {
    const bytes = Buffer.from(String(base64), "base64");
    const content = kind === "bytes" ? bytes : bytes.toString("utf8");
    const format = kind === "bytes" || kind === "text" ? kind : "json";
    await kept.keep({
      format,
      content,
      name,
      mimeType,
    });
  }
};

const incomplete = (why: string): CoordinatorError =>
  new CoordinatorError("CASSETTE_INCOMPLETE", `Cannot export the run: ${why}`);
