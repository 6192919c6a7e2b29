// Finds the configuration files, those that were named or the default ones in order of precedence, and resolves written paths.
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { CoordinatorError } from "../contracts/index.js";

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

/** The user's own servers for one folder only. */
export const localFile = (homeFolder: string, folder: string): string => {
  const hash = createHash("sha256").update(folder).digest("hex").slice(0, 8);
  return join(dirname(personalFile(homeFolder)), "projects", `${basename(folder) || "root"}-${hash}.json`);
};

/**
 * The files in the working folder, highest precedence first. Someone else may have written them. With `isOwnOnly` without those of other
 * clients, which start their servers themselves.
 */
export const findProjectFiles = ({ workingFolder }: Folders, isOwnOnly = false): readonly FoundFile[] =>
  isOwnOnly
    ? [join(workingFolder, projectFileName)]
        .filter((path) => kindOfPath(path) === "file")
        .map((path) => ({ path, isListed: true }))
    : [
        ...projectFiles
          .map((name) => join(workingFolder, name))
          .filter((path) => kindOfPath(path) === "file")
          .map((path) => ({ path, isListed: basename(path) !== projectFileName })),
        ...listFolder(join(workingFolder, "mcp-servers")),
      ];

/** The user's own files, highest precedence first: for the working folder, then for all. */
export const findPersonalFiles = ({ homeFolder, workingFolder }: Folders): readonly FoundFile[] => [
  ...[localFile(homeFolder, workingFolder), personalFile(homeFolder)]
    .filter((path) => kindOfPath(path) === "file")
    .map(toNamed),
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
export const isProjectPlace = (path: string, { workingFolder }: Folders, isOwnOnly = false): boolean =>
  isOwnOnly
    ? path === join(workingFolder, projectFileName)
    : projectFiles.some((name) => join(workingFolder, name) === path) ||
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

/** Replaces a leading `~` with the home folder. */
export const expandHome = (path: string, homeFolder: string): string =>
  /^~(?=$|[\\/])/.test(path) ? homeFolder + path.slice(1) : path;

/** Makes a written path absolute. */
export const resolvePath = (path: string, folder: string, homeFolder: string): string =>
  resolve(folder, expandHome(path, homeFolder));

/** The kind of a path; `undefined` if it does not exist, is not accessible or is a device. */
export const kindOfPath = (path: string): "file" | "folder" | "pipe" | undefined => {
  try {
    const found = statSync(path);
    if (found.isFile()) return "file";
    // An untrusted folder may contain a link to a pipe, such as our own stdin, which never ends.
    if (found.isFIFO()) return "pipe";
    return found.isDirectory() ? "folder" : undefined;
  } catch {
    return undefined;
  }
};

interface FolderFacts {
  readonly platform: NodeJS.Platform;
  readonly homeFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export const defaultCacheFolder = ({ platform, homeFolder, environment }: FolderFacts): string => {
  const base = platform === "win32" ? environment.LOCALAPPDATA : environment.XDG_CACHE_HOME;
  // The XDG specification says to ignore a relative base: it would depend on the working folder.
  if (base !== undefined && isAbsolute(base)) return join(base, "mcp-coordinator");
  if (platform === "win32") return join(homeFolder, "AppData", "Local", "mcp-coordinator");
  if (platform === "darwin") return join(homeFolder, "Library", "Caches", "mcp-coordinator");
  return join(homeFolder, ".cache", "mcp-coordinator");
};

/** If a project has this folder, it holds the project's state. */
const projectFolder = ".mcp-coordinator";

interface StateFolderFacts extends FolderFacts {
  readonly workingFolder: string;
  /** Whether a state folder inside the project may be used. @default always */
  readonly mayUseProjectState?: ((folder: string) => boolean) | undefined;
}

export const defaultStateFolder = ({
  workingFolder,
  mayUseProjectState = () => true,
  ...facts
}: StateFolderFacts): string => {
  const inProject = join(workingFolder, projectFolder);
  return kindOfPath(inProject) === "folder" && mayUseProjectState(inProject)
    ? inProject
    : systemStateFolder(facts);
};

/** Holds the user's own decisions, such as trust. No project file can change this location. */
export const personalStateFolder = (facts: FolderFacts): string => {
  const given = facts.environment.MCP_COORDINATOR_STATE_FOLDER;
  return given !== undefined && isAbsolute(given) ? given : systemStateFolder(facts);
};

const systemStateFolder = ({ platform, homeFolder, environment }: FolderFacts): string => {
  const base = platform === "win32" ? environment.LOCALAPPDATA : environment.XDG_STATE_HOME;
  // The XDG specification says to ignore a relative base: it would depend on the working folder.
  const isGiven = base !== undefined && isAbsolute(base);
  // On Windows the cache has the same base folder.
  if (platform === "win32")
    return join(isGiven ? base : join(homeFolder, "AppData", "Local"), "mcp-coordinator", "state");
  if (isGiven) return join(base, "mcp-coordinator");
  if (platform === "darwin") return join(homeFolder, "Library", "Application Support", "mcp-coordinator");
  return join(homeFolder, ".local", "state", "mcp-coordinator");
};

/** Whether the path is the folder or inside it. A name such as `..x` does not lead out. */
export const isWithin = (path: string, folder: string): boolean => {
  const between = relative(folder, path);
  return between !== ".." && !between.startsWith(`..${sep}`) && !isAbsolute(between);
};
