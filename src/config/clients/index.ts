// Other MCP clients: finds their files, reads their servers, and edits their entries.
export type { ClientFolders, ClientPlace, ClientScope, FileFormat, OwnEntry } from "./client.js";
export { clientTable } from "./client-table.js";
export {
  editServers,
  type FileChange,
  hideSecrets,
  listSecrets,
  listServers,
  parseClientFile,
  renderChange,
  type ServersEdit,
  undoChange,
  valueAt,
} from "./edit-servers.js";
export {
  type ClientFile,
  type ClientServer,
  findClient,
  findClientFiles,
  readPlace,
  resolveKeys,
} from "./find-client-files.js";
export { toOwnEntry } from "./to-own-entry.js";
