// Writes a file, a private one unless told otherwise, so that a reader sees the old text or the new one, never a part.
import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

interface WriteOptions {
  readonly mode?: number;
  /** Wait for the disk, so that a power cut loses nothing. */
  readonly isSynced?: boolean;
}

export const writeFileAtomically = async (
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, isSynced = false }: WriteOptions = {},
): Promise<void> => {
  const draft = `${path}.${process.pid}-${randomBytes(4).toString("hex")}.draft`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(content);
      if (isSynced) await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};
