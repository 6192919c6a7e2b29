// Finds a type checker: beside the interpreter that runs programs, then on PATH.
import { existsSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { type TypeCheckerName, typeCheckers } from "./type-checkers.js";

export interface FoundChecker {
  readonly name: TypeCheckerName;
  readonly executable: string;
}

export interface FindOptions {
  readonly wanted: "auto" | TypeCheckerName;
  /** An executable, or the folder of a virtual environment. */
  readonly interpreter?: string | undefined;
  readonly searchPath?: string | undefined;
}

const isWindows = process.platform === "win32";

const listFolders = ({
  interpreter,
  searchPath = process.env.PATH ?? "",
}: FindOptions): readonly string[] => {
  const isFolder =
    interpreter !== undefined && statSync(interpreter, { throwIfNoEntry: false })?.isDirectory() === true;
  const beside =
    interpreter === undefined || !/[/\\]/.test(interpreter)
      ? []
      : [isFolder ? join(interpreter, isWindows ? "Scripts" : "bin") : dirname(interpreter)];
  return [...beside, ...searchPath.split(delimiter)].filter((folder) => folder !== "");
};

export const findTypeChecker = (options: FindOptions): FoundChecker | undefined => {
  const names =
    options.wanted === "auto" ? (Object.keys(typeCheckers) as TypeCheckerName[]) : [options.wanted];
  const folders = listFolders(options);
  for (const name of names) {
    const executable = folders
      .map((folder) => join(folder, isWindows ? `${name}.exe` : name))
      .find((path) => existsSync(path));
    if (executable !== undefined) return { name, executable };
  }
  return undefined;
};
