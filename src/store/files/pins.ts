// Accepted definitions of tools: their hashes in a lock file that a team can share, their texts in the state folder to show what changed.
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CoordinatorError, isFields, type JsonObject } from "../../contracts/index.js";
import { guardStore, parseFields, parseFormat, readBounded, writeFileAtomically } from "../file-io.js";
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
  /** For the texts. */
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
  const toTextFile = (server: string): string =>
    join(folder, `${createHash("sha256").update(server).digest("hex").slice(0, 32)}.json`);
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
