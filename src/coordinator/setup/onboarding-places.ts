// The folders and files that onboarding uses, how a client starts this copy of mcp-coordinator, and whether to ask before writes.
import { hash, randomBytes } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import {
  type ClientFile,
  type ClientFolders,
  type ClientScope,
  editServers,
  type FileChange,
  type OwnEntry,
  parseClientFile,
  valueAt,
} from "../../config/clients/index.js";
import {
  isOwnEntry,
  isWithin,
  localFile,
  personalFile,
  personalStateFolder,
  projectFileName,
} from "../../config/index.js";
import { CoordinatorError, type TakeoverStore } from "../../contracts/index.js";
import { openTakeovers, readForeignFile } from "../../store/index.js";
import { findOwnCommand } from "../presenting/command-line.js";

/** Where files are searched. Tests and other hosts pass their own. */
export interface OnboardingPlaces {
  /** @default process.cwd() */
  readonly workingFolder?: string | undefined;
  /** @default the person's */
  readonly homeFolder?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** @default process.platform */
  readonly platform?: NodeJS.Platform | undefined;
}

/** The change of one file: a unified diff with masked secrets. */
export interface FileDifference {
  readonly path: string;
  readonly diff: string;
}

export const toFolders = (request: OnboardingPlaces): ClientFolders => ({
  platform: request.platform ?? process.platform,
  homeFolder: request.homeFolder ?? homedir(),
  workingFolder: resolve(request.workingFolder ?? "."),
  environment: request.environment ?? process.env,
});

export const openTakeoversOf = (folders: ClientFolders): TakeoverStore =>
  openTakeovers(join(personalStateFolder(folders), "takeovers"));

export const toHash = (text: string): string => hash("sha256", text);

export const newId = (): string => `${Date.now().toString(36)}-${randomBytes(3).toString("hex")}`;

/** The entry's name in every scope: where a client knows several, the one of the project replaces the one of the user, and includes its servers. */
export const entryName = "coordinator";

/** The configuration that the servers of a place are moved to. */
export const ownFileOf = (
  { scope, project = "" }: Pick<ClientFile, "scope" | "project">,
  { homeFolder, workingFolder }: ClientFolders,
): string => {
  if (scope === "user") return personalFile(homeFolder);
  return scope === "project" ? join(workingFolder, projectFileName) : localFile(homeFolder, project);
};

/** Throws for a file of a project that is a link to another place: the author of the project could choose which of a person's files is changed. */
export const refuseLinkOut = (path: string, { workingFolder, homeFolder }: ClientFolders): void => {
  // A person may link their own files to wherever they like.
  if (!isWithin(path, workingFolder) || isWithin(homeFolder, workingFolder) || !existsSync(path)) return;
  const target = realpathSync(path);
  if (isWithin(target, realpathSync(workingFolder))) return;
  throw new CoordinatorError(
    "CLIENT_FILE_UNREADABLE",
    `Cannot use "${path}": it is a link to "${target}", expected a file in its project`,
    { hint: "Replace the link with a file, or choose other clients with --client." },
  );
};

export const isOwn = (command: string, args: readonly string[]): boolean =>
  isOwnEntry({
    command,
    args,
    isFolder: (path) => existsSync(path) && statSync(path).isDirectory(),
  });

/** Programs, and anyone who can push to the repository, may change a file in the project's folder. */
export const needsTrust = (config: string): boolean => basename(config) === projectFileName;

/** The command that starts this copy. A project's file must work on every machine. */
export const toInvocation = (
  words: readonly string[],
  scope: ClientScope,
  { platform, workingFolder }: Pick<ClientFolders, "platform" | "workingFolder">,
): Pick<OwnEntry, "command" | "args"> => {
  const { command, args } = findOwnCommand({
    platform,
    sharedIn: scope === "project" ? workingFolder : undefined,
  });
  return { command, args: [...args, "serve", ...words] };
};

/** Clients that replace this in an entry of a project. The others start the entry in the project's folder. */
const workspaceClients = ["vscode", "cursor"];
export const workspaceVariable = "${workspaceFolder}";

/**
 * What follows `serve` in an entry: the folder whose project's servers join the user's own, or the file that the user named. A client may
 * start a user's entry anywhere; where there is no project, it has the user's servers.
 */
export const toServeWords = (
  { client, scope, project = "" }: { readonly client: string } & Pick<ClientFile, "scope" | "project">,
  { workingFolder }: ClientFolders,
  config?: string,
): readonly string[] => {
  const isWorkspace = scope === "project" && workspaceClients.includes(client);
  if (config === undefined) {
    const folder = scope === "local" ? project : isWorkspace ? workspaceVariable : ".";
    return ["--project", folder];
  }
  const isInProject = scope === "project" && dirname(config) === workingFolder;
  const written = isInProject ? `${isWorkspace ? `${workspaceVariable}/` : ""}${basename(config)}` : config;
  return [...(needsTrust(config) ? ["--require-trust"] : []), "--config", written];
};

type WrittenFile = FileChange & { readonly after: string };

const keys = ["coordinator"];

/** Whether the person's configuration already says which calls need approval. */
export const isApprovalDecided = async (text: string | undefined, path: string): Promise<boolean> =>
  text !== undefined &&
  valueAt(await parseClientFile(text, "json", path), [...keys, "approve"]) !== undefined;

/** Whether a configuration contains nothing but what `init` wrote besides servers. */
export const isEmptyConfiguration = (document: unknown): boolean =>
  [
    {},
    { mcpServers: {} },
    ...[[], ["writes"]].flatMap((approve) => [
      { coordinator: { approve } },
      { mcpServers: {}, coordinator: { approve } },
    ]),
  ].some((empty) => JSON.stringify(empty) === JSON.stringify(document));

/** The planned changes of our configurations, with the answer in the person's own one. */
export const withApproval = async (
  own: readonly WrittenFile[],
  asksBeforeWrites: boolean,
  path: string,
): Promise<readonly WrittenFile[]> => {
  const planned = own.find((change) => change.path === path);
  const before = planned === undefined ? await readForeignFile(path) : planned.before;
  const text = planned?.after ?? before;
  const edit = { keys, remove: [], set: [["approve", asksBeforeWrites ? ["writes"] : []] as const] };
  const after = await editServers(text ?? "", edit, { format: "json", path });
  return [...own.filter((change) => change !== planned), { path, before, after }];
};
