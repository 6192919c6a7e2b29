// The secret that signs approvals: 32 random bytes in a private file of the state folder, created on first use.
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CoordinatorError } from "../../contracts/index.js";
import { guardStore, readTextIfPresent, writeFileAtomically } from "../file-io.js";
import { withLock } from "../with-lock.js";

const fileName = "approval.key";

export interface ApprovalSecret {
  /** The same for all processes of the state folder, so that a question can be answered after a restart. */
  readonly read: () => Promise<Buffer>;
}

const readKey = async (path: string): Promise<Buffer | undefined> => {
  const text = await readTextIfPresent(path);
  if (text === undefined) return undefined;
  if (/^[0-9a-f]{64}\n$/.test(text)) return Buffer.from(text.trim(), "hex");
  throw new CoordinatorError("STORE_UNREADABLE", `Cannot read "${fileName}": its content is damaged`, {
    hint: `Remove "${fileName}" from the state folder; pending questions are then asked again.`,
  });
};

export const openApprovalSecret = (folder: string): ApprovalSecret => {
  const path = join(folder, fileName);
  let known: Buffer | undefined;
  const create = async (): Promise<Buffer> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return withLock(`${path}.locks`, async () => {
      const existing = await readKey(path);
      if (existing !== undefined) return existing;
      const key = randomBytes(32);
      await writeFileAtomically(path, `${key.toString("hex")}\n`, { isSynced: true });
      return key;
    });
  };
  return guardStore<ApprovalSecret>({
    read: async () => {
      known ??= (await readKey(path)) ?? (await create());
      return known;
    },
  });
};
