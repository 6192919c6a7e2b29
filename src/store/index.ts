// What stays between starts, as plain files: listings, shapes, counts of use, sums of days, the generated tree; workspaces, memory, sessions, runs, skills and callers.

export { type CheckCache, openCheckCache } from "./cache/check-cache.js";
export { openListingCache } from "./cache/listing-cache.js";
export { openOutlineStore } from "./cache/outline-cache.js";
export { stampFolder } from "./cache/stamp-folder.js";
export { openStartFailures } from "./cache/start-failures.js";
export { checkName, toFileName } from "./check-input.js";
export { type ApprovalSecret, openApprovalSecret } from "./files/approval-secret.js";
export { openCallers } from "./files/callers.js";
export { openShapeStore } from "./files/shape-store.js";
export { openStatisticsStore } from "./files/statistics-store.js";
export { addTallies, emptyTally } from "./files/tally-line.js";
export { openUseCounts } from "./files/use-counts.js";
export { inspectFolder } from "./inspect-folder.js";
export { openStore } from "./open-store.js";
export { toDaysAgo } from "./removal-bounds.js";
export { openLayeredSkills, openSkills } from "./skills/open-skills.js";
export { type Adapter, type AdapterPlace, listAdapters, readAdapter } from "./user-files/adapters.js";
export { readForeignFile, removeForeignFile, writeForeignFile } from "./user-files/client-file.js";
export { type WrittenTree, writeLibraryTree } from "./user-files/library-files.js";
export { openTakeovers } from "./user-files/takeovers.js";
export {
  isFresh,
  readTreeStamp,
  type ServerStamp,
  stampFiles,
  writeTreeStamp,
} from "./user-files/tree-stamp.js";
export { withLock } from "./with-lock.js";
export { toWorkspacePath } from "./workspace-path.js";
