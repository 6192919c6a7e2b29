// Other MCP clients: finds their files, reads their servers, and edits their entries.
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
export { type FileChange, hideSecrets, listSecrets, renderChange, undoChange } from "./render-change.js";
export { toOwnEntry } from "./to-own-entry.js";
