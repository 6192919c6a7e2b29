// Content on its way into a workspace: a file of no name that programs know, until it is whole.
import { randomBytes } from "node:crypto";
import { closeSync, constants, lstatSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { syncBytes, writeBytes } from "../../file-io.js";
import type { AnchoredFolder } from "./anchored-folder.js";
import type { FilesPlace } from "./workspace-folder.js";

export interface Draft {
  readonly bytes: number;
  /** Gives the content its name, in place of a file that had it. */
  readonly moveTo: (folder: AnchoredFolder, name: string) => void;
  readonly discard: () => void;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY } = constants;
/** Left by a process that died while it wrote. */
const abandonedMs = 3_600_000;

const sweep = (drafts: AnchoredFolder): void => {
  for (const name of readdirSync(drafts.at(""))) {
    const facts = lstatSync(drafts.at(name), { throwIfNoEntry: false });
    if (facts !== undefined && Date.now() - facts.mtimeMs > abandonedMs)
      rmSync(drafts.at(name), { force: true });
  }
};

/** `checkSize` throws when there is more than a file may have; it is asked as the content grows. */
export const writeDraft = async (
  place: FilesPlace,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  checkSize: (bytes: number) => void,
): Promise<Draft> => {
  const drafts = place.openDrafts();
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
      if (place.isSynced) await syncBytes(descriptor);
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
