// Finds the servers in the files of every client and converts them to our entries.
import { CoordinatorError, isFields, toCoordinatorError } from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import type { Client, ClientFolders, ClientPlace, ClientScope, FileFormat, OwnEntry } from "./client.js";
import { clientTable } from "./client-table.js";
import { listServers, parseClientFile, valueAt } from "./edit-servers.js";
import { toOwnEntry } from "./to-own-entry.js";

export interface ClientServer {
  readonly name: string;
  /** The entry for our configuration. */
  readonly entry: OwnEntry;
  readonly notes: readonly string[];
  /** Why it cannot be moved from the client. */
  readonly obstacle?: string | undefined;
  /** It starts mcp-coordinator. */
  readonly isOwn: boolean;
}

/** The servers under one key of one client's file. */
export interface ClientFile {
  readonly client: Client;
  readonly scope: ClientScope;
  readonly path: string;
  readonly format: FileFormat;
  readonly keys: readonly string[];
  readonly isList: boolean;
  /** The folder of a `local` scope. */
  readonly project?: string | undefined;
  readonly text: string;
  readonly servers: readonly ClientServer[];
}

export interface FoundClientFiles {
  readonly files: readonly ClientFile[];
  /** Existing files that cannot be read. */
  readonly problems: readonly CoordinatorError[];
}

export interface FindOptions extends ClientFolders {
  /** Only these clients. */
  readonly clients?: readonly string[] | undefined;
  readonly isOwn: (command: string, args: readonly string[]) => boolean;
  /** Reads a file; `undefined` if it does not exist. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

/** Returns the client of that name. Throws CLIENT_UNKNOWN with all names. */
export const findClient = (name: string): Client => {
  const found = clientTable.find((client) => client.name === name.toLowerCase());
  if (found !== undefined) return found;
  const names = clientTable.map((client) => client.name);
  const [nearest] = nearestNames(name, names, 1);
  throw new CoordinatorError("CLIENT_UNKNOWN", `Cannot find the client "${name}": it is not a known client`, {
    hint: `${nearest === undefined ? "" : `Did you mean "${nearest}"? `}Use one of ${names.join(", ")}.`,
  });
};

/** The key paths of a place in this document. "*" matches every key; a newer key is used if present. */
export const resolveKeys = (
  document: unknown,
  { keys, newerKey }: Pick<ClientPlace, "keys" | "newerKey">,
): readonly { readonly keys: readonly string[]; readonly project?: string | undefined }[] => {
  const star = keys.indexOf("*");
  if (star >= 0) {
    const parent = valueAt(document, keys.slice(0, star));
    return Object.keys(isFields(parent) ? parent : {}).map((project) => ({
      keys: keys.with(star, project),
      project,
    }));
  }
  const newer = newerKey === undefined ? undefined : valueAt(document, [...keys, newerKey]);
  const isNewer = isFields(newer) && newer.type === undefined && newer.command === undefined;
  return [{ keys: isNewer && newerKey !== undefined ? [...keys, newerKey] : keys }];
};

/** Reads the servers at one place of a document. */
export const readPlace = (
  document: unknown,
  place: Pick<ClientFile, "client" | "keys" | "isList">,
  isOwn: FindOptions["isOwn"],
): readonly ClientServer[] =>
  listServers(document, place).map(([name, raw]) => {
    const converted = toOwnEntry(raw, place.client);
    const { command = "", args = [] } = converted.entry;
    return { name, ...converted, isOwn: command !== "" && isOwn(command, args) };
  });

const readClient = async (
  client: Client,
  options: FindOptions,
  seen: Set<string>,
): Promise<FoundClientFiles> => {
  const files: ClientFile[] = [];
  const problems: CoordinatorError[] = [];
  for (const place of client.places(options)) {
    const identity = [place.path, ...place.keys].join("\n");
    // If the project is the home folder, the same file is listed twice.
    if (seen.has(identity)) continue;
    seen.add(identity);
    try {
      const text = await options.readText(place.path);
      if (text === undefined) continue;
      const document = await parseClientFile(text, place.format, place.path);
      for (const { keys, project } of resolveKeys(document, place)) {
        const found = {
          client,
          scope: place.scope,
          path: place.path,
          format: place.format,
          keys,
          isList: place.isList === true,
          project,
        };
        files.push({ ...found, text, servers: readPlace(document, found, options.isOwn) });
      }
    } catch (thrown) {
      problems.push(toCoordinatorError(thrown));
    }
  }
  return { files, problems };
};

/** Reads every existing file of every client. */
export const findClientFiles = async (options: FindOptions): Promise<FoundClientFiles> => {
  const clients = options.clients === undefined ? clientTable : options.clients.map(findClient);
  const seen = new Set<string>();
  const found: FoundClientFiles[] = [];
  for (const client of clients) found.push(await readClient(client, options, seen));
  return {
    files: found.flatMap(({ files }) => files),
    problems: found.flatMap(({ problems }) => problems),
  };
};
