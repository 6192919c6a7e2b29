// A secret of this installation, in the state folder: outside of what people share and programs may reach.
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CoordinatorError } from "../../contracts/index.js";
import { guardStore, readTextIfPresent, writeFileAtomically } from "../file-io.js";
import { withLock } from "../with-lock.js";

/** What is lost if the file is removed to get a new one. */
const consequences = {
  "approval.key": "pending questions are then asked again",
  "audit.key": "the audit so far can then no longer be verified",
} as const;

export interface SecretFile {
  /** The same for all processes of the state folder, so that what it authenticates outlives a restart. */
  readonly read: () => Promise<Buffer>;
}

export const openSecretFile = (folder: string, name: keyof typeof consequences): SecretFile => {
  const path = join(folder, name);
  let known: Buffer | undefined;
  const readKey = async (): Promise<Buffer | undefined> => {
    const text = await readTextIfPresent(path);
    if (text === undefined) return undefined;
    if (/^[0-9a-f]{64}\n$/.test(text)) return Buffer.from(text.trim(), "hex");
    throw new CoordinatorError("STORE_UNREADABLE", `Cannot read "${name}": its content is damaged`, {
      hint: `Remove "${name}" from the state folder; ${consequences[name]}.`,
    });
  };
  const create = async (): Promise<Buffer> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return withLock(`${path}.locks`, async () => {
      const existing = await readKey();
      if (existing !== undefined) return existing;
      const key = randomBytes(32);
      await writeFileAtomically(path, `${key.toString("hex")}\n`, { isSynced: true });
      return key;
    });
  };
  const find = async (): Promise<Buffer> => {
    known = (await readKey()) ?? (await create());
    return known;
  };
  let finding: Promise<Buffer> | undefined;
  return guardStore<SecretFile>({
    read: async () => {
      if (known !== undefined) return known;
      // Concurrent callers wait for the same key and get it in order, so that what is written with it stays in order.
      finding ??= find().finally(() => {
        finding = undefined;
      });
      return finding;
    },
  });
};
