// Everything that outlives a process. `files/` implements the storage interfaces of contracts with plain files: state that several hosts
// could share. A second implementation provides Store (workspaces with their files, memory, states, sessions, runs and stored values),
// SkillStore, CallerStore, NameStore, ShapeStore, StatisticsStore, UseCounts, SecretFile and Vault. `cache/` and `user-files/` are of one host.
export { type CheckCache, openCheckCache } from "./cache/check-cache.js";
export { openListingCache, openOutlineStore, openStartFailures, stampFolder } from "./cache/listing-cache.js";
export { checkName, toDaysAgo, toFileName, toWorkspacePath } from "./check-input.js";
export { inspectFolder } from "./file-io.js";
export { type AuditFiles, hashArguments, type LooseEntry, openAuditFiles } from "./files/audit-files.js";
export { openCallers } from "./files/callers.js";
export { openStore } from "./files/file-store.js";
export { openApprovalUses, openLabelLedger, type StoredLabels } from "./files/ledgers.js";
export { openPinStore, openPublicNames, type PinStore, stampPins } from "./files/pins.js";
export { openSealStore, openSecretFile, type SecretFile } from "./files/secrets.js";
export { openShapeStore, parseShapes, renderShapes } from "./files/shape-store.js";
export { toDescription } from "./files/skills/read-skill.js";
export { openLayeredSkills, openSkills } from "./files/skills/skill-store.js";
export { addTallies, emptyTally, openStatisticsStore, openUseCounts } from "./files/statistics-store.js";
export type { Adapter, AdapterPlace, ServerStamp } from "./user-files/library-files.js";
export {
  isFresh,
  listAdapters,
  readAdapter,
  readTreeStamp,
  stampFiles,
  writeLibraryTree,
  writeTreeStamp,
} from "./user-files/library-files.js";
export {
  openTakeovers,
  readForeignFile,
  removeForeignFile,
  writeForeignFile,
} from "./user-files/takeovers.js";
export { openVault } from "./vault/vaults.js";
export { withLock } from "./with-lock.js";
