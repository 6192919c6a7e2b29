// The values that programs stored (long outputs, artifacts, values behind handles): lists and reads them, and adds them to recordings.
import {
  CoordinatorError,
  type Json,
  type StoredEntry,
  type StoredKind,
  type StoredValues,
} from "../../contracts/index.js";
import type { StoredValue, StoredValueRequest } from "../coordinator.js";
import type { Host } from "../host/host.js";
import { toWorkspaceRules } from "../workspaces/list-workspaces.js";

/** Throws NAME_INVALID when opened. */
export const openValues =
  (host: Host, workspace?: string): (() => Promise<StoredValues>) =>
  async () =>
    (await toWorkspaceRules(host, { workspace }).open()).storedValues;

export const listStoredValues = async (
  host: Host,
  { workspace }: { readonly workspace?: string | undefined } = {},
): Promise<readonly StoredEntry[]> => (await openValues(host, workspace)()).list();

export const readStoredValue = async (
  host: Host,
  { id, workspace }: StoredValueRequest,
): Promise<StoredValue> => {
  const values = await openValues(host, workspace)();
  const facts = await values.find(id);
  return { ...facts, content: await values.read(id) };
};

interface RecordedValue {
  readonly kind: StoredKind;
  readonly base64: string;
  readonly name?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** Limit of all values together. */
const maxBytes = 16 * 1024 * 1024;

const idPattern = /\bk_[0-9a-f]{20}\b/g;

/** Values whose id is in the text: handles, their metadata, and ids that a program writes itself. */
export const recordValues = async (text: string, stored: StoredValues): Promise<readonly RecordedValue[]> => {
  const values: RecordedValue[] = [];
  let left = maxBytes;
  for (const id of new Set(text.match(idPattern))) {
    const { kind, bytes, name, mimeType } = await stored.find(id).catch(() => {
      throw incomplete(`it uses the stored value "${id}", which is gone`);
    });
    left -= bytes;
    if (left < 0) throw incomplete(`the values that it stored are larger than ${maxBytes} bytes together`);
    values.push({ kind, base64: Buffer.from(await stored.read(id)).toString("base64"), name, mimeType });
  }
  return values;
};

/** The same content has the same id. */
export const restoreValues = async (
  values: Json | undefined,
  open: () => Promise<StoredValues>,
): Promise<void> => {
  if (!Array.isArray(values) || values.length === 0) return;
  const stored = await open();
  for (const { kind, base64, name, mimeType } of values as unknown as readonly RecordedValue[]) {
    const bytes = Buffer.from(String(base64), "base64");
    const content = kind === "bytes" ? bytes : bytes.toString("utf8");
    const format = kind === "bytes" || kind === "text" ? kind : "json";
    await stored.store({ format, content, name, mimeType });
  }
};

const incomplete = (why: string): CoordinatorError =>
  new CoordinatorError("CASSETTE_INCOMPLETE", `Cannot export the run: ${why}`);
