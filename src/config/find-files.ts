// The files that may hold configuration: those that were named, or the usual places in order of precedence.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CoordinatorError } from "../contracts/index.js";
import { kindOfPath, resolvePath } from "./resolve-path.js";

export interface Folders {
  readonly workingFolder: string;
  readonly homeFolder: string;
}

const projectFiles = [
  "mcp.json",
  "mcp_servers.json",
  ".mcp.json",
  ".vscode/mcp.json",
  "mcp-coordinator.json",
] as const;

const listFolder = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => name.endsWith(".json") && !name.startsWith("."))
      .map(({ name }) => join(folder, name))
      .filter((path) => kindOfPath(path) === "file")
      .sort();
  } catch {
    return [];
  }
};

/** Our own configuration in a project. */
export const projectFileName = "mcp-coordinator.json";

/** Our own configuration of one person. */
export const personalFile = (homeFolder: string): string =>
  join(homeFolder, ".config", "mcp-coordinator", "config.json");

/** The files of a folder that somebody else may have filled, the first to win first. */
export const findProjectFiles = ({ workingFolder }: Folders): readonly string[] => [
  ...projectFiles.map((name) => join(workingFolder, name)).filter((path) => kindOfPath(path) === "file"),
  ...listFolder(join(workingFolder, "mcp-servers")),
];

/** The files of the person, the first to win first. */
export const findPersonalFiles = ({ homeFolder }: Folders): readonly string[] => [
  ...[personalFile(homeFolder)].filter((path) => kindOfPath(path) === "file"),
  ...listFolder(join(homeFolder, ".config", "mcp", "servers")),
  ...listFolder(join(homeFolder, "MCPs")),
];

/** The files that were asked for, a folder standing for its `*.json`; one that is missing is an error. */
export const findNamedFiles = (
  paths: readonly string[],
  { workingFolder, homeFolder }: Folders,
  namedBy?: string,
): readonly string[] => {
  const files = paths.flatMap((written) => {
    const path = resolvePath(written, workingFolder, homeFolder);
    const kind = kindOfPath(path);
    if (kind === "folder") return listFolder(path);
    if (kind === "file") return [path];
    const origin = namedBy === undefined ? "" : ` named by ${namedBy}`;
    throw new CoordinatorError(
      "CONFIG_NOT_FOUND",
      `Cannot read configuration "${path}"${origin}: it does not exist, wanted a file or a folder of *.json files`,
      { details: { path } },
    );
  });
  return [...new Set(files)];
};
