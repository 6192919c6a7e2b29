// What is known of servers without starting them, shared by all processes: their listings, their failed starts, and the outline of the
// catalog.
import { hash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type CachedListing,
  errorTable,
  isFields,
  type Listing,
  type ListingCache,
  listingsFolder,
  type OutlineStore,
  type ProtocolVersion,
  type StartFailure,
  type StartFailures,
  type StoredOutline,
} from "../../contracts/index.js";
import { toSlug } from "../check-input.js";
import { parseFormat, removeOldest, writeFileAtomically } from "../file-io.js";

const hashLength = 16;

/** The start of every file name of a server. */
const toListingFilePrefix = (server: string): string => `${toSlug(server, hashLength)}.`;

/** Unique per server and definition. */
const toListingFileName = (server: string, fingerprint: string): string =>
  `${toListingFilePrefix(server)}${hash("sha256", fingerprint).slice(0, hashLength)}.json`;

/** How many definitions of one server are cached: the same server in several projects, or with several sets of variables. */
const maxDefinitions = 8;

/** Opens the cache in `<folder>/listings`, which the first write creates. */
export const openListingCache = (folder: string): ListingCache => {
  const listings = join(folder, listingsFolder);

  const read = async (server: string, fingerprint: string): Promise<CachedListing | undefined> => {
    const text = await readFile(join(listings, toListingFileName(server, fingerprint)), "utf8").catch(
      () => undefined,
    );
    return text === undefined ? undefined : parseListingFile(text, server, { fingerprint });
  };

  const listFiles = async (server: string): Promise<readonly string[]> => {
    const prefix = toListingFilePrefix(server);
    return (await readdir(listings)).filter((name) => name.startsWith(prefix) && name.endsWith(".json"));
  };

  const readWritten = async (server: string, written: string): Promise<CachedListing | undefined> => {
    const texts = (await listFiles(server).catch(() => [])).map((name) =>
      readFile(join(listings, name), "utf8").catch(() => ""),
    );
    const found = (await Promise.all(texts)).flatMap(
      (text) => parseListingFile(text, server, { written }) ?? [],
    );
    return found.sort((one, other) => (one.listedAt < other.listedAt ? 1 : -1))[0];
  };

  const write = async (server: string, fingerprint: string, entry: CachedListing): Promise<void> => {
    const name = toListingFileName(server, fingerprint);
    try {
      await mkdir(listings, { recursive: true, mode: 0o700 });
      // An existing folder may have another mode.
      await chmod(listings, 0o700);
      await writeFileAtomically(join(listings, name), renderListingFile(server, fingerprint, entry));
      await removeOldest(listings, await listFiles(server), { max: maxDefinitions });
    } catch {
      // Without the cache, the next start is only slower.
    }
  };

  return { read, readWritten, write };
};

const listingFormat = { format: "mcp-coordinator/listing", version: 3 };

const isListOf = (value: unknown, ...keys: readonly string[]): boolean =>
  Array.isArray(value) &&
  value.every((item) => isFields(item) && keys.every((key) => typeof item[key] === "string"));

const isListing = (value: unknown, server: string): value is Listing =>
  isFields(value) &&
  value.server === server &&
  isListOf(value.tools, "name") &&
  isListOf(value.resources, "uri", "name") &&
  isListOf(value.resourceTemplates, "uriTemplate", "name") &&
  isListOf(value.prompts, "name");

const isProtocolVersion = (value: unknown): value is ProtocolVersion =>
  isFields(value) &&
  typeof value.decidedAt === "string" &&
  (value.kind === "legacy" || (value.kind === "modern" && isFields(value.discover)));

const renderListingFile = (
  server: string,
  fingerprint: string,
  { written, ...entry }: CachedListing,
): string => {
  const writtenHash = written === undefined ? undefined : hashWritten(written);
  return JSON.stringify({ ...listingFormat, server, fingerprint, writtenHash, ...entry });
};

/** Hashed, because the configuration may contain a secret. */
const hashWritten = (written: string): string => hash("sha256", written);

/** Finds the entry by its fingerprint or by its configuration as written. Undefined if the file is damaged or another one. */
const parseListingFile = (
  text: string,
  server: string,
  key: { readonly fingerprint: string } | { readonly written: string },
): CachedListing | undefined => {
  const file = parseFormat(text, listingFormat);
  if (file === undefined) return undefined;
  const isWanted =
    "fingerprint" in key
      ? file.fingerprint === key.fingerprint
      : file.writtenHash === hashWritten(key.written);
  if (file.server !== server || !isWanted) return undefined;
  const { listedAt, protocol, listing } = file;
  if (typeof listedAt !== "string" || !isListing(listing, server)) return undefined;
  return { listedAt, listing, protocol: isProtocolVersion(protocol) ? protocol : undefined };
};

const failureFormat = "mcp-coordinator/start-failure/1";

const parseFailure = (text: string): StartFailure | undefined => {
  try {
    const file = JSON.parse(text) as StartFailure & { readonly format?: unknown };
    const isValid =
      file.format === failureFormat &&
      Number.isFinite(file.failedAtMs) &&
      Number.isInteger(file.count) &&
      Object.hasOwn(errorTable, file.code) &&
      typeof file.message === "string" &&
      typeof file.hint === "string";
    return isValid ? file : undefined;
  } catch {
    return undefined;
  }
};

/** Stores failures in `<folder>/failures`. If it is not writable, only this process remembers them. */
export const openStartFailures = (folder: string): StartFailures => {
  const failures = join(folder, "failures");
  const unwritten = new Map<string, StartFailure>();
  const pathOf = (server: string, fingerprint: string): string =>
    join(failures, toListingFileName(server, fingerprint));
  return {
    read: async (server, fingerprint) => {
      const path = pathOf(server, fingerprint);
      const text = await readFile(path, "utf8").catch(() => undefined);
      return text === undefined ? unwritten.get(path) : parseFailure(text);
    },
    write: async (server, fingerprint, failure) => {
      const path = pathOf(server, fingerprint);
      try {
        await mkdir(failures, { recursive: true, mode: 0o700 });
        await writeFileAtomically(path, JSON.stringify({ format: failureFormat, ...failure }));
        unwritten.delete(path);
      } catch {
        unwritten.set(path, failure);
      }
    },
    clear: async (server, fingerprint) => {
      const path = pathOf(server, fingerprint);
      unwritten.delete(path);
      await rm(path, { force: true }).catch(() => {});
    },
    forget: async (server) => {
      const prefix = toListingFilePrefix(server);
      for (const path of unwritten.keys()) if (basename(path).startsWith(prefix)) unwritten.delete(path);
      const names = await readdir(failures).catch(() => []);
      const own = names.filter((name) => name.startsWith(prefix));
      await Promise.all(own.map((name) => rm(join(failures, name), { force: true }).catch(() => {})));
    },
  };
};

const outlineFormat = { format: "mcp-coordinator/outline", version: 1 };
const monthMs = 30 * 24 * 60 * 60 * 1000;
const maxOutlines = 200;

const isOutline = (value: unknown): value is StoredOutline["outline"] =>
  isFields(value) &&
  typeof value.names === "string" &&
  Array.isArray(value.signatures) &&
  value.signatures.every((line) => typeof line === "string") &&
  typeof value.knownTools === "number" &&
  typeof value.unknownServers === "number" &&
  typeof value.unknownNames === "string" &&
  typeof value.isComplete === "boolean";

const toOutlineName = (key: string): string => hash("sha256", key).slice(0, 32);

const parseOutline = (text: string, name: string): StoredOutline | undefined => {
  const file = parseFormat(text, outlineFormat);
  if (file?.name !== name) return undefined;
  const { stamp, digest, madeAtMs, outline } = file;
  if (typeof stamp !== "string" || typeof digest !== "string" || typeof madeAtMs !== "number")
    return undefined;
  return isOutline(outline) ? { stamp, digest, madeAtMs, outline } : undefined;
};

/** Opens the cache in `<folder>/outlines`, which the first write creates. */
export const openOutlineStore = (folder: string): OutlineStore => {
  const outlines = join(folder, "outlines");

  return {
    read: async (key) => {
      const name = toOutlineName(key);
      const text = await readFile(join(outlines, `${name}.json`), "utf8").catch(() => undefined);
      return text === undefined ? undefined : parseOutline(text, name);
    },
    write: async (key, entry) => {
      const name = toOutlineName(key);
      try {
        await mkdir(outlines, { recursive: true, mode: 0o700 });
        const text = JSON.stringify({ ...outlineFormat, name, ...entry });
        await writeFileAtomically(join(outlines, `${name}.json`), text);
        // Every configuration and version has its own file.
        await removeOldest(outlines, await readdir(outlines), { max: maxOutlines, maxAgeMs: monthMs });
      } catch {
        // Without the cache, the next start renders it again.
      }
    },
  };
};

/** Changes whenever a JSON file of the folder is written, added or removed, without reading them; empty if there is none. */
export const stampFolder = async (folder: string): Promise<string> => {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json")).sort();
  const stamps = names.map(async (name) => {
    const found = await stat(join(folder, name)).catch(() => undefined);
    return found === undefined ? "" : `${name} ${found.mtimeMs} ${found.size}`;
  });
  return (await Promise.all(stamps)).join("\n");
};
