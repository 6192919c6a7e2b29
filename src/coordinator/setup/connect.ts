// Renders our entry for one client in the client's own format, or writes it to the client's file.
import { resolve } from "node:path";
import {
  type ClientFolders,
  type ClientPlace,
  clientTable,
  editServers,
  type FileFormat,
  findClient,
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
  toFolders,
} from "./onboarding-places.js";
import { toClientEntry, toTakeover } from "./plan-takeover.js";
import { trust } from "./trust.js";

export interface ConnectRequest extends OnboardingPlaces {
  readonly client: string;
  /** @default "user" */
  readonly scope?: "user" | "project" | undefined;
  /** The configuration that the entry names. @default the one that `init` writes */
  readonly config?: string | undefined;
  /** Write it to the client's file, with a backup for `eject`. */
  readonly isWritten?: boolean | undefined;
}

export interface ConnectResult {
  readonly client: string;
  readonly title: string;
  readonly path: string;
  readonly format: FileFormat;
  /** The configuration that the entry names. */
  readonly config: string;
  /** The text for the file, in the client's own format. */
  readonly snippet: string;
  readonly diff?: string | undefined;
  readonly nextStep: string;
  /** Parts of that configuration that are not used until a person trusts them. */
  readonly untrusted: readonly UntrustedItem[];
  readonly isWritten: boolean;
}

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
  const entry = toClientEntry(file, ownFile, folders);
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
