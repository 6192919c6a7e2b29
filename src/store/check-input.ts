// Validates names, keys, dates and bounds from people and programs before anything is stored or deleted by them.
import { hash } from "node:crypto";
import { CoordinatorError } from "../contracts/index.js";

const plainName = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]{0,62}[\p{L}\p{M}\p{N}_-])?$/u;
/** A key may have parts: `customer:42/address`. */
const keyPart = /^[\p{L}\p{M}\p{N}_@-][\p{L}\p{M}\p{N} ._:@+-]*$/u;
const maxKeyLength = 100;
const maxFileNameLength = 80;

/** Windows treats these names as devices, whatever follows the first dot. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

export const isDeviceName = (name: string): boolean => deviceName.test(name.trimEnd());

const quote = (name: unknown): string =>
  typeof name === "string"
    ? JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}...` : name)
    : `of type ${typeof name}`;

/** Returns the normalized name. Throws NAME_INVALID if it could be a path or a device, or is unreadable. */
export const checkName = (
  what: "workspace" | "caller" | "session" | "state" | "run",
  name: string,
): string => {
  const isName =
    typeof name === "string" && name.isWellFormed() && plainName.test(name) && !name.includes("..");
  if (isName) return name.normalize("NFC");
  throw new CoordinatorError(
    "NAME_INVALID",
    `Cannot use the ${what} ${quote(name)}: expected up to 64 letters, digits, ".", "_" or "-"`,
  );
};

/** The same for a memory key. */
export const checkKey = (key: string): string => {
  const isKey =
    typeof key === "string" &&
    key.isWellFormed() &&
    key.length <= maxKeyLength &&
    !key.includes("..") &&
    key.split("/").every((part) => keyPart.test(part));
  if (isKey) return key.normalize("NFC");
  throw new CoordinatorError(
    "NAME_INVALID",
    `Cannot use the key ${quote(key)}: expected up to ${maxKeyLength} letters, digits, spaces, or one of "._:@+-", in parts separated by "/"`,
    { hint: 'Use a key such as "customer:42/address".' },
  );
};

/**
 * A file name for a checked name: the name itself if every file system accepts it, else a readable part and a hash. No name contains "~",
 * so the two kinds never collide, and names that differ in case or accents get different files.
 */
export const toFileName = (name: string): string => {
  const isPortable = /^[a-z0-9][a-z0-9._-]*$/.test(name) && name.length <= maxFileNameLength;
  if (isPortable && !isDeviceName(name)) return name;
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return `${readable || "name"}~${hash("sha256", name).slice(0, 12)}`;
};

const describeValue = (value: unknown): string => {
  if (value instanceof Date) return "an invalid date";
  return typeof value === "number" ? String(value) : `of type ${typeof value}`;
};

const refuse = (what: string, value: unknown, expected: string): CoordinatorError =>
  new CoordinatorError(
    "USAGE",
    `Cannot delete by ${what}: it is ${describeValue(value)}, expected ${expected}`,
  );

/** Throws USAGE for an invalid date: comparisons with one are always false, which could mean "delete everything". */
export const checkDate = (what: string, date: Date): Date => {
  if (date instanceof Date && !Number.isNaN(date.getTime())) return date;
  throw refuse(what, date, "a valid date");
};

/** Checks how many items or bytes may stay. Throws USAGE. */
export const checkBound = (what: string, bound: number): number => {
  if (typeof bound === "number" && bound >= 0) return bound;
  throw refuse(what, bound, "a number of at least 0");
};

const dayMs = 24 * 60 * 60 * 1000;
const maxDays = 36_500;

/** The time so many days ago. Throws USAGE unless the number is above 0 and at most a hundred years. */
export const toDaysAgo = (days: number): Date => {
  if (typeof days === "number" && days > 0 && days <= maxDays) return new Date(Date.now() - days * dayMs);
  throw refuse("age in days", days, `a number above 0, at most ${maxDays}`);
};
