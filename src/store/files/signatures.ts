// The signatures of skills, made with a secret of this installation. They are in the state folder, outside of what people share and programs may reach.
import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isFields } from "../../contracts/index.js";
import { guardStore, parseFormat, readBounded, writeFileAtomically } from "../file-io.js";
import { withLock } from "../with-lock.js";

const format = { format: "mcp-coordinator/skill-signatures", version: 1 };
const maxBytes = 16 * 1024 * 1024;
const fileName = "skill-signatures.json";

/** Signatures by what they belong to. `newest` of a skill is signed, too: an older version that is put back is noticed. */
export type SkillSeals = ReadonlyMap<string, string>;

export interface SealStore {
  /** Nothing if the file is missing or damaged: then no skill is signed. */
  readonly read: () => Promise<SkillSeals>;
  readonly change: (update: (seals: Map<string, string>) => void) => Promise<void>;
}

const parseSeals = (text: string): SkillSeals => {
  const found = parseFormat(text, format)?.signatures;
  if (!isFields(found)) return new Map();
  return new Map(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
};

export const openSealStore = (folder: string): SealStore => {
  const path = join(folder, fileName);
  let known: { readonly stamp: string; readonly seals: SkillSeals } | undefined;
  const read = async (): Promise<SkillSeals> => {
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (facts === undefined) return new Map();
    const stamp = `${facts.ino} ${facts.ctimeNs} ${facts.size}`;
    if (known?.stamp === stamp) return known.seals;
    const tooLarge = () => new Error(`"${fileName}" is too large`);
    const content = await readBounded(path, { maxBytes, tooLarge }).catch(() => undefined);
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
        await writeFileAtomically(path, `${JSON.stringify({ ...format, signatures }, undefined, 2)}\n`);
        known = undefined;
      });
    },
  });
};
