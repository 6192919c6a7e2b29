// Writes the tree of typed files that programs import, for people and agents to read.
import { createHash } from "node:crypto";
import { access, readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import {
  generatedMarker,
  type LibraryPlace,
  type LibraryTree,
  planServerTree,
  planTopFiles,
  toPackageNames,
} from "../../codegen/index.js";
import { countOwnTools, type Language, pause, type ServerCatalog, type Tool } from "../../contracts/index.js";
import {
  isFresh,
  readTreeStamp,
  type ServerStamp,
  stampFiles,
  writeLibraryTree,
  writeTreeStamp,
} from "../../store/index.js";
import { findServer, type Host } from "../host/host.js";
import { readCatalogs, readKnownCatalog } from "../servers/list-tools.js";
import { version } from "../version.js";

/** Where and in which language `generateLibrary` writes the servers as modules. */
export interface GenerateRequest {
  /** The folder to write the tree into. */
  readonly folder: string;
  readonly language?: Language | undefined;
  /** Only these servers. */
  readonly servers?: readonly string[] | undefined;
  /** Ask the servers even if their tools are known. */
  readonly refresh?: boolean | undefined;
  /** Write every generated file, changed or not. Hand-written files are left alone. */
  readonly isForced?: boolean | undefined;
  /** Where the library finds its configuration in a project of your own. @default this process's working folder, with the usual places */
  readonly place?: GeneratePlace | undefined;
}

/** Where the generated library finds its configuration when another project imports it. */
export interface GeneratePlace {
  /** @default process.cwd() */
  readonly folder?: string | undefined;
  /** Files to name instead of the usual places. */
  readonly config?: readonly string[] | undefined;
  /** Use the folder's `mcp-coordinator.json` and the person's own configuration only. */
  readonly isProject?: boolean | undefined;
}

/** The files that were written, and what could not be generated. */
export interface GenerateResult {
  readonly folder: string;
  readonly servers: number;
  readonly tools: number;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Hand-written files that have the name of a generated one. They are left as they are. */
  readonly kept: readonly string[];
  /** Places where a schema is too vague for a type, each with the reason. */
  readonly fallbacks: readonly { readonly tool: string; readonly path: string; readonly reason: string }[];
  readonly unavailable: readonly { readonly server: string; readonly reason: string }[];
}

type Stamp = ServerStamp<LibraryTree["fallbacks"][number]>;

export const generateLibrary = async (host: Host, request: GenerateRequest): Promise<GenerateResult> => {
  const wanted = request.servers?.map((name) => findServer(host, name).name);
  const { catalogs, unavailable } = await readCatalogs(host, {
    refresh: request.refresh === true,
    servers: wanted,
  });
  const written = await writeLibrary(host, {
    folder: resolve(request.folder),
    language: request.language ?? "typescript",
    catalogs,
    leaves: wanted === undefined ? unavailable.map(({ server }) => server) : "others",
    isForced: request.isForced === true,
    place: request.place,
  });
  return { ...written, unavailable };
};

interface WriteRequest {
  readonly folder: string;
  readonly language: Language;
  readonly catalogs: readonly ServerCatalog[];
  /** Servers whose files are left as they are: these, or all that have no catalog here. */
  readonly leaves: readonly string[] | "others";
  readonly isForced: boolean;
  readonly place?: GeneratePlace | undefined;
}

/** As the runtime in this folder writes it: it still works after the project was moved or cloned. */
const toPlace = ({ folder = ".", config, isProject }: GeneratePlace, runtimeFolder: string): LibraryPlace => {
  const toWay = (path: string): string =>
    relative(runtimeFolder, resolve(folder, path)).replaceAll("\\", "/") || ".";
  return { folder: toWay("."), config: config?.map(toWay), isProject };
};

/** Renders only servers that changed since the last time, and writes only files that changed. */
const writeLibrary = async (
  host: Host,
  { folder, language, catalogs, leaves, isForced, place: used = {} }: WriteRequest,
): Promise<Omit<GenerateResult, "unavailable">> => {
  const place = { cacheFolder: host.configuration.settings.cacheFolder, folder, language };
  const recorded = await readTreeStamp<Stamp["fallbacks"][number]>(place);
  // Named over every configured server, so that a server's folder does not depend on which are written.
  const folders = language === "python" ? toPackageNames(host.identifiers) : host.identifiers;
  const folderOf = ({ server, identifier }: ServerCatalog): string => folders.get(server) ?? identifier;
  const shown = (await showAll(host, catalogs)).toSorted((one, other) =>
    one.server < other.server ? -1 : 1,
  );
  const stamps = new Map<string, Stamp>();
  const trees = new Map<string, LibraryTree & Pick<Stamp, "fingerprint" | "toolCount">>();
  for (const catalog of shown) {
    const name = folderOf(catalog);
    const fingerprint = await toFingerprint(catalog, name);
    const before =
      isForced || !Object.hasOwn(recorded, catalog.server) ? undefined : recorded[catalog.server];
    if (before !== undefined && (await isFresh(folder, before, fingerprint)))
      stamps.set(catalog.server, before);
    else {
      const tree = await planServerTree({ catalog, language, folder: name });
      trees.set(catalog.server, { ...tree, fingerprint, toolCount: countOwnTools(catalog) });
    }
  }
  const top = language === "python" ? "mcp_tools" : "servers";
  const left = await findLeft(folders, join(folder, top), (server) =>
    leaves === "others" ? catalogs.every((one) => one.server !== server) : leaves.includes(server),
  );
  const entries = [
    ...shown.map((catalog) => ({
      name: folderOf(catalog),
      server: catalog.server,
      toolCount: countOwnTools(catalog),
    })),
    ...left.map(({ server, name }) => ({ name, server, toolCount: recorded[server]?.toolCount })),
  ].sort((one, other) => (one.server < other.server ? -1 : 1));
  const known = new Set([...stamps.values()].flatMap(({ files }) => files.map(([path]) => path)));
  const own = new Set(shown.map(folderOf));
  const leftFolders = new Set(left.map(({ name }) => name));
  const isLeft = (path: string): boolean => {
    const [, name = "", inner] = path.split("/");
    return inner !== undefined && (leaves === "others" ? !own.has(name) : leftFolders.has(name));
  };
  const { unchanged, ...counts } = await writeLibraryTree({
    folder,
    files: [
      ...[...trees.values()].flatMap(({ files }) => files),
      ...(await planTopFiles(language, entries, toPlace(used, join(folder, top)))),
    ],
    marker: generatedMarker,
    isKnown: (path) => known.has(path) || isLeft(path),
    isForced,
  });
  const kept = new Set(counts.kept);
  for (const [server, { files, ...facts }] of trees) {
    const made = files.map(({ path }) => path).filter((path) => !kept.has(path));
    stamps.set(server, { ...facts, files: await stampFiles(folder, made) });
  }
  // A server with hand-written files is rendered each time, so that they are reported each time.
  const isWhole = ([server]: [string, Stamp]): boolean =>
    !trees.get(server)?.files.some(({ path }) => kept.has(path));
  const others = left.flatMap(({ server }): [string, Stamp][] => {
    const stamp = recorded[server];
    return stamp === undefined ? [] : [[server, stamp]];
  });
  if (trees.size > 0)
    await writeTreeStamp(place, Object.fromEntries([...others, ...[...stamps].filter(isWhole)]));
  return {
    folder,
    servers: catalogs.length,
    tools: catalogs.reduce((sum, catalog) => sum + countOwnTools(catalog), 0),
    ...counts,
    unchanged: unchanged + known.size,
    fallbacks: shown.flatMap(({ server }) => stamps.get(server)?.fallbacks ?? []),
  };
};

/** The servers that are not written now but have folders. */
const findLeft = async (
  folders: ReadonlyMap<string, string>,
  root: string,
  isLeft: (server: string) => boolean,
): Promise<readonly { readonly server: string; readonly name: string }[]> => {
  const there = new Set(await readdir(root).catch(() => []));
  return [...folders].flatMap(([server, name]) =>
    isLeft(server) && there.has(name) ? [{ server, name }] : [],
  );
};

/** One at a time: thousands of files at once would be too many. */
const showAll = async (host: Host, catalogs: readonly ServerCatalog[]): Promise<readonly ServerCatalog[]> => {
  const shown: ServerCatalog[] = [];
  for (const catalog of catalogs) {
    const tools: Tool[] = [];
    for (const tool of catalog.tools) tools.push(await host.shapes.show(tool));
    shown.push({ ...catalog, tools });
  }
  return shown;
};

/** Includes our version, because another version may write other files. */
const toFingerprint = async ({ server, tools }: ServerCatalog, folder: string): Promise<string> => {
  const hash = createHash("sha256").update(JSON.stringify([version, server, folder]));
  for (const { fingerprint, functionName, learned } of tools) {
    hash.update(JSON.stringify([fingerprint, functionName, learned ?? null]));
    await pause();
  }
  return hash.digest("base64");
};

/** Writes a missing library tree from what is known without starting a server. */
export const restoreLibrary = async (host: Host, language: Language): Promise<void> => {
  const folder = host.configuration.settings.libraryFolder;
  if (folder === undefined) return;
  const readme = join(folder, language === "python" ? "mcp_tools" : "servers", "README.md");
  const isThere = await access(readme).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const catalogs: ServerCatalog[] = [];
  for (const { name, isEnabled } of host.configuration.servers) {
    const known = isEnabled ? await readKnownCatalog(host, name) : undefined;
    if (known !== undefined) catalogs.push(known);
  }
  await writeLibrary(host, { folder, language, catalogs, leaves: "others", isForced: false });
};
