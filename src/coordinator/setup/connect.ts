// Our entry for one client in the client's own format, shown or written to its file; and what that client starts.

import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import {
  type ClientFolders,
  type ClientPlace,
  type ClientScope,
  clientTable,
  editServers,
  type FileFormat,
  findClient,
  findClientFiles,
  listSecrets,
  parseClientFile,
  readPlace,
  renderChange,
  resolveKeys,
} from "../../config/clients/index.js";
import { CoordinatorError, type UntrustedItem } from "../../contracts/index.js";
import { readForeignFile, writeForeignFile } from "../../store/index.js";
import {
  isOwn,
  needsTrust,
  type OnboardingPlaces,
  openTakeoversOf,
  ownFileOf,
  refuseLinkOut,
  toFolders,
  workspaceVariable,
} from "./onboarding-places.js";
import { toClientEntry, toTakeover } from "./plan-takeover.js";
import { trust } from "./trust.js";

/** The client that gets an entry for the coordinator. */
export interface ConnectRequest extends OnboardingPlaces {
  readonly client: string;
  /** @default "user" */
  readonly scope?: "user" | "project" | undefined;
  /** The configuration that the entry names. @default the person's own and the project's, as `init` writes them */
  readonly config?: string | undefined;
  /** Write it to the client's file, with a backup for `eject`. */
  readonly isWritten?: boolean | undefined;
}

/** The entry for the client's file, and what to do next. */
export interface ConnectResult {
  readonly client: string;
  readonly title: string;
  readonly path: string;
  readonly format: FileFormat;
  /** The configuration that the entry names, or that `init` would add servers to. */
  readonly config: string;
  /** The text for the file, in the client's own format. */
  readonly snippet: string;
  readonly diff?: string | undefined;
  readonly nextStep: string;
  /** Parts of that configuration that are not used until a person trusts them. */
  readonly untrusted: readonly UntrustedItem[];
  readonly isWritten: boolean;
}

/** A client that `connect` and `init` know, and where its files are. */
export interface KnownClient {
  readonly name: string;
  readonly title: string;
  readonly format: FileFormat;
  /** Its files that exist. */
  readonly files: readonly string[];
  /** Where its file would be. */
  readonly path: string;
}

const findPlace = async (
  places: readonly ClientPlace[],
  scope: ClientPlace["scope"],
): Promise<ClientPlace | undefined> => {
  const fitting = places.filter((place) => place.scope === scope);
  for (const place of fitting) {
    if ((await readForeignFile(place.path)) !== undefined) return place;
  }
  return fitting[0];
};

export const connect = async (request: ConnectRequest): Promise<ConnectResult> => {
  const folders = toFolders(request);
  const client = findClient(request.client);
  const scope = request.scope ?? "user";
  const place = await findPlace(client.places(folders), scope);
  if (place === undefined) {
    const message = `Cannot connect "${client.name}": ${client.title} has no file of scope "${scope}"`;
    throw new CoordinatorError("USAGE", message, { hint: "Omit the scope." });
  }
  const { path, format } = place;
  const file = { client, scope, isList: place.isList === true };
  const ownFile =
    request.config === undefined
      ? ownFileOf({ scope }, folders)
      : resolve(folders.workingFolder, request.config);
  const entry = toClientEntry(file, folders, request.config === undefined ? undefined : ownFile);
  const snippet = await editServers("", { ...file, keys: place.keys, remove: [], set: [entry] }, place);
  // A client starts us where nobody can be asked, so report here what would wait for trust.
  const isThere =
    needsTrust(ownFile) && (await readForeignFile(ownFile).catch(() => undefined)) !== undefined;
  const { items: untrusted } = isThere
    ? await trust({ ...folders, config: ownFile, isDryRun: true })
    : { items: [] };
  const answer = {
    client: client.name,
    title: client.title,
    path,
    format,
    config: ownFile,
    snippet,
    nextStep: client.afterwards,
    untrusted,
  };
  if (request.isWritten !== true) return { ...answer, isWritten: false };

  refuseLinkOut(path, folders);
  const before = await readForeignFile(path);
  const document = await parseClientFile(before ?? "", format, path);
  const [{ keys } = place] = resolveKeys(document, place);
  const after = await editServers(before ?? "", { ...file, keys, remove: [], set: [entry] }, place);
  if (after !== before) {
    const places = [{ keys, isList: file.isList, entryName: entry[0], moved: [] }];
    const takeover = toTakeover({ client: client.name, path, format, places }, before, after);
    await openTakeoversOf(folders).add(takeover, { before, after });
    await writeForeignFile(path, after);
  }
  const servers = readPlace(document, { ...file, keys }, isOwn);
  const secrets = listSecrets(servers.flatMap(({ entry: { env, headers } }) => [env, headers]));
  return { ...answer, diff: renderChange({ path, before, after }, secrets), isWritten: after !== before };
};

const readFiles = async (places: readonly ClientPlace[]): Promise<readonly string[]> => {
  const paths = [...new Set(places.map(({ path }) => path))];
  const texts = await Promise.all(paths.map((path) => readForeignFile(path).catch(() => "")));
  return paths.filter((_, index) => texts[index] !== undefined);
};

export const listClients = async (request: OnboardingPlaces = {}): Promise<readonly KnownClient[]> => {
  const folders: ClientFolders = toFolders(request);
  return Promise.all(
    clientTable.map(async ({ name, title, places }) => {
      const known = places(folders);
      const [first] = known;
      return {
        name,
        title,
        format: first?.format ?? "json",
        path: first?.path ?? "",
        files: await readFiles(known),
      };
    }),
  );
};

/** The client whose files `readClientEntries` reads. */
export interface ClientEntriesRequest extends OnboardingPlaces {
  readonly client: string;
}

/** An entry that starts mcp-coordinator. */
export interface ClientEntry {
  readonly name: string;
  readonly scope: ClientScope;
  /** The client's file. */
  readonly path: string;
  readonly command: string;
  /** Whether the command exists on this machine. */
  readonly isFound: boolean;
  /** What follows `serve`. */
  readonly words: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The entries of one client that start the coordinator, and its other servers. */
export interface ClientEntries {
  readonly client: string;
  readonly title: string;
  /** One for each name: that of the folder before that of the project before that of the user, as clients choose. */
  readonly entries: readonly ClientEntry[];
  /** Servers that the client starts itself. */
  readonly others: readonly { readonly server: string; readonly path: string }[];
}

const isAvailable = (command: string, environment: OnboardingPlaces["environment"] = {}): boolean => {
  if (/[\\/]/.test(command)) return existsSync(command);
  const folders = (environment.PATH ?? environment.Path ?? "").split(delimiter);
  const endings = process.platform === "win32" ? [".cmd", ".exe", ""] : [""];
  return folders.some((folder) => endings.some((ending) => existsSync(join(folder, command + ending))));
};

const precedence: readonly ClientScope[] = ["local", "project", "user"];

export const readClientEntries = async (request: ClientEntriesRequest): Promise<ClientEntries> => {
  const folders = toFolders(request);
  const { name: client, title } = findClient(request.client);
  const options = { ...folders, isOwn, readText: readForeignFile, clients: [client] };
  const { files, problems } = await findClientFiles(options);
  const [problem] = problems;
  if (problem !== undefined) throw problem;
  const here = files
    .filter(({ project }) => project === undefined || project === folders.workingFolder)
    .sort((one, other) => precedence.indexOf(one.scope) - precedence.indexOf(other.scope));
  const expand = (text: string): string => text.replaceAll(workspaceVariable, folders.workingFolder);
  const found = here.flatMap(({ scope, path, servers }) =>
    servers
      .filter((server) => server.isOwn && server.entry.disabled !== true)
      .map(({ name, entry: { command = "", args = [], cwd, env } }) => ({
        name,
        scope,
        path,
        command,
        isFound: isAvailable(command, folders.environment),
        words: args.slice(args.indexOf("serve") + 1).map(expand),
        cwd: cwd === undefined ? undefined : expand(cwd),
        env,
      })),
  );
  const others = here.flatMap(({ path, servers }) =>
    servers
      .filter((server) => !server.isOwn && server.entry.disabled !== true)
      .map(({ name }) => ({ server: name, path })),
  );
  return {
    client,
    title,
    entries: found.filter(({ name }, at) => found.findIndex((one) => one.name === name) === at),
    others,
  };
};
