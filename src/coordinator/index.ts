// The application: one file per verb, and the only place where modules meet.
export type { AddCallerRequest } from "./caller-verbs.js";
export { firstCaller } from "./caller-verbs.js";
export type {
  CallRequest,
  CheckCodeRequest,
  CheckCodeResult,
  Coordinator,
  GenerateRequest,
  GenerateResult,
  KeptRequest,
  KeptValue,
  ServerContents,
  ServerSummary,
  SetUpRequest,
  SetUpResult,
  ShowAnswerRequest,
  ToolDescription,
  ToolSummary,
} from "./coordinator.js";
export { defineTool } from "./define-tool.js";
export type {
  DiagnosedProblem,
  DiagnoseProgress,
  DiagnoseRequest,
  Diagnosis,
  ExecutorDiagnosis,
  FolderDiagnosis,
  RuntimeDiagnosis,
  ServerDiagnosis,
} from "./diagnosis.js";
export type {
  CommitRequest,
  ReplayRequest,
  ReplayResult,
  ResumeRequest,
  RunCall,
  RunDetails,
  RunReference,
  RunState,
  SessionReference,
  WaitingQuestion,
  WaitRequest,
} from "./durable-verbs.js";
export type { FetchedServer, FetchServersRequest, RepairedServer } from "./fetch-servers.js";
export type {
  Completion,
  CompletionRequest,
  LibraryResource,
  NameKind,
  PromptSummary,
  PromptText,
  ResourcePage,
  ResourceTemplate,
  ResourceText,
} from "./library.js";
export type { AddedServer, AddServerRequest, FindServersRequest, OfferedServer } from "./offered-server.js";
export { findOwnCommand, renderOwnCommand, withOwnCommand } from "./onboarding/own-command.js";
export type {
  AddEntryRequest,
  ConnectRequest,
  ConnectResult,
  EjectedFile,
  EjectRequest,
  EjectResult,
  EntryResult,
  FileDifference,
  FoundServer,
  InitRequest,
  InitResult,
  KnownClient,
  MovedClientServer,
  OnboardingPlaces,
  RemoveEntryRequest,
  TrustRequest,
  TrustResult,
} from "./onboarding.js";
export { addEntry, connect, eject, init, listClients, removeEntry, trust } from "./onboarding.js";
export { openCoordinator } from "./open-coordinator.js";
export type { CoordinatorOnUse } from "./open-on-use.js";
export { openOnUse } from "./open-on-use.js";
export type { OpenOptions } from "./opening/open-options.js";
export type { SearchDetail, SearchHit, SearchRequest, SearchResult } from "./search-result.js";
export { readTrusted } from "./showing/command-line.js";
export { findObstacle } from "./showing/render-going-on.js";
export { renderRunTexts } from "./showing/render-run-texts.js";
export type {
  ListSkillsRequest,
  RunSkillRequest,
  SaveSkillRequest,
  SearchSkillsRequest,
  SkillDescription,
  SkillFile,
  SkillName,
  SkillState,
  SkillSummary,
  SkillTest,
  TestSkillRequest,
  UpdateSkillRequest,
} from "./skills.js";
export type { OutlineRequest, SurfaceSettings } from "./surface-settings.js";
export { version } from "./version.js";
export type {
  ListWorkspaceFilesRequest,
  ReadWorkspaceFileRequest,
  RemoveInactiveWorkspacesRequest,
  RemoveWorkspaceRequest,
} from "./workspace-verbs.js";
