// The labels of what is stored in a workspace: its files, sessions, skills, stored values and runs. Lines are only added, so labels only grow.
import { hash } from "node:crypto";
import { appendFile, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { guardStore, readTextIfPresent } from "../file-io.js";

/** The labels of all of it, and of single fields in it. */
export interface StoredLabels {
  readonly labels: readonly string[];
  readonly fields?: readonly { readonly path: readonly string[]; readonly label: string }[] | undefined;
}

export interface LabelLedger {
  /** Undefined: nothing was written about it. */
  readonly read: (key: string) => Promise<StoredLabels | undefined>;
  /** Once it resolves, what the labels are about may be stored. */
  readonly add: (key: string, labels: StoredLabels) => Promise<void>;
}

const folderName = "labels";

interface Known {
  bytes: number;
  readonly entries: Map<string, StoredLabels>;
}

/** One copy for each file of this process. */
const copies = new Map<string, Known>();

/** A line that a killed process has not finished counts for nothing: what it is about was not stored. */
const parse = (line: string): [string, readonly string[], StoredLabels["fields"]] | undefined => {
  try {
    return JSON.parse(line) as ReturnType<typeof parse>;
  } catch {
    return undefined;
  }
};

const take = ({ entries }: Known, line: string): void => {
  const parsed = line === "" ? undefined : parse(line);
  if (parsed === undefined) return;
  const [key, labels, fields] = parsed;
  const before = entries.get(key);
  entries.set(key, {
    labels: [...new Set([...(before?.labels ?? []), ...labels])],
    fields: [...(before?.fields ?? []), ...(fields ?? [])],
  });
};

export const openLabelLedger = (stateFolder: string, workspace: string): LabelLedger => {
  const folder = join(stateFolder, folderName);
  const path = join(folder, hash("sha256", workspace).slice(0, 32));
  /** Reads again what other processes have added. */
  const refresh = async (): Promise<Known> => {
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    const known = copies.get(path);
    if (known !== undefined && known.bytes === size) return known;
    const text = (await readTextIfPresent(path)) ?? "";
    const fresh: Known = { bytes: Buffer.byteLength(text), entries: new Map() };
    for (const line of text.split("\n")) take(fresh, line);
    copies.set(path, fresh);
    return fresh;
  };
  const isNew = (before: StoredLabels | undefined, { labels, fields = [] }: StoredLabels): boolean =>
    before === undefined ||
    fields.length > (before.fields?.length ?? 0) ||
    labels.some((label) => !before.labels.includes(label));
  return guardStore<LabelLedger>({
    read: async (key) => (await refresh()).entries.get(key),
    add: async (key, labels) => {
      const known = await refresh();
      if (!isNew(known.entries.get(key), labels)) return;
      const line = JSON.stringify([key, labels.labels, labels.fields ?? []]);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // On a line of its own, also after one that was not finished.
      await appendFile(path, `\n${line}\n`, { mode: 0o600 });
    },
  });
};
