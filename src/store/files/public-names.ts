// Names that clients of the direct surface have seen: one private file per configuration, shared by all processes of the state folder.
import { hash } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  CoordinatorError,
  type GivenNames,
  isFields,
  type NamedItem,
  type NameStore,
} from "../../contracts/index.js";
import {
  errnoOf,
  guardStore,
  isMissing,
  parseFormat,
  readTextIfPresent,
  writeFileAtomically,
} from "../file-io.js";
import { withLock } from "../with-lock.js";

const namesFormat = { format: "mcp-coordinator/direct-names", version: 1 };
const readOnly = new Set(["EROFS", "EACCES", "EPERM"]);
const kinds = ["tools", "prompts", "resources", "templates"] as const;

const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");

/** Without the names, another server could get them: a damaged file is not taken for an empty one. */
const parse = (text: string | undefined): GivenNames => {
  const fields = text === undefined ? {} : parseFormat(text, namesFormat);
  const read = (kind: (typeof kinds)[number]): Map<string, NamedItem> => {
    const found = fields?.[kind] ?? {};
    if (fields === undefined || !isFields(found) || !Object.values(found).every(isPair))
      throw new CoordinatorError("STORE_UNREADABLE", "Cannot read the names of tools: the file is damaged", {
        hint: 'Remove it from "direct-names" in the state folder; names are then given anew.',
      });
    const pairs = Object.entries(found) as [string, readonly [string, string]][];
    return new Map(pairs.map(([given, [server, name]]) => [given, { server, name }]));
  };
  return Object.fromEntries(kinds.map((kind) => [kind, read(kind)])) as unknown as GivenNames;
};

const render = (configuration: string, names: GivenNames): string => {
  const toPairs = (given: ReadonlyMap<string, NamedItem>): object =>
    Object.fromEntries([...given].map(([name, item]) => [name, [item.server, item.name]]));
  const all = Object.fromEntries(kinds.map((kind) => [kind, toPairs(names[kind])]));
  return `${JSON.stringify({ ...namesFormat, configuration, ...all })}\n`;
};

const copy = (names: GivenNames): GivenNames =>
  Object.fromEntries(kinds.map((kind) => [kind, new Map(names[kind])])) as unknown as GivenNames;

const isLike = (one: GivenNames, other: GivenNames): boolean =>
  kinds.every(
    (kind) =>
      one[kind].size === other[kind].size && [...one[kind].keys()].every((name) => other[kind].has(name)),
  );

/** `configuration`: what the names belong to. */
export const openPublicNames = (stateFolder: string, configuration: string): NameStore => {
  const folder = join(stateFolder, "direct-names");
  const path = join(folder, `${hash("sha256", configuration).slice(0, 16)}.json`);
  let known: { readonly stamp: string; readonly names: GivenNames } | undefined;

  const readStamp = async (): Promise<string> => {
    try {
      const { mtimeNs, size, ino } = await stat(path, { bigint: true });
      return `${mtimeNs} ${size} ${ino}`;
    } catch (error) {
      if (isMissing(error)) return "";
      throw error;
    }
  };
  const read = async (): Promise<GivenNames> => {
    const stamp = await readStamp();
    if (known?.stamp !== stamp) known = { stamp, names: parse(await readTextIfPresent(path)) };
    return known.names;
  };

  return guardStore<NameStore>({
    assign: async (work) => {
      const before = await read();
      const tried = copy(before);
      const result = work(tried);
      if (isLike(before, tried)) return result;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        return await withLock(`${path}.locks`, async () => {
          // Another process may have given names in the meantime.
          const names = copy(await read());
          const assigned = work(names);
          await writeFileAtomically(path, render(configuration, names));
          known = { stamp: await readStamp(), names };
          return assigned;
        });
      } catch (error) {
        if (!readOnly.has(errnoOf(error) ?? "")) throw error;
        // Where nothing can be stored, names are pinned as long as the process runs.
        known = { stamp: await readStamp(), names: tried };
        return result;
      }
    },
  });
};
