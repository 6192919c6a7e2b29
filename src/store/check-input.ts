// Validates names, keys, dates, bounds and paths from people and programs before anything is stored or deleted by them.
import { hash } from "node:crypto";
import { CoordinatorError } from "../contracts/index.js";
import { describeErrno, errnoOf } from "./file-io.js";

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

/** Letters and digits of a name that others chose, and a hash: readable, safe on every file system, and unique per name. */
export const toSlug = (name: string, hashLength: number): string => {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40);
  return `${words}.${hash("sha256", name).slice(0, hashLength)}`;
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

const maxPathLength = 1024;
const maxNameBytes = 255;
const maxDepth = 32;

const quotePath = (path: string): string =>
  JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}...` : path);

export const pathDenied = (path: string, why: string): CoordinatorError =>
  new CoordinatorError("PATH_DENIED", `Cannot use the path ${quotePath(path)}: ${why}`);

/** A name as a system sees it that folds character widths and drops invisible characters and trailing dots. */
const toFolded = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    // bounded: a path has at most maxPathLength characters
    .replace(/[. ]+$/, "");

/** Why a name cannot be part of a path. */
const findFault = (name: string): string | undefined => {
  if (name === "..") return 'it goes up with ".."';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return "it has a control character";
  if (/[\p{Bidi_Control}\u200b\u200c\u2060-\u206f\ufeff]/u.test(name)) return "it has an invisible character";
  if (name.includes("\\")) return 'it has a backslash; separate parts with "/"';
  if (/[<>:"|?*]/.test(name)) return 'it has one of the characters <>:"|?*, which Windows does not allow';
  if (/[. ]$/.test(name)) return "a part of it ends with a dot or a space";
  if (toFolded(name) === "" || /[/\\]/.test(toFolded(name))) return "a part of it only looks like a name";
  if (isDeviceName(toFolded(name))) return "a part of it is the name of a device on Windows";
  if (Buffer.byteLength(name) > maxNameBytes) return `a part of it has more than ${maxNameBytes} bytes`;
  return undefined;
};

/** The normalized names of a path. Throws PATH_DENIED for whatever could mean another place on any system. */
export const parsePath = (path: string): readonly string[] => {
  if (typeof path !== "string" || !path.isWellFormed())
    throw pathDenied(String(path), "it is not valid text");
  if (path.length > maxPathLength) throw pathDenied(path, `it has more than ${maxPathLength} characters`);
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path) || path.startsWith("~"))
    throw pathDenied(path, 'it is not in the workspace; programs have files under "./workspace/" only');
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.length > maxDepth) throw pathDenied(path, `it is deeper than ${maxDepth} folders`);
  for (const name of names) {
    const fault = findFault(name);
    if (fault !== undefined) throw pathDenied(path, fault);
  }
  return names.map((name) => name.normalize("NFC"));
};

/** Whether a case-insensitive system would treat both names as the same. */
export const isSameName = (one: string, other: string): boolean => foldCase(one) === foldCase(other);

const foldCase = (name: string): string =>
  name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC");

const workspacePrefix = /^(?:\.\/+)*\/?(?:workspace(?:\/+|$))+/;

/**
 * The path inside the workspace for a path as programs write it: `./workspace/leads.csv` or `leads.csv`. The workspace is both their
 * working folder and a folder in it. Throws PATH_DENIED for any other place.
 */
export const toWorkspacePath = (path: string): string =>
  parsePath(path.replace(workspacePrefix, "")).join("/");

/** Errors that a program can correct, by the system's name for them. */
const reasons = {
  ENOENT: "there is no such file or folder",
  EEXIST: "it already exists",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of it is a file, not a folder",
  ENOTEMPTY: "the folder is not empty",
  EINVAL: "the operation is not possible",
};

type FileErrno = keyof typeof reasons;

export const fileFailed = (verb: string, path: string, errno: FileErrno, why?: string): CoordinatorError =>
  new CoordinatorError("FILE_FAILED", `Cannot ${verb} "${path}": ${why ?? reasons[errno]}`, {
    details: { errno, path },
  });

/** Any failure of an operation on a path, with the program's path and none of the host. */
export const toFileError = (error: unknown, verb: string, path: string): CoordinatorError => {
  if (error instanceof CoordinatorError) return error;
  const errno = errnoOf(error);
  if (errno !== undefined && Object.hasOwn(reasons, errno)) return fileFailed(verb, path, errno as FileErrno);
  if (errno === "ELOOP" || errno === "ENXIO" || errno === "ENODEV")
    return pathDenied(path, "there is a link or a device");
  if (errno === "ENAMETOOLONG") return pathDenied(path, "it is too long");
  return new CoordinatorError("STORE_FAILED", `Cannot ${verb} "${path}": ${describeErrno(errno)}`, {
    cause: error,
  });
};
