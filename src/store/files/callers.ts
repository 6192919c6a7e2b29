// The callers of the HTTP endpoint: their names and token hashes in one private file of the state folder.
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Caller, type CallerFacts, type CallerStore, CoordinatorError } from "../../contracts/index.js";
import { checkName } from "../check-input.js";
import { guardStore, isMissing, parseFormat, writeFileAtomically } from "../file-io.js";
import { withLock } from "../with-lock.js";

interface CallerEntry extends Omit<CallerFacts, "id"> {
  /** A plain SHA-256 is enough: tokens have 256 random bits. */
  readonly tokenHash: string;
}

const callersFormat = { format: "mcp-coordinator/callers", version: 1 };

const toHash = (token: string): string => hash("sha256", token);

const isEntry = (value: unknown): value is CallerEntry => {
  const { name, workspace, madeAt, tokenHash } = (value ?? {}) as Partial<Record<keyof CallerEntry, unknown>>;
  return (
    typeof name === "string" &&
    (workspace === undefined || typeof workspace === "string") &&
    typeof madeAt === "string" &&
    typeof tokenHash === "string" &&
    /^[0-9a-f]{64}$/.test(tokenHash)
  );
};

/** A damaged file admits nobody. */
const parse = (text: string): readonly CallerEntry[] => {
  const callers = parseFormat(text, callersFormat)?.callers;
  if (Array.isArray(callers) && callers.every(isEntry)) return callers;
  throw new CoordinatorError("STORE_UNREADABLE", 'Cannot read "callers.json": its content is damaged', {
    hint: 'Remove "callers.json" from the state folder; every caller then needs a new token.',
  });
};

const toFacts = ({ tokenHash, ...facts }: CallerEntry): CallerFacts => ({
  ...facts,
  id: tokenHash.slice(0, 16),
});

const toCaller = (entry: CallerEntry): Caller => {
  const { madeAt: _madeAt, ...caller } = toFacts(entry);
  return caller;
};

/** Opens `<folder>/callers.json`, which the first caller creates. */
export const openCallers = (folder: string): CallerStore => {
  const path = join(folder, "callers.json");
  let known: { readonly stamp: string; readonly entries: readonly CallerEntry[] } | undefined;

  /** Runs at every request. The file is read again if it has changed, so that removing a caller takes effect at once. */
  const read = async (): Promise<readonly CallerEntry[]> => {
    try {
      const { mtimeNs, size, ino } = await stat(path, { bigint: true });
      const stamp = `${mtimeNs} ${size} ${ino}`;
      if (known?.stamp !== stamp) known = { stamp, entries: parse(await readFile(path, "utf8")) };
      return known.entries;
    } catch (error) {
      known = undefined;
      if (isMissing(error)) return [];
      throw error;
    }
  };

  const change = async <Result>(
    work: (entries: readonly CallerEntry[]) => {
      readonly entries: readonly CallerEntry[];
      readonly result: Result;
    },
  ): Promise<Result> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return withLock(`${path}.locks`, async () => {
      known = undefined;
      const { entries, result } = work(await read());
      const sorted = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
      const text = JSON.stringify({ ...callersFormat, callers: sorted }, undefined, 1);
      await writeFileAtomically(path, `${text}\n`, { isSynced: true });
      known = undefined;
      return result;
    });
  };

  const create = (caller: Pick<CallerEntry, "name" | "workspace">) => {
    const token = `mcpc_${randomBytes(32).toString("base64url")}`;
    const entry = { ...caller, madeAt: new Date().toISOString(), tokenHash: toHash(token) };
    return { entry, created: { ...toFacts(entry), token } };
  };

  return guardStore<CallerStore>({
    list: async () => (await read()).map(toFacts),
    add: async ({ name: given, workspace }) => {
      const name = checkName("caller", given);
      if (workspace !== undefined) checkName("workspace", workspace);
      return change((entries) => {
        if (entries.some((entry) => entry.name === name))
          throw new CoordinatorError("CALLER_EXISTS", `Cannot add the caller "${name}": the name is taken`, {
            hint: `Create a new token with "mcp-coordinator callers renew ${name}", or use another name.`,
          });
        const { entry, created } = create({ name, workspace });
        return { entries: [...entries, entry], result: created };
      });
    },
    renew: (given) =>
      change((entries) => {
        const name = given.normalize("NFC");
        const before = entries.find((entry) => entry.name === name);
        if (before === undefined)
          throw new CoordinatorError(
            "CALLER_UNKNOWN",
            `Cannot renew the token of "${name}": there is no such caller`,
          );
        const { workspace } = before;
        const { entry, created } = create({ name, workspace });
        return { entries: entries.map((one) => (one === before ? entry : one)), result: created };
      }),
    remove: async (given) => {
      const name = given.normalize("NFC");
      if (!(await read()).some((entry) => entry.name === name)) return false;
      return change((entries) => ({ entries: entries.filter((entry) => entry.name !== name), result: true }));
    },
    find: async (token) => {
      const given = Buffer.from(toHash(token));
      let found: CallerEntry | undefined;
      // Constant time: every entry is compared completely.
      for (const entry of await read()) {
        if (timingSafeEqual(given, Buffer.from(entry.tokenHash))) found = entry;
      }
      return found === undefined ? undefined : toCaller(found);
    },
  });
};
