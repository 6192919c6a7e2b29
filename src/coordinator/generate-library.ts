// Writes the tree of typed files that programs import, for people and agents to read.
import { createHash } from "node:crypto";
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  assignFolders,
  generatedMarker,
  type LibraryTree,
  planServerTree,
  planTopFiles,
} from "../codegen/index.js";
import { createPause, type Language, type ServerCatalog, type Tool } from "../contracts/index.js";
import {
  isFresh,
  readTreeStamp,
  type ServerStamp,
  stampFiles,
  writeLibraryTree,
  writeTreeStamp,
} from "../store/index.js";
import type { GenerateRequest, GenerateResult } from "./coordinator.js";
import { readCatalogs } from "./list-tools.js";
import { findServer, type Rooms, readCatalog } from "./opening/rooms.js";
import { version } from "./version.js";

type Stamp = ServerStamp<LibraryTree["fallbacks"][number]>;

export const generateLibrary = async (rooms: Rooms, request: GenerateRequest): Promise<GenerateResult> => {
  const wanted = request.servers?.map((name) => findServer(rooms, name).name);
  const { catalogs, unavailable } = await readCatalogs(rooms, { refresh: request.refresh === true });
  const isWanted = ({ server }: { readonly server: string }): boolean => wanted?.includes(server) ?? true;
  const written = await writeLibrary(rooms, {
    folder: resolve(request.folder),
    language: request.language ?? "typescript",
    catalogs: catalogs.filter(isWanted),
    isForced: request.isForced === true,
  });
  return { ...written, unavailable: unavailable.filter(isWanted) };
};

interface WriteRequest {
  readonly folder: string;
  readonly language: Language;
  readonly catalogs: readonly ServerCatalog[];
  readonly isForced: boolean;
}

/** Only servers that changed since the last time are rendered, and only files that changed are written. */
const writeLibrary = async (
  rooms: Rooms,
  { folder, language, catalogs, isForced }: WriteRequest,
): Promise<Omit<GenerateResult, "unavailable">> => {
  const place = { cacheFolder: rooms.configuration.settings.cacheFolder, folder, language };
  const before = isForced ? {} : await readTreeStamp<Stamp["fallbacks"][number]>(place);
  const folders = [...assignFolders({ catalogs: await showAll(rooms, catalogs), language })];
  const stamps = new Map<string, Stamp>();
  const trees = new Map<string, LibraryTree & { readonly fingerprint: string }>();
  for (const [catalog, name] of folders) {
    const fingerprint = await toFingerprint(catalog, name);
    const known = Object.hasOwn(before, catalog.server) ? before[catalog.server] : undefined;
    if (known !== undefined && (await isFresh(folder, known, fingerprint))) stamps.set(catalog.server, known);
    else
      trees.set(catalog.server, {
        ...(await planServerTree({ catalog, language, folder: name })),
        fingerprint,
      });
  }
  const entries = folders.map(([{ server, tools }, name]) => ({ name, server, toolCount: tools.length }));
  const known = new Set([...stamps.values()].flatMap(({ files }) => files.map(([path]) => path)));
  const { unchanged, ...counts } = await writeLibraryTree({
    folder,
    files: [...[...trees.values()].flatMap(({ files }) => files), ...planTopFiles(language, entries)],
    marker: generatedMarker,
    isKnown: (path) => known.has(path),
    isForced,
  });
  const kept = new Set(counts.kept);
  for (const [server, { files, fallbacks, fingerprint }] of trees) {
    const made = files.map(({ path }) => path).filter((path) => !kept.has(path));
    stamps.set(server, { fingerprint, fallbacks, files: await stampFiles(folder, made) });
  }
  // A server among whose files are others is rendered each time, so that they are told each time.
  const isWhole = ([server]: [string, Stamp]): boolean =>
    !trees.get(server)?.files.some(({ path }) => kept.has(path));
  if (trees.size > 0) await writeTreeStamp(place, Object.fromEntries([...stamps].filter(isWhole)));
  return {
    folder,
    servers: catalogs.length,
    tools: catalogs.reduce((sum, catalog) => sum + catalog.tools.length, 0),
    ...counts,
    unchanged: unchanged + known.size,
    fallbacks: folders.flatMap(([{ server }]) => stamps.get(server)?.fallbacks ?? []),
  };
};

/** One after the other: thousands of files at once would be too many. */
const showAll = async (
  rooms: Rooms,
  catalogs: readonly ServerCatalog[],
): Promise<readonly ServerCatalog[]> => {
  const shown: ServerCatalog[] = [];
  for (const catalog of catalogs) {
    const tools: Tool[] = [];
    for (const tool of catalog.tools) tools.push(await rooms.shapes.show(tool));
    shown.push({ ...catalog, tools });
  }
  return shown;
};

/** Our own version is in it: another one may write other files. */
const toFingerprint = async ({ server, tools }: ServerCatalog, folder: string): Promise<string> => {
  const hash = createHash("sha256").update(JSON.stringify([version, server, folder]));
  const pause = createPause();
  for (const { fingerprint, functionName, learned } of tools) {
    hash.update(JSON.stringify([fingerprint, functionName, learned ?? null]));
    await pause();
  }
  return hash.digest("base64");
};

/** Writes the tree of the library's folder when it is missing, of what is known without starting a server. */
export const restoreLibrary = async (rooms: Rooms, language: Language): Promise<void> => {
  const folder = rooms.configuration.settings.libraryFolder;
  if (folder === undefined) return;
  const readme = join(folder, language === "python" ? "mcp_tools" : "servers", "README.md");
  const isThere = await access(readme).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const catalogs: ServerCatalog[] = [];
  for (const { name, isEnabled } of rooms.configuration.servers) {
    if (!isEnabled) continue;
    const isKnown = rooms.catalogs.has(name) || (await rooms.upstreams.peek(name)) !== undefined;
    if (isKnown) catalogs.push(await readCatalog(rooms, name));
  }
  await writeLibrary(rooms, { folder, language, catalogs, isForced: false });
};
