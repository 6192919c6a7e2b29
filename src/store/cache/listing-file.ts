// The text of one listing file: written with its format, and read back only when everything in it fits.
import { createHash } from "node:crypto";
import type { CachedListing, EraVerdict, Listing } from "../../contracts/index.js";

const format = "mcp-coordinator/listing";
/** Raise it when the meaning of a field changes: older files are then misses. */
const version = 2;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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

export const renderListingFile = (
  server: string,
  fingerprint: string,
  { written, ...entry }: CachedListing,
): string => {
  const writtenHash = written === undefined ? undefined : hashWritten(written);
  return JSON.stringify({ format, version, server, fingerprint, writtenHash, ...entry });
};

/** What is written may hold a secret. */
const hashWritten = (written: string): string => createHash("sha256").update(written).digest("hex");

/** The entry of a file's text; a corrupt or foreign text has none. It is known by its fingerprint, or as it was written. */
export const parseListingFile = (
  text: string,
  server: string,
  key: { readonly fingerprint: string } | { readonly written: string },
): CachedListing | undefined => {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isFields(file) || file.format !== format || file.version !== version) return undefined;
  const isWanted =
    "fingerprint" in key
      ? file.fingerprint === key.fingerprint
      : file.writtenHash === hashWritten(key.written);
  if (file.server !== server || !isWanted) return undefined;
  const { listedAt, era, listing } = file;
  if (typeof listedAt !== "string" || !isListing(listing, server)) return undefined;
  return { listedAt, listing, ...(isVerdict(era) ? { era } : {}) };
};
