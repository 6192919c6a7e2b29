// The secret behind people's approvals: 32 random bytes in a private file of the state folder, made when it is first needed.
import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CoordinatorError } from "../../contracts/index.js";
import { guardStore } from "../guard-store.js";
import { withLock } from "../with-lock.js";
import { writeFileAtomically } from "../write-file-atomically.js";

const fileName = "approval.key";

export interface ApprovalSecret {
  /** The same for every process of the state folder, so that a run can be answered after a restart. */
  readonly read: () => Promise<Buffer>;
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

const readKey = async (path: string): Promise<Buffer | undefined> => {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  if (/^[0-9a-f]{64}\n$/.test(text)) return Buffer.from(text.trim(), "hex");
  throw new CoordinatorError("STORE_UNREADABLE", `Cannot read "${fileName}": it is not what was written`, {
    hint: `Remove "${fileName}" from the state folder; questions that wait are then asked again.`,
  });
};

export const openApprovalSecret = (folder: string): ApprovalSecret => {
  const path = join(folder, fileName);
  let known: Buffer | undefined;
  const make = async (): Promise<Buffer> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return withLock(`${path}.locks`, async () => {
      const other = await readKey(path);
      if (other !== undefined) return other;
      const key = randomBytes(32);
      await writeFileAtomically(path, `${key.toString("hex")}\n`, { isSynced: true });
      return key;
    });
  };
  return guardStore<ApprovalSecret>({
    read: async () => {
      known ??= (await readKey(path)) ?? (await make());
      return known;
    },
  });
};
