// The listings of servers as one JSON file each, so that a second start need not start the servers.
import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type CachedListing, type ListingCache, listingsFolder } from "../../contracts/index.js";
import { writeFileAtomically } from "../write-file-atomically.js";
import { parseListingFile, renderListingFile } from "./listing-file.js";

const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Begins every file of one server: readable, safe on any file system, and different for different names. */
export const toListingFilePrefix = (server: string): string => {
  const slug = server
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40);
  return `${slug}.${shortHash(server)}.`;
};

/** One for each server and definition. */
export const toListingFileName = (server: string, fingerprint: string): string =>
  `${toListingFilePrefix(server)}${shortHash(fingerprint)}.json`;

/** Opens the cache in `<folder>/listings`; the folder is made on the first write. */
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

  const removeOthers = async (server: string, kept: string): Promise<void> => {
    const others = (await listFiles(server)).filter((name) => name !== kept);
    await Promise.all(others.map((name) => rm(join(listings, name), { force: true })));
  };

  const write = async (server: string, fingerprint: string, entry: CachedListing): Promise<void> => {
    const name = toListingFileName(server, fingerprint);
    try {
      await mkdir(listings, { recursive: true, mode: 0o700 });
      // A folder that was there before keeps its own mode otherwise.
      await chmod(listings, 0o700);
      await writeFileAtomically(join(listings, name), renderListingFile(server, fingerprint, entry));
      await removeOthers(server, name);
    } catch {
      // A cache that cannot be written only makes the next start slower.
    }
  };

  return { read, readWritten, write };
};
