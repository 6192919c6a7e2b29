// What stays between starts, as plain files: listings, shapes, counts of use, sums of days, the generated tree; workspaces, memory, sessions, runs, skills and callers.
export { type ApprovalSecret, openApprovalSecret } from "./approval-secret.js";
export { openCallers } from "./callers/open-callers.js";
export { type CheckCache, openCheckCache } from "./check-cache.js";
export { inspectFolder } from "./inspect-folder.js";
export { type Adapter, type AdapterPlace, listAdapters, readAdapter } from "./library-tree/adapters.js";
export {
  isFresh,
  readTreeStamp,
  type ServerStamp,
  stampFiles,
  writeTreeStamp,
} from "./library-tree/tree-stamp.js";
export { type WrittenTree, writeLibraryTree } from "./library-tree/write-library-tree.js";
export { openListingCache } from "./listing-cache.js";
export { withLock } from "./lock/with-lock.js";
export { openStore } from "./open-store.js";
export { toDaysAgo } from "./removal-bounds.js";
export { openShapeStore } from "./shapes/shape-store.js";
export { openLayeredSkills, openSkills } from "./skills/open-skills.js";
export { openStartFailures } from "./start-failures.js";
export { openStatisticsStore } from "./statistics/statistics-store.js";
export { addTallies, emptyTally } from "./statistics/tally-line.js";
export { checkName, toFileName } from "./store-name.js";
export { readForeignFile, removeForeignFile, writeForeignFile } from "./takeovers/client-file.js";
export { openTakeovers } from "./takeovers/takeover-store.js";
export { openUseCounts } from "./use-counts.js";
export { toWorkspacePath } from "./workspaces/parse-path.js";
