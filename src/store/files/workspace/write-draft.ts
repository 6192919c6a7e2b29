// Writes content to a draft that programs cannot see, and gives it its name when it is complete.
import { randomBytes } from "node:crypto";
import { closeSync, constants, lstatSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { syncBytes, writeBytes } from "../../file-io.js";
import type { AnchoredFolder } from "./anchored-folder.js";
import type { WorkspaceFolder } from "./workspace-folder.js";

export interface Draft {
  readonly bytes: number;
  /** Gives the draft its name, replacing an existing file. */
  readonly moveTo: (folder: AnchoredFolder, name: string) => void;
  readonly discard: () => void;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY } = constants;
/** Older drafts were left by a process that died. */
const abandonedMs = 3_600_000;

const sweep = (drafts: AnchoredFolder): void => {
  for (const name of readdirSync(drafts.at(""))) {
    const stats = lstatSync(drafts.at(name), { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > abandonedMs)
      rmSync(drafts.at(name), { force: true });
  }
};

/** `checkSize` runs as the content grows and throws if it is too large. */
export const writeDraft = async (
  workspace: WorkspaceFolder,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  checkSize: (bytes: number) => void,
): Promise<Draft> => {
  const drafts = workspace.openDrafts();
  const name = `${process.pid}-${randomBytes(6).toString("hex")}`;
  const discard = (): void => {
    rmSync(drafts.at(name), { force: true });
    drafts.close();
  };
  let bytes = 0;
  try {
    sweep(drafts);
    const descriptor = openSync(drafts.at(name), O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
    try {
      for await (const part of content instanceof Uint8Array ? [content] : content) {
        bytes += part.length;
        checkSize(bytes);
        await writeBytes(descriptor, part);
      }
      if (workspace.isSynced) await syncBytes(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    discard();
    throw error;
  }
  return {
    bytes,
    moveTo: (folder, target) => {
      folder.check();
      renameSync(drafts.at(name), folder.at(target));
      folder.check();
    },
    discard,
  };
};
