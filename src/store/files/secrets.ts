// Secrets of this installation, and the signatures of skills that are made with one. They are in the state folder, which people do not share
// and programs cannot reach.
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CoordinatorError, isFields } from "../../contracts/index.js";
import { guardStore, parseFormat, readBounded, readTextIfPresent, writeFileAtomically } from "../file-io.js";
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

const sealFormat = { format: "mcp-coordinator/skill-signatures", version: 1 };
const maxSealBytes = 16 * 1024 * 1024;
const sealFile = "skill-signatures.json";

/** Signatures by what they belong to. `newest` of a skill is signed, too: an older version that is put back is noticed. */
export type SkillSeals = ReadonlyMap<string, string>;

export interface SealStore {
  /** Nothing if the file is missing or damaged: then no skill is signed. */
  readonly read: () => Promise<SkillSeals>;
  readonly change: (update: (seals: Map<string, string>) => void) => Promise<void>;
}

const parseSeals = (text: string): SkillSeals => {
  const found = parseFormat(text, sealFormat)?.signatures;
  if (!isFields(found)) return new Map();
  return new Map(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
};

export const openSealStore = (folder: string): SealStore => {
  const path = join(folder, sealFile);
  let known: { readonly stamp: string; readonly seals: SkillSeals } | undefined;
  const read = async (): Promise<SkillSeals> => {
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (facts === undefined) return new Map();
    const stamp = `${facts.ino} ${facts.ctimeNs} ${facts.size}`;
    if (known?.stamp === stamp) return known.seals;
    const tooLarge = () => new Error(`"${sealFile}" is too large`);
    const content = await readBounded(path, { maxBytes: maxSealBytes, tooLarge }).catch(() => undefined);
    const seals = content === undefined ? new Map<string, string>() : parseSeals(content.toString("utf8"));
    known = { stamp, seals };
    return seals;
  };
  return guardStore<SealStore>({
    read,
    change: async (update) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await withLock(`${path}.locks`, async () => {
        const seals = new Map(await read());
        update(seals);
        const signatures = Object.fromEntries([...seals].sort(([one], [other]) => (one < other ? -1 : 1)));
        await writeFileAtomically(path, `${JSON.stringify({ ...sealFormat, signatures }, undefined, 2)}\n`);
        known = undefined;
      });
    },
  });
};
