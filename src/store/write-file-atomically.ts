// Writes a file, a private one unless told otherwise, so that a reader sees the old text or the new one, never a part.
import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";

export const writeFileAtomically = async (path: string, text: string, mode = 0o600): Promise<void> => {
  const draft = `${path}.${process.pid}-${randomBytes(4).toString("hex")}.draft`;
  try {
    await writeFile(draft, text, { mode, flag: "wx" });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};
