// Files that only grow: the labels of what is stored in a workspace, and what became of the approvals of a run.
import { hash } from "node:crypto";
import { appendFile, mkdir, readdir, rm, stat } from "node:fs/promises";
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

const addLine = ({ entries }: Known, line: string): void => {
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
  const folder = join(stateFolder, "labels");
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
    for (const line of text.split("\n")) addLine(fresh, line);
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

export interface ApprovalUses {
  /** The ids of the granted approvals, and for each call that was made the entries that it may count for. */
  readonly read: () => Promise<{
    readonly granted: ReadonlySet<string>;
    readonly used: readonly (readonly string[])[];
  }>;
  readonly grant: (id: string) => Promise<void>;
  /** Once it resolves, the call may be made. */
  readonly use: (entries: readonly string[]) => Promise<void>;
}

/** Approvals expire long before. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;

/** `run`: the workspace and id of the run. */
export const openApprovalUses = (stateFolder: string, run: readonly string[]): ApprovalUses => {
  const folder = join(stateFolder, "approvals");
  const path = join(folder, hash("sha256", JSON.stringify(run)).slice(0, 32));
  const write = (line: string): Promise<void> => appendFile(path, `${line}\n`, { mode: 0o600 });
  return guardStore<ApprovalUses>({
    read: async () => {
      const lines = ((await readTextIfPresent(path)) ?? "").split("\n").map((line) => line.split(" "));
      return {
        granted: new Set(lines.flatMap(([word, id]) => (word === "granted" && id !== undefined ? [id] : []))),
        used: lines.flatMap(([word, ...entries]) => (word === "used" ? [entries] : [])),
      };
    },
    grant: async (id) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await removeOld(folder);
      await write(`granted ${id}`);
    },
    use: (entries) => write(`used ${entries.join(" ")}`),
  });
};

const removeOld = async (folder: string): Promise<void> => {
  const before = Date.now() - maxAgeMs;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < before) await rm(path, { force: true });
  }
};
