// Edits our own configuration files: writes the first one, adds a server, or removes one and leaves the rest as it is.
import { join, resolve } from "node:path";
import {
  type ClientFolders,
  editServers,
  listServers,
  parseClientFile,
  renderChange,
  type ServersEdit,
} from "../../config/clients/index.js";
import { isUsableName, personalFile, projectFileName } from "../../config/index.js";
import { CoordinatorError } from "../../contracts/index.js";
import { readForeignFile, writeForeignFile } from "../../store/index.js";
import { checkObject } from "../host/bind-verbs.js";
import type { InitResult } from "./init.js";
import {
  type OnboardingPlaces,
  ownFileOf,
  refuseLinkOut,
  toFolders,
  toInvocation,
} from "./onboarding-places.js";
import { trust } from "./trust.js";

/** A server to add to a configuration file. */
export interface AddEntryRequest extends OnboardingPlaces {
  /** The server's name. */
  readonly name: string;
  /** In the usual format: `command` and `args`, or `url`. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** The user's own configuration or that of the working folder. @default "user" */
  readonly scope?: "user" | "project" | undefined;
  /** Another file instead. */
  readonly config?: string | undefined;
}

/** The server to remove from a configuration file. */
export interface RemoveEntryRequest extends OnboardingPlaces {
  readonly name: string;
  /** @default the working folder's configuration, otherwise the user's own */
  readonly config?: string | undefined;
}

/** Where a server was added or removed. */
export interface EntryResult {
  readonly name: string;
  /** The file that was changed. */
  readonly path: string;
}

/** The names of the servers section. */
const places = ["mcpServers", "servers"] as const;

interface OpenedFile {
  readonly path: string;
  readonly before: string | undefined;
  readonly document: unknown;
}

const openFile = async (path: string): Promise<OpenedFile> => {
  const before = await readForeignFile(path);
  return { path, before, document: await parseClientFile(before ?? "", "json", path) };
};

const has = ({ document }: OpenedFile, place: string, name: string): boolean =>
  listServers(document, { keys: [place] }).some(([known]) => known === name);

const write = async (
  { path, before }: OpenedFile,
  edit: Pick<ServersEdit, "keys" | "remove" | "set">,
): Promise<void> => writeForeignFile(path, await editServers(before ?? "", edit, { format: "json", path }));

export const addEntry = async (request: AddEntryRequest): Promise<EntryResult> => {
  const { name, entry, scope = "user", config } = request;
  checkObject(entry);
  const folders = toFolders(request);
  const refuse = (state: string, hint: string): CoordinatorError =>
    new CoordinatorError("USAGE", `Cannot add the server "${name}": ${state}`, { hint });
  if (!isUsableName(name)) throw refuse("a server cannot have that name", "Choose letters and digits.");
  const path = config === undefined ? ownFileOf({ scope }, folders) : resolve(folders.workingFolder, config);
  if (config === undefined) refuseLinkOut(path, folders);
  const file = await openFile(path);
  if (places.some((place) => has(file, place, name)))
    throw refuse(
      `"${path}" already has a server of that name`,
      `Choose another name, or remove that one first: mcp-coordinator remove ${name}`,
    );
  const place = places.find((one) => listServers(file.document, { keys: [one] }).length > 0) ?? places[0];
  await write(file, { keys: [place], remove: [], set: [[name, entry]] });
  return { name, path };
};

const listFiles = ({ config }: RemoveEntryRequest, folders: ClientFolders): readonly string[] =>
  config === undefined
    ? [join(folders.workingFolder, projectFileName), personalFile(folders.homeFolder)]
    : [resolve(folders.workingFolder, config)];

export const removeEntry = async (request: RemoveEntryRequest): Promise<EntryResult> => {
  const { name } = request;
  const paths = listFiles(request, toFolders(request));
  for (const path of paths) {
    if (request.config === undefined) refuseLinkOut(path, toFolders(request));
    const file = await openFile(path);
    const place = places.find((one) => has(file, one, name));
    if (place === undefined) continue;
    await write(file, { keys: [place], remove: [name], set: [] });
    return { name, path };
  }
  throw new CoordinatorError(
    "SERVER_UNKNOWN",
    `Cannot remove the server "${name}": ${paths.map((path) => `"${path}"`).join(" and ")} ${paths.length === 1 ? "has" : "have"} none of that name`,
    {
      hint: 'Run "mcp-coordinator servers" to see which file it is in, then name that file with --config.',
    },
  );
};

const starter = `{
  // Your MCP servers, as any client writes them. This one reads and writes files below the folder it is given;
  // remove "disabled" to switch it on. More: https://github.com/modelcontextprotocol/servers
  // After you add or change a server, run "mcp-coordinator trust" in this folder.
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "."],
      "description": "Read, search and write the files of this folder",
      "disabled": true
    }
  },
  // Settings of mcp-coordinator itself; each has a default.
  "coordinator": {
    "limits": { "timeoutMs": 30000 }
  }
}
`;

export interface StarterRequest {
  readonly folders: ClientFolders;
  readonly problems: readonly CoordinatorError[];
  /** A client already has our entry, so there is nothing to start with. */
  readonly isTaken: boolean;
  readonly isDryRun: boolean;
}

/** Writes a first configuration for a person who has none: a working file, and the entry for their client. */
export const writeStarter = async ({
  folders,
  problems,
  isTaken,
  isDryRun,
}: StarterRequest): Promise<InitResult> => {
  const path = join(folders.workingFolder, projectFileName);
  refuseLinkOut(path, folders);
  const before = await readForeignFile(path);
  const isNeeded = before === undefined && !isTaken;
  const entry = toInvocation(["--project", folders.workingFolder], "user", folders);
  if (isNeeded && !isDryRun) {
    await writeForeignFile(path, starter);
    // A person who follows the file and removes "disabled" must not be asked about our own lines.
    await trust({ ...folders, config: path, withDisabled: true }, ({ file }) => file === path);
  }
  return {
    found: [],
    moved: [],
    changes: isNeeded ? [{ path, diff: renderChange({ path, before, after: starter }, []) }] : [],
    starter: isNeeded ? path : undefined,
    snippet: isTaken ? undefined : JSON.stringify({ mcpServers: { coordinator: entry } }, undefined, 2),
    // There is no client whose prompts would no longer apply.
    isApprovalDecided: true,
    ownFile: personalFile(folders.homeFolder),
    warnings: [],
    notes: [
      isTaken
        ? "Every server that was found is taken over already"
        : isNeeded
          ? "No client on this machine has an MCP server: here is a configuration to start with"
          : `No client on this machine has an MCP server, and "${projectFileName}" already exists`,
    ],
    nextSteps: isNeeded
      ? [
          `Remove "disabled" in ${projectFileName}, or add servers of your own and run "mcp-coordinator trust".`,
        ]
      : [],
    problems,
    isWritten: isNeeded && !isDryRun,
  };
};
