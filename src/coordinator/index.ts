// The application: one file per verb, and the only place where modules meet.
export type { AddCallerRequest } from "./callers/caller-verbs.js";
export { firstCaller } from "./callers/caller-verbs.js";
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
export type { OpenOptions } from "./host/open-options.js";
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
} from "./library/library-verbs.js";
export { openCoordinator } from "./open-coordinator.js";
export { defineTool } from "./plugins/define-tool.js";
export { readTrusted } from "./presenting/command-line.js";
export { findObstacle } from "./presenting/render-next-step.js";
export { renderRunTexts } from "./presenting/render-run-texts.js";
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
} from "./runs/durable-verbs.js";
export type { AddedServer, AddServerRequest } from "./servers/add-server.js";
export type {
  DiagnosedProblem,
  DiagnoseProgress,
  DiagnoseRequest,
  Diagnosis,
  ExecutorDiagnosis,
  FolderDiagnosis,
  RuntimeDiagnosis,
  ServerDiagnosis,
} from "./servers/diagnosis.js";
export type { FetchedServer, FetchServersRequest, RepairedServer } from "./servers/fetch-servers.js";
export type { FindServersRequest, OfferedServer } from "./servers/find-servers.js";
export type { SearchDetail, SearchHit, SearchRequest, SearchResult } from "./servers/search-tools.js";
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
} from "./setup/onboarding.js";
export { addEntry, connect, eject, init, listClients, removeEntry, trust } from "./setup/onboarding.js";
export { findOwnCommand, renderOwnCommand, withOwnCommand } from "./setup/own-command.js";
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
} from "./skills/skill-verbs.js";
export type { OutlineRequest, SurfaceSettings } from "./surface-settings.js";
export { version } from "./version.js";
export type {
  ListWorkspaceFilesRequest,
  ReadWorkspaceFileRequest,
  RemoveInactiveWorkspacesRequest,
  RemoveWorkspaceRequest,
} from "./workspaces/list-workspaces.js";
