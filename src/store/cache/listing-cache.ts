// Cached listings and failed server starts, shared by all processes: one JSON file per server, so that the next start need not start the servers.
import { hash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type CachedListing,
  errorTable,
  isFields,
  type Listing,
  type ListingCache,
  listingsFolder,
  type ProtocolVersion,
  type StartFailure,
  type StartFailures,
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

const format = "mcp-coordinator/start-failure/1";

const parse = (text: string): StartFailure | undefined => {
  try {
    const file = JSON.parse(text) as StartFailure & { readonly format?: unknown };
    const isValid =
      file.format === format &&
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
      return text === undefined ? unwritten.get(path) : parse(text);
    },
    write: async (server, fingerprint, failure) => {
      const path = pathOf(server, fingerprint);
      try {
        await mkdir(failures, { recursive: true, mode: 0o700 });
        await writeFileAtomically(path, JSON.stringify({ format, ...failure }));
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
