// What the file system said, as an error that names the program's path and no path of the host.
import { CoordinatorError } from "../contracts/index.js";
import { pathDenied } from "./workspace-path.js";

/** The system's names for what a program can put right, in words. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EEXIST: "it is there already",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of it is a file, not a folder",
  ENOTEMPTY: "the folder is not empty",
  EINVAL: "that cannot be done with it",
};

export type FileErrno = "ENOENT" | "EEXIST" | "EISDIR" | "ENOTDIR" | "ENOTEMPTY" | "EINVAL";

export const fileFailed = (verb: string, path: string, errno: FileErrno, why?: string): CoordinatorError =>
  new CoordinatorError("FILE_FAILED", `Cannot ${verb} "${path}": ${why ?? reasons[errno]}`, {
    details: { errno, path },
  });

/** Any failure under a verb on a path. */
export const toFileError = (error: unknown, verb: string, path: string): CoordinatorError => {
  if (error instanceof CoordinatorError) return error;
  const errno = error instanceof Error && "code" in error ? String(error.code) : "";
  if (Object.hasOwn(reasons, errno)) return fileFailed(verb, path, errno as FileErrno);
  if (errno === "ELOOP" || errno === "ENXIO" || errno === "ENODEV")
    return pathDenied(path, "there is a link or a device");
  if (errno === "ENAMETOOLONG") return pathDenied(path, "it is too long");
  const why =
    errno === "ENOSPC" || errno === "EDQUOT" ? "the disk is full" : `the system said ${errno || "no"}`;
  return new CoordinatorError("STORE_FAILED", `Cannot ${verb} "${path}": ${why}`, { cause: error });
};
