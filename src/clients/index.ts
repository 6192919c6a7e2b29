// The clients room: what is known of other MCP clients, their files in, the same files with one entry of ours out.
export type { Client, ClientFolders, ClientPlace, ClientScope, FileFormat, OwnEntry } from "./client.js";
export { clientTable } from "./client-table.js";
export { editServers, parseClientFile } from "./edit-servers.js";
export {
  type ClientFile,
  type ClientServer,
  findClient,
  findClientFiles,
  readPlace,
  resolveKeys,
} from "./find-client-files.js";
export { listServers, type ServersEdit } from "./formats/servers-edit.js";
export { type FileChange, hideSecrets, listSecrets, renderChange } from "./render-change.js";
export { toOwnEntry } from "./to-own-entry.js";
export { undoChange } from "./undo-change.js";
