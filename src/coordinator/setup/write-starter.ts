// Writes a first configuration for a person who has none: a working file, and the entry for their client.
import { join } from "node:path";
import { type ClientFolders, renderChange } from "../../config/clients/index.js";
import { personalFile, projectFileName } from "../../config/index.js";
import type { CoordinatorError } from "../../contracts/index.js";
import { readForeignFile, writeForeignFile } from "../../store/index.js";
import type { InitResult } from "./init.js";
import { refuseLinkOut, toInvocation } from "./onboarding-places.js";
import { trust } from "./trust.js";

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
