// Finds the configuration files: those that were named, or the default locations in order of precedence.
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CoordinatorError } from "../contracts/index.js";
import { kindOfPath, resolvePath } from "./paths.js";

export interface Folders {
  readonly workingFolder: string;
  readonly homeFolder: string;
}

/** Our own configuration file in a project. */
export const projectFileName = "mcp-coordinator.json";

const projectFiles = [
  "mcp.json",
  "mcp_servers.json",
  ".mcp.json",
  ".vscode/mcp.json",
  projectFileName,
] as const;

export interface FoundFile {
  readonly path: string;
  /** Found among others and not our own. If it is broken, the others are still used. */
  readonly isListed: boolean;
}

const toNamed = (path: string): FoundFile => ({ path, isListed: false });

const listFolder = (folder: string): readonly FoundFile[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => name.endsWith(".json") && !name.startsWith("."))
      .map(({ name }) => join(folder, name))
      .filter((path) => kindOfPath(path) === "file")
      .sort()
      .map((path) => ({ path, isListed: true }));
  } catch {
    return [];
  }
};

/** The user's own configuration file. */
export const personalFile = (homeFolder: string): string =>
  join(homeFolder, ".config", "mcp-coordinator", "config.json");

/** The files in the working folder, highest precedence first. Someone else may have written them. */
export const findProjectFiles = ({ workingFolder }: Folders): readonly FoundFile[] => [
  ...projectFiles
    .map((name) => join(workingFolder, name))
    .filter((path) => kindOfPath(path) === "file")
    .map((path) => ({ path, isListed: basename(path) !== projectFileName })),
  ...listFolder(join(workingFolder, "mcp-servers")),
];

/** The user's own files, highest precedence first. */
export const findPersonalFiles = ({ homeFolder }: Folders): readonly FoundFile[] => [
  ...[personalFile(homeFolder)].filter((path) => kindOfPath(path) === "file").map(toNamed),
  ...listFolder(join(homeFolder, ".config", "mcp", "servers")),
  ...listFolder(join(homeFolder, "MCPs")),
];

/** Whether a file is in one of the user's own configuration folders, which only the user writes to. */
export const isOwnFile = (path: string, homeFolder: string): boolean => {
  const own = dirname(personalFile(homeFolder));
  const lists = [join(homeFolder, ".config", "mcp", "servers"), join(homeFolder, "MCPs")];
  return [homeFolder, own, join(own, "projects"), ...lists].includes(dirname(path));
};

/** Whether a path is one of the project locations: a deleted file would be read again if it came back. */
export const isProjectPlace = (path: string, { workingFolder }: Folders): boolean =>
  projectFiles.some((name) => join(workingFolder, name) === path) ||
  dirname(path) === join(workingFolder, "mcp-servers");

/** The named files. A folder stands for its `*.json` files. Throws if one is missing. */
export const findNamedFiles = (
  paths: readonly string[],
  { workingFolder, homeFolder }: Folders,
  namedBy?: string,
): readonly FoundFile[] => {
  const files = paths.flatMap((written): readonly FoundFile[] => {
    const path = resolvePath(written, workingFolder, homeFolder);
    const kind = kindOfPath(path);
    if (kind === "folder") return listFolder(path);
    // A shell passes the output of a command as a pipe.
    if (kind === "file" || kind === "pipe") return [toNamed(path)];
    const origin = namedBy === undefined ? "" : ` named by ${namedBy}`;
    throw new CoordinatorError(
      "CONFIG_NOT_FOUND",
      `Cannot read configuration "${path}"${origin}: it does not exist, expected a file or a folder of *.json files`,
      { details: { path } },
    );
  });
  // A file that is named itself is not a listed one, even if its folder is named too.
  const byPath = new Map<string, FoundFile>();
  for (const file of files) {
    const known = byPath.get(file.path);
    byPath.set(file.path, { ...file, isListed: file.isListed && known?.isListed !== false });
  }
  return [...byPath.values()];
};
