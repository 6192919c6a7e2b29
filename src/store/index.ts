// Everything that outlives a process. `files/` implements the storage interfaces of contracts with plain files.

export { hashArguments, type LooseEntry } from "./audit/audit-chain.js";
export { type AuditFiles, openAuditFiles } from "./audit/audit-files.js";
// Caches of one host.
export { type CheckCache, openCheckCache, openOutlineStore, stampFolder } from "./cache/check-cache.js";
export { openListingCache, openStartFailures } from "./cache/listing-cache.js";
export { checkName, toDaysAgo, toFileName, toWorkspacePath } from "./check-input.js";
export { inspectFolder } from "./file-io.js";
export { openApprovalUses } from "./files/approval-uses.js";
export { openCallers } from "./files/callers.js";
export { type LabelLedger, openLabelLedger, type StoredLabels } from "./files/label-ledger.js";
export { type AcceptedItem, openPinStore, type PinStore, stampPins } from "./files/pins.js";
export { openPublicNames } from "./files/public-names.js";
// State that several hosts could share. A second implementation provides these: Store (workspaces with their files, memory, states,
// sessions, runs and stored values), SkillStore, CallerStore, NameStore, ShapeStore, StatisticsStore, UseCounts, SecretFile and Vault.
export { openSecretFile, type SecretFile } from "./files/secret-file.js";
export { openShapeStore, parseShapes, renderShapes } from "./files/shape-store.js";
export { openSealStore } from "./files/skill-seals.js";
export { toDescription } from "./files/skills/read-skill.js";
export { addTallies, emptyTally, openStatisticsStore, openUseCounts } from "./files/statistics-store.js";
export { openLayeredSkills, openSkills, openStore } from "./open-store.js";
// Files of the user on one host.
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
export { openVault } from "./vault/open-vault.js";
export { withLock } from "./with-lock.js";
