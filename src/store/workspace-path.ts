// Workspace paths that programs write: parses them into safe names and reports errors without paths of the host.
import { CoordinatorError } from "../contracts/index.js";
import { isDeviceName } from "./check-input.js";
import { describeErrno, errnoOf } from "./file-io.js";

const maxPathLength = 1024;
const maxNameBytes = 255;
const maxDepth = 32;

const quote = (path: string): string => JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}...` : path);

export const pathDenied = (path: string, why: string): CoordinatorError =>
  new CoordinatorError("PATH_DENIED", `Cannot use the path ${quote(path)}: ${why}`);

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
