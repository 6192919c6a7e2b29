// Cached listings: one JSON file per server, so that the next start need not start the servers.
import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type CachedListing,
  type EraVerdict,
  type Listing,
  type ListingCache,
  listingsFolder,
} from "../../contracts/index.js";
import { writeFileAtomically } from "../file-io.js";
import { isFields, parseFormat } from "../json-file.js";

const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** The start of every file name of a server: readable, safe on every file system, and unique per name. */
export const toListingFilePrefix = (server: string): string => {
  const slug = server
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40);
  return `${slug}.${shortHash(server)}.`;
};

/** Unique per server and definition. */
export const toListingFileName = (server: string, fingerprint: string): string =>
  `${toListingFilePrefix(server)}${shortHash(fingerprint)}.json`;

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
    for (const name of await listFiles(server).catch(() => [])) {
      const text = await readFile(join(listings, name), "utf8").catch(() => "");
      const entry = parseListingFile(text, server, { written });
      if (entry !== undefined) return entry;
    }
    return undefined;
  };

  const removeOthers = async (server: string, current: string): Promise<void> => {
    const others = (await listFiles(server)).filter((name) => name !== current);
    await Promise.all(others.map((name) => rm(join(listings, name), { force: true })));
  };

  const write = async (server: string, fingerprint: string, entry: CachedListing): Promise<void> => {
    const name = toListingFileName(server, fingerprint);
    try {
      await mkdir(listings, { recursive: true, mode: 0o700 });
      // An existing folder may have another mode.
      await chmod(listings, 0o700);
      await writeFileAtomically(join(listings, name), renderListingFile(server, fingerprint, entry));
      await removeOthers(server, name);
    } catch {
      // Without the cache, the next start is only slower.
    }
  };

  return { read, readWritten, write };
};

const listingFormat = { format: "mcp-coordinator/listing", version: 2 };

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

const isVerdict = (value: unknown): value is EraVerdict =>
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
const hashWritten = (written: string): string => createHash("sha256").update(written).digest("hex");

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
  const { listedAt, era, listing } = file;
  if (typeof listedAt !== "string" || !isListing(listing, server)) return undefined;
  return { listedAt, listing, era: isVerdict(era) ? era : undefined };
};
