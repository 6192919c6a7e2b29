// What must not change unnoticed about tools: their accepted definitions, in a lock file that a team can share, and the public names that
// clients have seen.
import { hash } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  CoordinatorError,
  type GivenNames,
  isFields,
  type JsonObject,
  type NamedItem,
  type NameStore,
} from "../../contracts/index.js";
import {
  errnoOf,
  guardStore,
  isMissing,
  parseFields,
  parseFormat,
  readBounded,
  readTextIfPresent,
  writeFileAtomically,
} from "../file-io.js";
import { withLock } from "../with-lock.js";

const lockFormat = { format: "mcp-coordinator/pins", version: 1 };
const maxBytes = 64 * 1024 * 1024;

/** Server → item → hash of its accepted definition. */
export type PinnedServers = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface AcceptedItem {
  readonly key: string;
  readonly pin: string;
  readonly definition: JsonObject;
}

export interface PinStore {
  /** Throws STORE_UNREADABLE for a damaged file: without pins, everything would count as accepted. */
  readonly read: () => Promise<PinnedServers>;
  /** Adds to the accepted items of a server. `isFirst`: does nothing if the server has some already. */
  readonly accept: (server: string, items: readonly AcceptedItem[], isFirst?: boolean) => Promise<void>;
  /** The accepted definitions, as far as they were accepted on this machine. */
  readonly readDefinitions: (server: string) => Promise<ReadonlyMap<string, JsonObject>>;
}

const damaged = (path: string): CoordinatorError =>
  new CoordinatorError("STORE_UNREADABLE", `Cannot read the pinned tools in "${path}": the file is damaged`, {
    hint: "Restore the file, or remove it and accept the tools again.",
  });

const parsePins = (text: string, path: string): PinnedServers => {
  const servers = parseFormat(text, lockFormat)?.servers;
  if (!isFields(servers)) throw damaged(path);
  return new Map(
    Object.entries(servers).map(([server, items]) => {
      if (!isFields(items)) throw damaged(path);
      const pins = Object.entries(items).map(([key, pin]): [string, string] => {
        if (typeof pin !== "string" || !/^[0-9a-f]{64}$/.test(pin)) throw damaged(path);
        return [key, pin];
      });
      return [server, new Map(pins)];
    }),
  );
};

/** Sorted, one item a line: the file is read in reviews and merged by version control. */
const renderPins = (servers: PinnedServers): string => {
  const sort = <Value>(entries: Iterable<readonly [string, Value]>) =>
    [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
  const sorted = sort(servers).map(([server, items]) => [server, Object.fromEntries(sort(items))] as const);
  return `${JSON.stringify({ ...lockFormat, servers: Object.fromEntries(sorted) }, undefined, 2)}\n`;
};

/** Changes when the file changes. */
export const stampPins = (path: string): string => {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts === undefined ? "" : `${facts.mtimeMs} ${facts.size} ${facts.ino}`;
};

export const openPinStore = ({
  file,
  folder,
}: {
  readonly file: string;
  /** Holds the texts of the pinned definitions. */
  readonly folder: string;
}): PinStore => {
  let known: { readonly stamp: string; readonly servers: PinnedServers } | undefined;
  const read = async (): Promise<PinnedServers> => {
    const stamp = stampPins(file);
    if (known?.stamp === stamp) return known.servers;
    const content =
      stamp === "" ? undefined : await readBounded(file, { maxBytes, tooLarge: () => damaged(file) });
    if (stamp !== "" && content === undefined) throw damaged(file);
    const servers: PinnedServers =
      content === undefined ? new Map() : parsePins(content.toString("utf8"), file);
    known = { stamp, servers };
    return servers;
  };
  const toTextFile = (server: string): string => join(folder, `${hash("sha256", server).slice(0, 32)}.json`);
  const readDefinitions = async (server: string): Promise<ReadonlyMap<string, JsonObject>> => {
    const content = await readBounded(toTextFile(server), { maxBytes, tooLarge: () => damaged(file) });
    return new Map(Object.entries(parseFields(content?.toString("utf8")) ?? {}) as [string, JsonObject][]);
  };
  return guardStore<PinStore>({
    read,
    readDefinitions,
    accept: async (server, items, isFirst = false) => {
      await Promise.all([dirname(file), folder].map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
      await withLock(join(folder, "locks"), async () => {
        known = undefined;
        const servers = await read();
        const before = servers.get(server);
        if (isFirst && before !== undefined) return;
        const pins = new Map([...(before ?? []), ...items.map(({ key, pin }) => [key, pin] as const)]);
        const texts = new Map([
          ...(await readDefinitions(server)),
          ...items.map(({ key, definition }) => [key, definition] as const),
        ]);
        await writeFileAtomically(toTextFile(server), JSON.stringify(Object.fromEntries(texts)));
        await writeFileAtomically(file, renderPins(new Map([...servers, [server, pins]])), { mode: 0o644 });
        known = undefined;
      });
    },
  });
};

const namesFormat = { format: "mcp-coordinator/direct-names", version: 1 };
const readOnly = new Set(["EROFS", "EACCES", "EPERM"]);
const kinds = ["tools", "prompts", "resources", "templates"] as const;

const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");

/** Without the names, another server could get them: a damaged file is not taken for an empty one. */
const parseNames = (text: string | undefined): GivenNames => {
  const fields = text === undefined ? {} : parseFormat(text, namesFormat);
  const read = (kind: (typeof kinds)[number]): Map<string, NamedItem> => {
    const found = fields?.[kind] ?? {};
    if (fields === undefined || !isFields(found) || !Object.values(found).every(isPair))
      throw new CoordinatorError("STORE_UNREADABLE", "Cannot read the names of tools: the file is damaged", {
        hint: 'Remove it from "direct-names" in the state folder; names are then assigned again.',
      });
    const pairs = Object.entries(found) as [string, readonly [string, string]][];
    return new Map(pairs.map(([given, [server, name]]) => [given, { server, name }]));
  };
  return Object.fromEntries(kinds.map((kind) => [kind, read(kind)])) as unknown as GivenNames;
};

const renderNames = (configuration: string, names: GivenNames): string => {
  const toPairs = (given: ReadonlyMap<string, NamedItem>): object =>
    Object.fromEntries([...given].map(([name, item]) => [name, [item.server, item.name]]));
  const all = Object.fromEntries(kinds.map((kind) => [kind, toPairs(names[kind])]));
  return `${JSON.stringify({ ...namesFormat, configuration, ...all })}\n`;
};

const copyNames = (names: GivenNames): GivenNames =>
  Object.fromEntries(kinds.map((kind) => [kind, new Map(names[kind])])) as unknown as GivenNames;

const hasSameNames = (one: GivenNames, other: GivenNames): boolean =>
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
    if (known?.stamp !== stamp) known = { stamp, names: parseNames(await readTextIfPresent(path)) };
    return known.names;
  };

  return guardStore<NameStore>({
    assign: async (work) => {
      const before = await read();
      const tried = copyNames(before);
      const result = work(tried);
      if (hasSameNames(before, tried)) return result;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        return await withLock(`${path}.locks`, async () => {
          // Another process may have given names in the meantime.
          const names = copyNames(await read());
          const assigned = work(names);
          await writeFileAtomically(path, renderNames(configuration, names));
          known = { stamp: await readStamp(), names };
          return assigned;
        });
      } catch (error) {
        // The lock reports the system's error as its cause.
        const cause = error instanceof CoordinatorError ? error.cause : error;
        if (!readOnly.has(errnoOf(cause) ?? "")) throw error;
        // Where nothing can be stored, names are pinned as long as the process runs.
        known = { stamp: await readStamp(), names: tried };
        return result;
      }
    },
  });
};
