// What became of the approvals of one run: which were granted, and which of their calls were made. It is beside the secret of approvals and
// not in the journal, so that an edited or shortened journal gives no approval back.
import { hash } from "node:crypto";
import { appendFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { guardStore, readTextIfPresent } from "../file-io.js";

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

const folderName = "approvals";
/** Approvals expire long before. */
const keptMs = 30 * 24 * 60 * 60 * 1000;

/** `run`: the workspace and id of the run. */
export const openApprovalUses = (stateFolder: string, run: readonly string[]): ApprovalUses => {
  const folder = join(stateFolder, folderName);
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
  const before = Date.now() - keptMs;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < before) await rm(path, { force: true });
  }
};
