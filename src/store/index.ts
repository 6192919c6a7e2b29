// Everything that outlives a process. `files/` implements the storage interfaces of contracts with plain files.

// Caches of one host.
export { type CheckCache, openCheckCache } from "./cache/check-cache.js";
export { openListingCache } from "./cache/listing-cache.js";
export { openOutlineStore, stampFolder } from "./cache/outline-cache.js";
export { openStartFailures } from "./cache/start-failures.js";
export { checkName, toDaysAgo, toFileName } from "./check-input.js";
// State that several hosts could share. A second implementation provides these: Store (workspaces with their files, memory, states,
// sessions, runs and stored values), SkillStore, CallerStore, ShapeStore, StatisticsStore, UseCounts and ApprovalSecret.
export { type ApprovalSecret, openApprovalSecret } from "./files/approval-secret.js";
export { openCallers } from "./files/callers.js";
export { openShapeStore, parseShapes, renderShapes } from "./files/shape-store.js";
export { addTallies, emptyTally, openStatisticsStore, openUseCounts } from "./files/statistics-store.js";
export { inspectFolder } from "./inspect-folder.js";
export { openLayeredSkills, openSkills, openStore } from "./open-store.js";
// Files of the user on one host.
export { type Adapter, type AdapterPlace, listAdapters, readAdapter } from "./user-files/adapters.js";
export {
  isFresh,
  readTreeStamp,
  type ServerStamp,
  stampFiles,
  type WrittenTree,
  writeLibraryTree,
  writeTreeStamp,
} from "./user-files/library-files.js";
export {
  openTakeovers,
  readForeignFile,
  removeForeignFile,
  writeForeignFile,
} from "./user-files/takeovers.js";
export { withLock } from "./with-lock.js";
export { toWorkspacePath } from "./workspace-path.js";
