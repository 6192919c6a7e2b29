// The library's API: named exports, nothing else.
export type {
  CallRecord,
  ErrorCode,
  ErrorKind,
  Json,
  JsonObject,
  Language,
  Limits,
  LogLine,
  RunError,
  RunRequest,
  RunResult,
  RunStatistics,
  SessionFacts,
  StopReason,
} from "./contracts/index.js";
export { CoordinatorError } from "./contracts/index.js";
export type {
  CallRequest,
  Coordinator,
  CoordinatorStatistics,
  Diagnosis,
  ExecutorDiagnosis,
  GenerateRequest,
  GenerateResult,
  OpenOptions,
  SearchHit,
  SearchRequest,
  SearchResult,
  ServerContents,
  ServerSummary,
  SetUpRequest,
  SetUpResult,
  ToolDescription,
  ToolSummary,
} from "./coordinator/index.js";
export { openCoordinator, version } from "./coordinator/index.js";
