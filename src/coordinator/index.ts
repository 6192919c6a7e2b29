// The application: one file per verb, and the only place where modules meet.
export type { AddCallerRequest } from "./callers/callers.js";
export type { CheckCodeRequest, CheckCodeResult } from "./checks/check-code.js";
export type {
  Coordinator,
  GenerateRequest,
  GenerateResult,
  ShowAnswerRequest,
  StoredValue,
  StoredValueRequest,
  SurfaceSettings,
} from "./coordinator.js";
export { firstCaller } from "./coordinator.js";
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
export type { ModelFacts } from "./models/model-verbs.js";
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
export type { CallRequest } from "./servers/call-tool.js";
export type {
  DiagnosedProblem,
  DiagnoseProgress,
  DiagnoseRequest,
  Diagnosis,
  ExecutorDiagnosis,
  FolderDiagnosis,
  RuntimeDiagnosis,
  ServerDiagnosis,
} from "./servers/diagnose.js";
export type { FetchedServer, FetchServersRequest, RepairedServer } from "./servers/fetch-servers.js";
export type { FindServersRequest, OfferedServer } from "./servers/find-servers.js";
export type { ServerContents, ServerSummary } from "./servers/list-servers.js";
export type { ToolDescription, ToolSummary } from "./servers/list-tools.js";
export type { OutlineRequest } from "./servers/outline-catalog.js";
export type { SearchDetail, SearchHit, SearchRequest, SearchResult } from "./servers/search-tools.js";
export type { ExportedShapes, ExportShapesRequest, ImportShapesRequest } from "./servers/share-shapes.js";
export type { ConnectRequest, ConnectResult, KnownClient } from "./setup/connect.js";
export type { AddEntryRequest, EntryResult, RemoveEntryRequest } from "./setup/edit-entries.js";
export type { EjectedFile, EjectRequest, EjectResult } from "./setup/eject.js";
export type { FoundServer, InitRequest, InitResult, MovedClientServer } from "./setup/init.js";
export { addEntry, connect, eject, init, listClients, removeEntry, trust } from "./setup/onboarding.js";
export type { FileDifference, OnboardingPlaces } from "./setup/onboarding-places.js";
export { findOwnCommand, renderOwnCommand, withOwnCommand } from "./setup/own-command.js";
export type { SetUpRequest, SetUpResult } from "./setup/set-up-sandbox.js";
export type { TrustRequest, TrustResult } from "./setup/trust.js";
export type { SkillState } from "./skills/check-skill.js";
export type { SkillName } from "./skills/find-skill.js";
export type {
  ListSkillsRequest,
  SearchSkillsRequest,
  SkillDescription,
  SkillFile,
  SkillSummary,
} from "./skills/list-skills.js";
export type { RunSkillRequest } from "./skills/run-skill.js";
export type { UpdateSkillRequest } from "./skills/save-skill.js";
export type { SkillTest, TestSkillRequest } from "./skills/test-skill.js";
export type { SaveSkillRequest } from "./skills/write-skill.js";
export { version } from "./version.js";
export type {
  ListWorkspaceFilesRequest,
  ReadWorkspaceFileRequest,
  RemoveInactiveWorkspacesRequest,
  RemoveWorkspaceRequest,
} from "./workspaces/list-workspaces.js";
