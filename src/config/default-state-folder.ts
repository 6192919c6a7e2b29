// Where what lasts is kept: in the project that has a folder for it, else where each operating system wants it.
import { isAbsolute, join } from "node:path";
import type { CacheFolderFacts } from "./default-cache-folder.js";
import { kindOfPath } from "./resolve-path.js";

/** Made by a person, it keeps the state of one project inside the project. */
const projectFolder = ".mcp-coordinator";

export interface StateFolderFacts extends CacheFolderFacts {
  readonly workingFolder: string;
  /** Whether a state folder that lies in the project may be used. @default it may */
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
    : usualStateFolder(facts);
};

/** Where a person's own decisions are kept, trust among them: no file of a project can say where that is. */
export const personalStateFolder = (facts: CacheFolderFacts): string => {
  const given = facts.environment.MCP_COORDINATOR_STATE_FOLDER;
  return given !== undefined && isAbsolute(given) ? given : usualStateFolder(facts);
};

const usualStateFolder = ({ platform, homeFolder, environment }: CacheFolderFacts): string => {
  const base = platform === "win32" ? environment.LOCALAPPDATA : environment.XDG_STATE_HOME;
  // A relative base is to be ignored, says the XDG specification: it would depend on the working folder.
  const isGiven = base !== undefined && isAbsolute(base);
  // On Windows caches are beside it, under the same name.
  if (platform === "win32")
    return join(isGiven ? base : join(homeFolder, "AppData", "Local"), "mcp-coordinator", "state");
  if (isGiven) return join(base, "mcp-coordinator");
  if (platform === "darwin") return join(homeFolder, "Library", "Application Support", "mcp-coordinator");
  return join(homeFolder, ".local", "state", "mcp-coordinator");
};
