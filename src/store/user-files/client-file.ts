// Other programs' files: read as text that can be written back byte for byte, written whole with their mode and links kept.
import { mkdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { CoordinatorError } from "../../contracts/index.js";
import { writeFileAtomically } from "../write-file-atomically.js";

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";

/** The text of a file; `undefined` when there is none. */
export const readForeignFile = async (path: string): Promise<string | undefined> => {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT" || codeOf(thrown) === "ENOTDIR") return undefined;
    const message = `Cannot read "${path}": the system answered ${codeOf(thrown)}, wanted a readable file`;
    throw new CoordinatorError("CLIENT_FILE_UNREADABLE", message, { cause: thrown });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message = `Cannot read "${path}": it is not UTF-8, wanted text that can be written back as it is`;
    throw new CoordinatorError("CLIENT_FILE_UNREADABLE", message, { cause });
  }
};

/** Writes the file that a path leads to, through links; a new one is readable by its owner alone. */
export const writeForeignFile = async (path: string, text: string): Promise<void> => {
  try {
    const target = await realpath(path).catch(() => path);
    const mode = await stat(target).then(
      (facts) => facts.mode & 0o7777,
      () => 0o600,
    );
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFileAtomically(target, text, { mode, isSynced: true });
  } catch (cause) {
    if (cause instanceof CoordinatorError) throw cause;
    const message = `Cannot write "${path}": the system answered ${codeOf(cause)}, wanted a file that your user may write`;
    throw new CoordinatorError("CLIENT_FILE_UNREADABLE", message, { cause });
  }
};

export const removeForeignFile = (path: string): Promise<void> => rm(path, { force: true });
