// The folders and files that onboarding uses, and how a client starts this copy of mcp-coordinator.
import { createHash, randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { ClientFile, ClientFolders, ClientScope, OwnEntry } from "../../config/clients/index.js";
import { isOwnEntry, personalFile, personalStateFolder, projectFileName } from "../../config/index.js";
import type { TakeoverStore } from "../../contracts/index.js";
import { openTakeovers } from "../../store/index.js";
import { findOwnCommand } from "./own-command.js";

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

export const toHash = (text: string): string => createHash("sha256").update(text).digest("hex");

export const newId = (): string => `${Date.now().toString(36)}-${randomBytes(3).toString("hex")}`;

/** The entry's name for each scope. The names differ, so that no entry hides another in a client that merges scopes. */
export const entryNames: Readonly<Record<ClientScope, string>> = {
  user: "coordinator",
  project: "project-coordinator",
  local: "local-coordinator",
};

/** The configuration that the servers of a place are moved to. */
export const ownFileOf = (
  { scope, project = "" }: Pick<ClientFile, "scope" | "project">,
  { homeFolder, workingFolder }: ClientFolders,
): string => {
  if (scope === "user") return personalFile(homeFolder);
  if (scope === "project") return join(workingFolder, projectFileName);
  const name = `${basename(project) || "root"}-${toHash(project).slice(0, 8)}.json`;
  return join(dirname(personalFile(homeFolder)), "projects", name);
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
  config: string,
  scope: ClientScope,
  platform: NodeJS.Platform,
): Pick<OwnEntry, "command" | "args"> => {
  const { command, args } = findOwnCommand({ platform, isShared: scope === "project" });
  const guard = needsTrust(config) ? ["--require-trust"] : [];
  return { command, args: [...args, "serve", ...guard, "--config", config] };
};

/** The configuration's path in an entry: relative in a project's file, so that it works on every machine. */
export const toConfigArgument = (
  client: string,
  scope: ClientScope,
  ownFile: string,
  { workingFolder }: ClientFolders,
): string => {
  if (scope !== "project" || dirname(ownFile) !== workingFolder) return ownFile;
  return ["vscode", "cursor"].includes(client)
    ? `\${workspaceFolder}/${basename(ownFile)}`
    : basename(ownFile);
};
