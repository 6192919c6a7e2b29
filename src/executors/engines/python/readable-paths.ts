// The files of the machine that make up an interpreter and its libraries: all that a guest may read.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Interpreter } from "./interpreter.js";

/** Prefixes that hold far more than Python; only the libraries below them are readable. */
const sharedPrefixes = new Set(["/", "/usr", "/usr/local"]);

const systemPaths = [
  "/usr/lib",
  "/usr/lib64",
  "/usr/lib32",
  "/lib",
  "/lib64",
  "/etc/ld.so.cache",
  // Debian's BLAS is reached through a link in here.
  "/etc/alternatives",
  "/usr/share/zoneinfo",
];

/** Existing paths, none below another of them. */
export const readablePaths = (interpreter: Interpreter): readonly string[] => {
  const own = interpreter.prefixes.filter((prefix) => !sharedPrefixes.has(prefix));
  const local = interpreter.prefixes.includes("/usr/local") ? ["/usr/local/lib"] : [];
  const all = [...systemPaths, ...own, ...local, ...interpreter.folders, ...interpreter.executables];
  const existing = [...new Set(all)].filter((path) => existsSync(path) && !sharedPrefixes.has(path));
  return existing.filter((path) => !existing.some((other) => path.startsWith(`${other}/`)));
};

/** Every folder above a path, outermost first, without the root. */
export const foldersAbove = (path: string): readonly string[] => {
  const above = dirname(path);
  return above === path || above === "/" ? [] : [...foldersAbove(above), above];
};
