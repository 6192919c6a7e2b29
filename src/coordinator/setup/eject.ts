// Returns servers to their clients: restores the original file or, if it was edited since, removes only our change.
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  type ClientFolders,
  editServers,
  type FileChange,
  findClient,
  listSecrets,
  listServers,
  type OwnEntry,
  parseClientFile,
  renderChange,
  toOwnEntry,
  undoChange,
} from "../../config/clients/index.js";
import { personalFile } from "../../config/index.js";
import {
  type CoordinatorError,
  type MovedServer,
  type Takeover,
  type TakeoverStore,
  toCoordinatorError,
} from "../../contracts/index.js";
import { readForeignFile, removeForeignFile, writeForeignFile } from "../../store/index.js";
import {
  type FileDifference,
  isEmptyConfiguration,
  needsTrust,
  type OnboardingPlaces,
  openTakeoversOf,
  refuseLinkOut,
  toFolders,
  toHash,
} from "./onboarding-places.js";

/** The clients that get back their servers as they were before `init`. */
export interface EjectRequest extends OnboardingPlaces {
  readonly clients?: readonly string[] | undefined;
  readonly isDryRun?: boolean | undefined;
}

/** A client's file that `eject` put back. */
export interface EjectedFile extends FileDifference {
  readonly client: string;
  /** `restored`: byte for byte. `merged`: the file was edited since, and only our change was undone. */
  readonly outcome: "restored" | "merged" | "removed" | "unchanged";
  readonly notes: readonly string[];
}

/** The files that `eject` put back, or would put back in a dry run. */
export interface EjectResult {
  readonly files: readonly EjectedFile[];
  /** Our own files that lose the returned servers. */
  readonly changes: readonly FileDifference[];
  readonly problems: readonly CoordinatorError[];
  readonly isWritten: boolean;
}

const listMoved = (takeovers: readonly Takeover[]): readonly MovedServer[] =>
  takeovers.flatMap(({ places }) => places.flatMap(({ moved }) => moved));

/** Each configuration without the returned servers, except those that another client needs or that were edited. */
const planReturn = async (
  returned: readonly Takeover[],
  all: readonly Takeover[],
  ownFile: string,
): Promise<readonly (FileChange & { readonly diff: string })[]> => {
  const needed = listMoved(all.filter((takeover) => !returned.includes(takeover)));
  const leaving = listMoved(returned).filter(
    (one) => !needed.some((moved) => moved.ownFile === one.ownFile && moved.ownName === one.ownName),
  );
  const changes: (FileChange & { readonly diff: string })[] = [];
  // With the last client, our own file goes too if it holds nothing but what `init` wrote.
  const last = returned.length > 0 && returned.length === all.length ? [ownFile] : [];
  for (const path of new Set([...leaving.map((moved) => moved.ownFile), ...last])) {
    const before = await readForeignFile(path);
    if (before === undefined) continue;
    const document = await parseClientFile(before, "json", path);
    const servers = new Map(listServers(document, { keys: ["mcpServers"] }));
    const remove = leaving
      .filter(
        (moved) =>
          moved.ownFile === path &&
          toHash(JSON.stringify(servers.get(moved.ownName) ?? null)) === moved.ownHash,
      )
      .map(({ ownName }) => ownName);
    if (remove.length === 0 && !isEmptyConfiguration(document)) continue;
    const edit = { keys: ["mcpServers"], remove: [...new Set(remove)], set: [] };
    const text = await editServers(before, edit, { format: "json", path });
    const after = isEmptyConfiguration(await parseClientFile(text, "json", path)) ? undefined : text;
    const entries = [...servers.values()] as readonly OwnEntry[];
    const secrets = listSecrets(entries.flatMap(({ env, headers }) => [env, headers]));
    changes.push({ path, before, after, diff: renderChange({ path, before, after }, secrets) });
  }
  return changes;
};

type Outcome = EjectedFile["outcome"];

interface Step {
  /** `undefined`: the file is to be removed. */
  readonly text: string | undefined;
  readonly outcome: Outcome;
  readonly notes: readonly string[];
}

/** The servers that `init` moved, as the client had them: from the backup, otherwise from our configuration. */
const readMoved = async (
  { client, format, path, places }: Takeover,
  before: string | undefined,
): Promise<readonly (readonly (readonly [string, unknown])[])[]> => {
  const document = before === undefined ? undefined : await parseClientFile(before, format, path);
  return Promise.all(
    places.map(async (place) => {
      if (document !== undefined) {
        const names = new Set(place.moved.map(({ name }) => name));
        return listServers(document, place).filter(([name]) => names.has(name));
      }
      return Promise.all(
        place.moved.map(async ({ name, ownFile, ownName }) => {
          const text = await readForeignFile(ownFile);
          const own = text === undefined ? {} : await parseClientFile(text, "json", ownFile);
          const entry = new Map(listServers(own, { keys: ["mcpServers"] })).get(ownName) ?? {};
          return [name, findClient(client).toEntry(entry as OwnEntry, name)] as const;
        }),
      );
    }),
  );
};

/** The file was edited since, so only our change is undone. */
const merge = async (
  takeover: Takeover,
  current: string,
  before: string | undefined,
  after: string | undefined,
): Promise<Step> => {
  const { format, path, places } = takeover;
  const moved = await readMoved(takeover, before);
  const notes = ["it was edited since: your edits stay, only our change is undone"];
  if (before === undefined && takeover.hashBefore !== undefined) {
    notes.push(
      "its backup is missing: the servers come from our configuration, without fields that only the client knows",
    );
  }
  let text = current;
  for (const [index, place] of places.entries()) {
    const there = new Set(
      listServers(await parseClientFile(text, format, path), place).map(([name]) => name),
    );
    const back = (moved[index] ?? []).filter(([name]) => !there.has(name));
    for (const [name] of moved[index] ?? []) {
      if (there.has(name)) notes.push(`"${name}" already exists, and stays as it is`);
    }
    const edit = { keys: place.keys, isList: place.isList, remove: [place.entryName], set: back };
    text = await editServers(text, edit, takeover);
  }
  const undone = before === undefined || after === undefined ? undefined : undoChange(before, after, current);
  // Prefer the original lines to regenerated ones if both mean the same.
  const parse = async (version: string): Promise<unknown> => parseClientFile(version, format, path);
  const isSame =
    undone !== undefined && isDeepStrictEqual(await parse(undone).catch(() => undefined), await parse(text));
  return { text: isSame ? undone : text, outcome: "merged", notes };
};

const undoTakeover = async (
  takeover: Takeover,
  current: string | undefined,
  store: TakeoverStore,
): Promise<Step> => {
  const [before, after] = await Promise.all([
    store.read(takeover.id, "before"),
    store.read(takeover.id, "after"),
  ]);
  const wasNew = takeover.hashBefore === undefined;
  const isIntact = before !== undefined && toHash(before) === takeover.hashBefore;
  const backup = isIntact ? before : undefined;
  if (current === undefined) {
    if (wasNew || backup === undefined)
      return { text: undefined, outcome: "unchanged", notes: ["the file does not exist"] };
    return {
      text: backup,
      outcome: "restored",
      notes: ["the file was missing: it is restored from the backup"],
    };
  }
  const hash = toHash(current);
  if (hash === takeover.hashBefore) return { text: current, outcome: "unchanged", notes: [] };
  if (hash === takeover.hashAfter && wasNew)
    return { text: undefined, outcome: "removed", notes: ["we created it"] };
  if (hash === takeover.hashAfter && backup !== undefined)
    return { text: backup, outcome: "restored", notes: [] };
  return merge(takeover, current, backup, after);
};

const rank: readonly Outcome[] = ["unchanged", "restored", "removed", "merged"];

/** All changes to one file, newest first. */
const undoAll = async (
  path: string,
  takeovers: readonly Takeover[],
  store: TakeoverStore,
): Promise<{ readonly file: EjectedFile; readonly text: string | undefined }> => {
  const start = await readForeignFile(path);
  let text = start;
  let outcome: Outcome = "unchanged";
  const notes: string[] = [];
  for (const takeover of takeovers.toReversed()) {
    const step = await undoTakeover(takeover, text, store);
    text = step.text;
    notes.push(...step.notes);
    if (rank.indexOf(step.outcome) > rank.indexOf(outcome)) outcome = step.outcome;
  }
  const secrets = listSecrets(await readSecrets(takeovers, store));
  return {
    text,
    file: {
      client: takeovers[0]?.client ?? "",
      path,
      outcome,
      notes: [...new Set(notes)],
      diff: renderChange({ path, before: start, after: text }, secrets),
    },
  };
};

/** The variables and headers of the returned servers. */
const readSecrets = async (
  takeovers: readonly Takeover[],
  store: TakeoverStore,
): Promise<readonly (Readonly<Record<string, string>> | undefined)[]> => {
  const found = await Promise.all(
    takeovers.map(async (takeover) => {
      const moved = await readMoved(takeover, await store.read(takeover.id, "before")).catch(() => []);
      const client = findClient(takeover.client);
      return moved.flat().map(([, raw]) => toOwnEntry(raw, client).entry);
    }),
  );
  return found.flat().flatMap(({ env, headers }) => [env, headers]);
};

/** Throws if a file of a project has become a link to another place since `init`. */
const checkLinks = (path: string, takeovers: readonly Takeover[], folders: ClientFolders): void => {
  const ownFiles = listMoved(takeovers)
    .map(({ ownFile }) => ownFile)
    .filter(needsTrust);
  for (const workingFolder of new Set([folders.workingFolder, ...ownFiles.map((file) => dirname(file))]))
    for (const file of [path, ...ownFiles]) refuseLinkOut(file, { ...folders, workingFolder });
};

/** Applies the changes, or with `isDryRun` only reports them. */
export const eject = async (request: EjectRequest = {}): Promise<EjectResult> => {
  const folders = toFolders(request);
  const store = openTakeoversOf(folders);
  const all = await store.list();
  const clients = request.clients?.map((name) => findClient(name).name);
  const mine = all.filter(({ client }) => clients?.includes(client) ?? true);
  const files: EjectedFile[] = [];
  const problems = [];
  const done: Takeover[] = [];
  for (const path of new Set(mine.map((takeover) => takeover.path))) {
    const takeovers = mine.filter((takeover) => takeover.path === path);
    try {
      checkLinks(path, takeovers, folders);
      const { file, text } = await undoAll(path, takeovers, store);
      if (request.isDryRun !== true && file.diff !== "") {
        if (text === undefined) await removeForeignFile(path);
        else await writeForeignFile(path, text);
      }
      files.push(file);
      done.push(...takeovers);
    } catch (thrown) {
      problems.push(toCoordinatorError(thrown));
    }
  }
  const returned = await planReturn(done, all, personalFile(folders.homeFolder));
  if (request.isDryRun !== true) {
    for (const { path, after } of returned) {
      if (after === undefined) await removeForeignFile(path);
      else await writeForeignFile(path, after);
    }
    if (done.length > 0) await store.remove(done.map(({ id }) => id));
  }
  return {
    files,
    changes: returned.map(({ path, diff }) => ({ path, diff })),
    problems,
    isWritten: request.isDryRun !== true && done.length > 0,
  };
};
