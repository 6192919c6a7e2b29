// Plans and carries out a takeover: which servers move where, the one entry that stays in the client, a backup of each changed file.
import { isDeepStrictEqual } from "node:util";
import {
  type ClientFile,
  type ClientFolders,
  type ClientServer,
  editServers,
  type FileChange,
  listServers,
  type OwnEntry,
  parseClientFile,
} from "../../config/clients/index.js";
import {
  CoordinatorError,
  type TakenPlace,
  type Takeover,
  toCoordinatorError,
} from "../../contracts/index.js";
import { readForeignFile, writeForeignFile } from "../../store/index.js";
import {
  entryName,
  newId,
  openTakeoversOf,
  ownFileOf,
  refuseLinkOut,
  toHash,
  toInvocation,
  toServeWords,
} from "./onboarding-places.js";

export interface PlannedMove {
  readonly file: ClientFile;
  readonly server: ClientServer;
  readonly ownFile: string;
  readonly ownName: string;
  readonly entry: OwnEntry;
}

/** One of our configurations, before and after. */
export interface OwnFilePlan {
  readonly path: string;
  readonly before: string | undefined;
  /** The entries to write, without those that it already has. */
  readonly set: Map<string, OwnEntry>;
  readonly known: Map<string, unknown>;
}

export interface TakeoverPlan {
  readonly moves: readonly PlannedMove[];
  readonly ownFiles: readonly OwnFilePlan[];
  readonly notes: readonly string[];
}

/** Entries that differ only in these fields are the same server. */
const toIdentity = (entry: unknown): unknown => {
  const { description: _, disabled: __, timeouts: ___, ...rest } = (entry ?? {}) as OwnEntry;
  return rest;
};

const openOwnFile = async (path: string): Promise<OwnFilePlan> => {
  const before = await readForeignFile(path);
  const document = before === undefined ? {} : await parseClientFile(before, "json", path);
  return { path, before, set: new Map(), known: new Map(listServers(document, { keys: ["mcpServers"] })) };
};

/** The first free name: its own, then with the client's name, then with a number. */
const chooseName = (
  wanted: string,
  entry: OwnEntry,
  client: string,
  { known, set }: OwnFilePlan,
): { readonly name: string; readonly isThere: boolean } => {
  for (let at = 0; ; at += 1) {
    const name = at === 0 ? wanted : at === 1 ? `${wanted}-${client}` : `${wanted}-${client}-${at}`;
    const taken = set.get(name) ?? known.get(name);
    if (taken === undefined) return { name, isThere: false };
    if (isDeepStrictEqual(toIdentity(taken), toIdentity(entry))) return { name, isThere: true };
  }
};

/** Plans the move of every chosen server. Writes nothing. */
export const planTakeover = async (
  chosen: readonly { readonly file: ClientFile; readonly server: ClientServer }[],
  folders: ClientFolders,
): Promise<TakeoverPlan> => {
  const ownFiles = new Map<string, OwnFilePlan>();
  const notes: string[] = [];
  const moves: PlannedMove[] = [];
  for (const { file, server } of chosen) {
    const path = ownFileOf(file, folders);
    refuseLinkOut(path, folders);
    const own = ownFiles.get(path) ?? (await openOwnFile(path));
    ownFiles.set(path, own);
    const entry =
      file.project !== undefined && server.entry.command !== undefined && server.entry.cwd === undefined
        ? { ...server.entry, cwd: file.project }
        : server.entry;
    const { name, isThere } = chooseName(server.name, entry, file.client.name, own);
    const written = own.set.get(name);
    if (!isThere) own.set.set(name, entry);
    // Enabled in one client means enabled.
    else if (written?.disabled === true && entry.disabled !== true) own.set.set(name, entry);
    if (isThere)
      notes.push(`"${server.name}" of ${file.client.title} is "${name}" already: they are the same server`);
    else if (name !== server.name) {
      notes.push(
        `"${server.name}" of ${file.client.title} is a different server of that name: it becomes "${name}"`,
      );
    }
    moves.push({ file, server, ownFile: path, ownName: name, entry: own.set.get(name) ?? entry });
  }
  return { moves, ownFiles: [...ownFiles.values()], notes: [...new Set(notes)] };
};

/** The one entry for a place: its name, and its value in the client's format. */
export const toClientEntry = (
  { client, scope, project }: Pick<ClientFile, "client" | "scope" | "project">,
  folders: ClientFolders,
  config?: string,
): readonly [name: string, value: unknown] => {
  const words = toServeWords({ client: client.name, scope, project }, folders, config);
  return [entryName, client.toEntry(toInvocation(words, scope, folders), entryName)];
};

export interface PlannedFile {
  readonly change: FileChange & { readonly after: string };
  readonly takeover: Takeover;
}

/** Each client's file after the change. A file that cannot be changed is reported and left as it is. */
export const planFiles = async (
  { moves }: TakeoverPlan,
  folders: ClientFolders,
): Promise<{ readonly files: readonly PlannedFile[]; readonly problems: readonly CoordinatorError[] }> => {
  const files: PlannedFile[] = [];
  const problems: CoordinatorError[] = [];
  for (const path of new Set(moves.map(({ file }) => file.path))) {
    try {
      files.push(
        await planFile(
          moves.filter(({ file }) => file.path === path),
          folders,
        ),
      );
    } catch (thrown) {
      problems.push(toCoordinatorError(thrown));
    }
  }
  return { files, problems };
};

const planFile = async (moves: TakeoverPlan["moves"], folders: ClientFolders): Promise<PlannedFile> => {
  const [first] = moves;
  if (first === undefined) throw new CoordinatorError("INTERNAL", "Cannot plan a file: nothing is moved");
  const { path, format, text: before, client } = first.file;
  refuseLinkOut(path, folders);
  const places: TakenPlace[] = [];
  let after = before;
  for (const file of new Set(moves.map((move) => move.file))) {
    const taken = moves.filter((move) => move.file === file);
    // Our entry in the place of the servers.
    const remove = taken.map(({ server }) => server.name);
    const set = [toClientEntry(file, folders)];
    after = await editServers(after, { keys: file.keys, isList: file.isList, remove, set }, file);
    places.push({
      keys: file.keys,
      isList: file.isList,
      entryName,
      moved: taken.map(({ server, ownFile, ownName, entry }) => ({
        name: server.name,
        ownFile,
        ownName,
        ownHash: toHash(JSON.stringify(entry)),
      })),
    });
  }
  return {
    change: { path, before, after },
    takeover: toTakeover({ client: client.name, path, format, places }, before, after),
  };
};

export const toTakeover = (
  facts: Pick<Takeover, "client" | "path" | "format" | "places">,
  before: string | undefined,
  after: string,
): Takeover => ({
  id: newId(),
  ...facts,
  takenAt: new Date().toISOString(),
  hashBefore: before === undefined ? undefined : toHash(before),
  hashAfter: toHash(after),
});

/** Our configurations after the change. */
export const planOwnFiles = (
  plan: TakeoverPlan,
): Promise<readonly (FileChange & { readonly after: string })[]> =>
  Promise.all(
    plan.ownFiles
      .filter(({ set }) => set.size > 0)
      .map(async ({ path, before, set }) => ({
        path,
        before,
        after: await editServers(
          before ?? "",
          { keys: ["mcpServers"], remove: [], set: [...set] },
          { format: "json", path },
        ),
      })),
  );

/** Writes everything: first our configurations, so that the servers are available, then the clients' files. */
export const writePlan = async (
  own: readonly (FileChange & { readonly after: string })[],
  files: readonly PlannedFile[],
  folders: ClientFolders,
): Promise<void> => {
  const takeovers = openTakeoversOf(folders);
  for (const { path, after } of own) await writeForeignFile(path, after);
  for (const { change, takeover } of files) {
    await takeovers.add(takeover, change);
    await writeForeignFile(change.path, change.after);
  }
};
