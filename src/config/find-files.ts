// The files that may hold configuration: those that were named, or the usual places in order of precedence.
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CoordinatorError } from "../contracts/index.js";
import { kindOfPath, resolvePath } from "./resolve-path.js";

export interface Folders {
  readonly workingFolder: string;
  readonly homeFolder: string;
}

/** Our own configuration in a project. */
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
  /** It was found together with others, and is not our own: when it is broken, the others are used. */
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

/** Our own configuration of one person. */
export const personalFile = (homeFolder: string): string =>
  join(homeFolder, ".config", "mcp-coordinator", "config.json");

/** The files of a folder that somebody else may have filled, the first to win first. */
export const findProjectFiles = ({ workingFolder }: Folders): readonly FoundFile[] => [
  ...projectFiles
    .map((name) => join(workingFolder, name))
    .filter((path) => kindOfPath(path) === "file")
    .map((path) => ({ path, isListed: basename(path) !== projectFileName })),
  ...listFolder(join(workingFolder, "mcp-servers")),
];

/** The files of the person, the first to win first. */
export const findPersonalFiles = ({ homeFolder }: Folders): readonly FoundFile[] => [
  ...[personalFile(homeFolder)].filter((path) => kindOfPath(path) === "file").map(toNamed),
  ...listFolder(join(homeFolder, ".config", "mcp", "servers")),
  ...listFolder(join(homeFolder, "MCPs")),
];

/** Whether a file lies where people keep their own configuration: nothing that comes from elsewhere is put there. */
export const isOwnFile = (path: string, homeFolder: string): boolean => {
  const own = dirname(personalFile(homeFolder));
  const lists = [join(homeFolder, ".config", "mcp", "servers"), join(homeFolder, "MCPs")];
  return [homeFolder, own, join(own, "projects"), ...lists].includes(dirname(path));
};

/** Whether a file that is gone would be read again from its place. */
export const isProjectPlace = (path: string, { workingFolder }: Folders): boolean =>
  projectFiles.some((name) => join(workingFolder, name) === path) ||
  dirname(path) === join(workingFolder, "mcp-servers");

/** The files that were asked for, a folder standing for its `*.json`; one that is missing is an error. */
export const findNamedFiles = (
  paths: readonly string[],
  { workingFolder, homeFolder }: Folders,
  namedBy?: string,
): readonly FoundFile[] => {
  const files = paths.flatMap((written): readonly FoundFile[] => {
    const path = resolvePath(written, workingFolder, homeFolder);
    const kind = kindOfPath(path);
    if (kind === "folder") return listFolder(path);
    // As a shell hands over the output of a command.
    if (kind === "file" || kind === "pipe") return [toNamed(path)];
    const origin = namedBy === undefined ? "" : ` named by ${namedBy}`;
    throw new CoordinatorError(
      "CONFIG_NOT_FOUND",
      `Cannot read configuration "${path}"${origin}: it does not exist, wanted a file or a folder of *.json files`,
      { details: { path } },
    );
  });
  // A file that is named itself is not one of many, also when its folder is named too.
  const byPath = new Map<string, FoundFile>();
  for (const file of files) {
    const known = byPath.get(file.path);
    byPath.set(file.path, { ...file, isListed: file.isListed && known?.isListed !== false });
  }
  return [...byPath.values()];
};
