// A path that a program wrote, as plain names below the workspace's root: what could mean another place on any system is refused.
import { CoordinatorError } from "../contracts/index.js";
import { isDeviceName } from "./check-input.js";

const longestPath = 1024;
const longestName = 255;
const deepestLevel = 32;

const toShown = (path: string): string =>
  JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}...` : path);

export const pathDenied = (path: string, why: string): CoordinatorError =>
  new CoordinatorError("PATH_DENIED", `Cannot use the path ${toShown(path)}: ${why}`);

/** How a name looks to a system that folds widths, leaves out what is invisible and drops what ends a name. */
const toFolded = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    // bounded: a path has at most longestPath characters
    .replace(/[. ]+$/, "");

/** Why a name cannot be one part of a path. */
const findFault = (name: string): string | undefined => {
  if (name === "..") return 'it goes up with ".."';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return "it has a control character";
  if (/[\p{Bidi_Control}\u200b\u200c\u2060-\u206f\ufeff]/u.test(name)) return "it has an invisible character";
  if (name.includes("\\")) return 'it has a backslash; parts are separated by "/"';
  if (/[<>:"|?*]/.test(name))
    return 'it has one of the characters <>:"|?*, which no file of Windows can have';
  if (/[. ]$/.test(name)) return "a part of it ends with a dot or a space";
  if (toFolded(name) === "" || /[/\\]/.test(toFolded(name))) return "a part of it only looks like a name";
  if (isDeviceName(toFolded(name))) return "a part of it is the name of a device on Windows";
  if (Buffer.byteLength(name) > longestName) return `a part of it has more than ${longestName} bytes`;
  return undefined;
};

/** The names of a path, in their one spelling. Throws PATH_DENIED. */
export const parsePath = (path: string): readonly string[] => {
  if (typeof path !== "string" || !path.isWellFormed())
    throw pathDenied(String(path), "it is not a valid text");
  if (path.length > longestPath) throw pathDenied(path, `it has more than ${longestPath} characters`);
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path) || path.startsWith("~"))
    throw pathDenied(path, 'it is not in the workspace; programs have files under "./workspace/" only');
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.length > deepestLevel) throw pathDenied(path, `it is deeper than ${deepestLevel} folders`);
  for (const name of names) {
    const fault = findFault(name);
    if (fault !== undefined) throw pathDenied(path, fault);
  }
  return names.map((name) => name.normalize("NFC"));
};

/** Whether a system without difference of case would take both for the same. */
export const isSameName = (one: string, other: string): boolean => foldCase(one) === foldCase(other);

const foldCase = (name: string): string =>
  name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC");

const workspacePrefix = /^(?:\.\/+)*\/?(?:workspace(?:\/+|$))+/;

/**
 * A path as programs write it, `./workspace/leads.csv` or `leads.csv`, as a path in the workspace: it is their working folder and a folder
 * of it at once. Throws PATH_DENIED for every other place.
 */
export const toWorkspacePath = (path: string): string =>
  parsePath(path.replace(workspacePrefix, "")).join("/");
