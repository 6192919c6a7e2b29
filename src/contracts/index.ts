// Types, limits and errors shared by modules. Imports nothing.

export type {
  CachedListing,
  CatalogOutline,
  EraVerdict,
  ListingCache,
  OutlineStore,
  StartFailure,
  StartFailures,
  StoredOutline,
} from "./caches.js";
export { listingsFolder } from "./caches.js";
export type { Caller, CallerFacts, CallerStore, NewCaller } from "./caller.js";
export type {
  Configuration,
  ExecutorName,
  HttpSettings,
  HttpTarget,
  LaunchFact,
  Profile,
  ServerDefinition,
  Settings,
  StdioTarget,
  TrustRecord,
  UntrustedItem,
  UpstreamTimeouts,
  WiredDefinition,
} from "./configuration.js";
export { defaultSurfaceTokens, isTrustGiven } from "./configuration.js";
export type {
  Discovery,
  DiscoverySearch,
  ServerDetails,
  ServerFacts,
  ToolDetails,
  ToolFacts,
} from "./discovery.js";
export { discoveryNames, discoveryServer } from "./discovery.js";
export type { CoordinatorErrorOptions, ErrorCode, ErrorKind } from "./errors.js";
export { CoordinatorError, errorTable, toCoordinatorError } from "./errors.js";
export { type Listeners, type Once, once, openListeners } from "./events.js";
export type {
  Executor,
  ExecutorReport,
  ExecutorStatistics,
  GuestAnswer,
  GuestCall,
  GuestFailure,
  GuestJob,
  GuestOrigin,
  GuestOutcome,
  HostFunctions,
  Language,
  LibraryFile,
  LogLine,
  SessionFacts,
  StopReason,
} from "./executor.js";
export { discardName, planServer } from "./executor.js";
export {
  fileErrnos,
  isHostService,
  ownObject,
  workspaceModules,
  workspaceNames,
  workspaceServer,
} from "./guest-workspace.js";
export type {
  HostFunction,
  HostTool,
  HostToolResult,
  HostTools,
  InProcessTarget,
  StandardSchema,
  ToolContext,
  ToolSchema,
} from "./host-tool.js";
export { isToolResult, toolResult } from "./host-tool.js";
export type { CallTurn, Difference, EndedCall, IssuedCall, Journal } from "./journal.js";
export type {
  AnswerRecord,
  CallDecision,
  CallEffect,
  EndedRecord,
  ForkedRecord,
  IntentRecord,
  JournalCall,
  JournalRecord,
  PausedRecord,
  ProcessIdentity,
  RecordedAnswer,
  RecordedRun,
  ResumedRecord,
  RunStatus,
  StartedRecord,
  StoredProgram,
  StoredText,
  ValueRecord,
} from "./journal-records.js";
export { isHeld, isLost, isLostAnswer, isUncertain } from "./journal-records.js";
export type { Json, JsonObject, JsonSchema } from "./json.js";
export {
  markLargeIntegers,
  parseJson,
  readLargeInteger,
  skipText,
  TooLargeNumber,
  toBigIntegers,
  toExactInteger,
  unmarkLargeIntegers,
} from "./json.js";
export type { JsonElement, WalkOptions } from "./json-bytes.js";
export {
  isContainer,
  isList,
  NotJson,
  readElements,
  skipSpace,
  skipValue,
  skipValueInSteps,
  TooMuchJson,
} from "./json-bytes.js";
export {
  decodeInSteps,
  encodeInSteps,
  isLargeValue,
  largeBytes,
  noteEnds,
  parseInSteps,
  readJson,
  readTextInSteps,
  stringifyInSteps,
} from "./large-json.js";
export { findFields, LargeResult, toBlocks } from "./large-result.js";
export type { FetchProgress, LaunchMode, LaunchSummary, PackageVersion } from "./launch.js";
export { describePackage, describeUpdate } from "./launch.js";
export type { LimitName, Limits } from "./limits.js";
export { defaultLimits, limitTable, listingLimits } from "./limits.js";
export type {
  ModelAnswer,
  ModelCall,
  ModelCallResult,
  ModelContent,
  ModelMessage,
  ModelProvider,
  ModelRequest,
  ModelRetry,
  ModelSettings,
  ModelTool,
  ModelUsage,
} from "./model.js";
export type {
  AnswerChange,
  CallChange,
  CallFacts,
  EndedCallFacts,
  EndedRunFacts,
  HookAnswer,
  Hooks,
  Plugin,
  ResultChange,
  RunChange,
  RunFacts,
  Veto,
} from "./plugin.js";
export type { AskedCall, PeopleAnswer, RunQuestion } from "./questions.js";
export { approvalClasses, approvalRule, approvalRuleWanted, peopleNames, peopleServer } from "./questions.js";
export type {
  CallRecord,
  EffectManifest,
  OutputMode,
  PlannedCall,
  ProgramDiagnostic,
  RunError,
  RunMeter,
  RunPlan,
  RunRequest,
  RunResult,
  RunStatistics,
  ShownCut,
  ShownImage,
  ShownOutput,
  ToolProgress,
} from "./run.js";
export type {
  NewRun,
  OpenCassette,
  OpenRun,
  ReplayChoices,
  ResumedRun,
  RunReader,
  RunSummary,
  Runs,
} from "./runs.js";
export type { NewTask, SessionCheckpoint, SessionLog, SessionLogs, SessionTask } from "./session-log.js";
export type {
  Shape,
  ShapeField,
  ShapeKey,
  ShapeNode,
  ShapeScalar,
  ShapeStore,
  SharedShape,
} from "./shape-store.js";
export type {
  NewSkill,
  SkillDraft,
  SkillFacts,
  SkillFileText,
  SkillFunctions,
  SkillPin,
  SkillRecord,
  SkillSource,
  SkillStore,
  StoredSkill,
} from "./skills.js";
export { proposedCategory, skillGlobals, skillSchemas, skillsName, skillsServer } from "./skills.js";
export type {
  CoordinatorStatistics,
  ServerStatistics,
  ServerTally,
  StatisticsRequest,
  StatisticsStore,
  Tally,
  UseCounts,
} from "./statistics.js";
export type { Steps } from "./steps.js";
export { finishInSlices, finishNow, pause, takeTurn } from "./steps.js";
export type { Store, Workspace, WorkspaceCopy, WorkspaceSummary } from "./store.js";
export type {
  StoredConditions,
  StoredContent,
  StoredEntry,
  StoredFacts,
  StoredKind,
  StoredPage,
  StoredPart,
  StoredQuery,
  StoredValues,
} from "./stored-values.js";
export { storedNames, storedServer } from "./stored-values.js";
export type { MovedServer, TakenPlace, Takeover, TakeoverStore } from "./takeover.js";
export type { JsonCopy } from "./to-json.js";
export { toJson } from "./to-json.js";
export type {
  ContentBlock,
  DeclaredEffect,
  LearnedResult,
  ListedPrompt,
  ListedResource,
  ListedTool,
  Listing,
  ServerCatalog,
  Tool,
  ToolAnnotations,
  ToolResult,
  UncheckedReason,
} from "./tool.js";
export { hasInvisible, toVisibleText } from "./visible-text.js";
export type {
  FileFacts,
  Memory,
  MemoryEntry,
  MemoryInfo,
  SavedState,
  States,
  WorkspaceFiles,
  WorkspaceUsage,
} from "./workspace.js";
export { defaultWorkspace } from "./workspace.js";
