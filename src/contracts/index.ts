// Types, limits and errors shared by modules. Imports nothing.
export type {
  AttemptFacts,
  AuditDecision,
  AuditEntry,
  AuditedDecision,
  AuditedFacts,
  AuditLogSettings,
  AuditMode,
  AuditProblem,
  AuditVerification,
  CallAudit,
} from "./audit.js";
export { auditModes } from "./audit.js";
export type {
  Configuration,
  ExecutorName,
  HttpSettings,
  HttpTarget,
  Profile,
  ServerAuth,
  ServerDefinition,
  Settings,
  StdioTarget,
  UpstreamTimeouts,
  WiredDefinition,
} from "./configuration.js";
export { defaultSurfaceTokens } from "./configuration.js";
export type { ErrorCode, ErrorKind } from "./errors.js";
export { CoordinatorError, errorTable, toCoordinatorError } from "./errors.js";
export { once, openListeners, settleWithin } from "./events.js";
export type {
  Executor,
  ExecutorReport,
  ExecutorStatistics,
  GuestAnswer,
  GuestCall,
  GuestFailure,
  GuestFrame,
  GuestJob,
  GuestOutcome,
  HostFunctions,
  Language,
  LibraryFile,
  LogLine,
  SessionFacts,
  StopReason,
} from "./executor.js";
export { discardName, planServer } from "./executor.js";
export type { FlowLimits, FlowSettings, RateLimit, ServerFlow } from "./flow.js";
export type {
  Discovery,
  DiscoverySearch,
  ServerDetails,
  ServerFacts,
  ToolDetails,
  ToolFacts,
} from "./guest-functions.js";
export {
  discoveryNames,
  discoveryServer,
  fileErrnos,
  isHostService,
  ownObject,
  workspaceModules,
  workspaceNames,
  workspaceServer,
} from "./guest-functions.js";
export type {
  CallTurn,
  Difference,
  IssuedCall,
  Journal,
  NewRun,
  OpenCassette,
  OpenRun,
  ReplayChoices,
  ResumedRun,
  RunReader,
  RunSummary,
  Runs,
} from "./journal.js";
export type {
  AnswerRecord,
  CallDecision,
  CallEffect,
  EndedRecord,
  IntentRecord,
  JournalCall,
  JournalRecord,
  PausedRecord,
  ProcessIdentity,
  RecordedAnswer,
  RecordedRun,
  RunStatus,
  StartedRecord,
  StoredProgram,
  StoredText,
  ValueRecord,
} from "./journal-records.js";
export { isHeld, isLost, isLostAnswer, isUncertain } from "./journal-records.js";
export type { Fields, Json, JsonObject, JsonSchema } from "./json.js";
export {
  hasInvisible,
  isFields,
  isJsonObject,
  markLargeIntegers,
  parseJson,
  readLargeInteger,
  skipText,
  TooLargeNumber,
  toBigIntegers,
  toExactInteger,
  toFields,
  toJson,
  toJsonLine,
  toVisibleText,
  unmarkLargeIntegers,
} from "./json.js";
export type { JsonElement } from "./json-bytes.js";
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
export type { Steps } from "./large-json.js";
export {
  decodeInSteps,
  encodeInSteps,
  finishInSlices,
  finishNow,
  isLargeValue,
  largeBytes,
  noteEnds,
  parseInSteps,
  pause,
  readJson,
  readTextInSteps,
  stringifyInSteps,
  takeTurn,
} from "./large-json.js";
export { findFields, LargeResult, toBlocks, toLargeResult } from "./large-result.js";
export type {
  FetchProgress,
  LaunchFact,
  LaunchMode,
  LaunchSummary,
  PackageVersion,
  TrustRecord,
  UntrustedItem,
} from "./launch.js";
export { describePackage, describeUpdate, isTrustGiven } from "./launch.js";
export { defaultLimits, type LimitName, type Limits, limitTable, listingLimits } from "./limits.js";
export type { ApprovedProgram, EffectManifest, ManifestCall } from "./manifest.js";
export { defaultRepeats, toCanonicalJson, toEffect } from "./manifest.js";
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
  HostFunction,
  HostTool,
  HostToolResult,
  HostTools,
  InProcessTarget,
  Plugin,
  ResultChange,
  RunChange,
  RunFacts,
  StandardSchema,
  ToolContext,
  ToolSchema,
  Veto,
} from "./plugin.js";
export { isToolResult, toolResult } from "./plugin.js";
export type { CallRuling, FlowRuling, PolicyDocument, RuledTool, RuleName } from "./policy.js";
export type {
  AnswerSettings,
  AskedCall,
  CallAsker,
  ClientIdentity,
  ForwardedMessage,
  InputRequired,
  OpenInput,
  PeopleAnswer,
  RunQuestion,
  ServerMessageHandlers,
  ServerRequest,
} from "./questions.js";
export {
  approvalClasses,
  approvalRule,
  approvalRuleWanted,
  describeQuestion,
  envelopeKeys,
  logSeverities,
  peopleNames,
  peopleServer,
  ServerRefusal,
} from "./questions.js";
export type {
  CallRecord,
  OutputMode,
  PlannedCall,
  ProgramDiagnostic,
  ProgramFrame,
  RunError,
  RunMeter,
  RunPlan,
  RunRequest,
  RunResult,
  RunStatistics,
  ShownCut,
  ShownImage,
  ShownMedia,
  ShownOutput,
  ToolProgress,
} from "./run.js";
export type {
  NewSkill,
  SkillDraft,
  SkillFacts,
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
  DayTally,
  RunOrigin,
  ServerStatistics,
  ServerTally,
  StatisticsRequest,
  StatisticsStore,
  Tally,
  UseCounts,
} from "./statistics.js";
export type {
  CachedListing,
  Caller,
  CallerFacts,
  CallerStore,
  CatalogOutline,
  GivenNames,
  ListingCache,
  MovedServer,
  NamedItem,
  NameStore,
  NewCaller,
  OutlineStore,
  ProtocolVerdict,
  Shape,
  ShapeField,
  ShapeKey,
  ShapeNode,
  ShapeScalar,
  ShapeStore,
  SharedShape,
  StartFailure,
  StartFailures,
  Store,
  StoredOutline,
  TakenPlace,
  Takeover,
  TakeoverStore,
  Workspace,
  WorkspaceCopy,
  WorkspaceSummary,
} from "./store.js";
export { listingsFolder } from "./store.js";
export type {
  ContentBlock,
  DeclaredEffect,
  LearnedResult,
  ListedPrompt,
  ListedResource,
  ListedTool,
  Listing,
  OfferedMethod,
  PinChange,
  ServerCatalog,
  Tool,
  ToolAnnotations,
  ToolResult,
  UncheckedReason,
} from "./tool.js";
export { countOwnTools } from "./tool.js";
export type { InverseCall, InverseMaker, RecordedInverse, StateCheck } from "./undo.js";
export type { Vault, VaultEntry, VaultFacts, VaultKeySource } from "./vault.js";
export type {
  FileFacts,
  Memory,
  MemoryEntry,
  MemoryInfo,
  NewTask,
  SessionCheckpoint,
  SessionLog,
  SessionLogs,
  SessionTask,
  States,
  StoredConditions,
  StoredContent,
  StoredEntry,
  StoredFacts,
  StoredKind,
  StoredPage,
  StoredPart,
  StoredQuery,
  StoredValues,
  WorkspaceFiles,
  WorkspaceUsage,
} from "./workspace.js";
export { defaultWorkspace, storedNames, storedServer } from "./workspace.js";
