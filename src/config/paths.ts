// Resolves written paths, tells files from folders, and knows the default cache and state folders.
import { statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";

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

export interface FolderFacts {
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

export interface StateFolderFacts extends FolderFacts {
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
