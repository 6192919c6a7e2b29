// The application: one file per verb, and the only place where modules meet.

export { findJsonMistake } from "../config/index.js";
export type {
  ExportAuditRequest,
  ExportedAudit,
  ListAuditRequest,
  VerifyAuditRequest,
} from "./audit/list-audit.js";
export type { OnAudit } from "./audit/open-audit.js";
export type { AddCallerRequest } from "./callers/callers.js";
export type { CheckCodeRequest, CheckCodeResult } from "./checks/check-code.js";
export type { Coordinator, SurfaceSettings } from "./coordinator.js";
export { firstCaller } from "./coordinator.js";
export {
  type DirectRequest,
  type DirectSession,
  legacyOnly,
  type OpenDirectRequest,
} from "./direct/direct-request.js";
export type { OpenOptions } from "./host/open-options.js";
export type { Completion, CompletionRequest, NameKind } from "./library/complete-name.js";
export type { GeneratePlace, GenerateRequest, GenerateResult } from "./library/generate-library.js";
export type { LibraryResource, ResourceTemplate } from "./library/library-addresses.js";
export type { PromptSummary, PromptText } from "./library/list-prompts.js";
export type { ResourcePage, ResourceText } from "./library/read-resource.js";
export type { ModelFacts } from "./models/open-model.js";
export { openCoordinator } from "./open-coordinator.js";
export { defineTool } from "./plugins/define-tool.js";
export type { Detect, DetectedValue } from "./policies/external-detector.js";
export {
  describeInstallation,
  findOwnCommand,
  readTrusted,
  renderOwnCommand,
  withOwnCommand,
} from "./presenting/command-line.js";
export { renderManifest } from "./presenting/render-manifest.js";
export { findObstacle, renderNextStep, renderRunTexts } from "./presenting/render-run-texts.js";
export type { WaitingQuestion } from "./runs/answer-question.js";
export type { CommitRequest } from "./runs/commit-plan.js";
export type { ReplayRequest, ReplayResult } from "./runs/export-run.js";
export type { RunCall, RunDetails, RunReference } from "./runs/list-runs.js";
export type { UndoPlan, UndoStep } from "./runs/read-undo.js";
export type { ResumeRequest } from "./runs/resume-run.js";
export type { RunState, WaitRequest } from "./runs/start-run.js";
export type { UndoRequest, UndoResult } from "./runs/undo-run.js";
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
export type {
  AddedServer,
  AddServerRequest,
  FindServersRequest,
  OfferedServer,
} from "./servers/find-servers.js";
export type { ServerContents, ServerSummary } from "./servers/list-servers.js";
export type { ToolDescription, ToolSummary } from "./servers/list-tools.js";
export type { OutlineRequest } from "./servers/outline-catalog.js";
export type { SearchDetail, SearchHit, SearchRequest, SearchResult } from "./servers/search-tools.js";
export type { ExportedShapes, ExportShapesRequest, ImportShapesRequest } from "./servers/share-shapes.js";
export type { Account, Accounts, DeviceCode, LoginRequest, LogoutRequest } from "./servers/sign-in.js";
export { openSignInPages } from "./servers/sign-in-pages.js";
export type { SessionReference } from "./sessions/sessions.js";
export type {
  ClientEntries,
  ClientEntriesRequest,
  ClientEntry,
  ConnectRequest,
  ConnectResult,
  KnownClient,
} from "./setup/connect.js";
export type { AddEntryRequest, EntryResult, RemoveEntryRequest } from "./setup/edit-entries.js";
export type { EjectedFile, EjectRequest, EjectResult } from "./setup/eject.js";
export type { FoundServer, InitRequest, InitResult, MovedClientServer } from "./setup/init.js";
export {
  addEntry,
  connect,
  eject,
  init,
  listClients,
  readClientEntries,
  removeEntry,
  trust,
} from "./setup/onboarding.js";
export type { FileDifference, OnboardingPlaces } from "./setup/onboarding-places.js";
export type { SetUpRequest, SetUpResult } from "./setup/set-up-sandbox.js";
export type { TrustRequest, TrustResult } from "./setup/trust.js";
export type { AcceptSkillRequest, ReviewedSkill } from "./skills/accept-skill.js";
export type { SkillDescription, SkillSummary } from "./skills/list-skills.js";
export type { SkillTest } from "./skills/run-skill.js";
export { version } from "./version.js";
export type {
  ListWorkspaceFilesRequest,
  ReadWorkspaceFileRequest,
  RemoveInactiveWorkspacesRequest,
  RemoveWorkspaceRequest,
} from "./workspaces/workspaces.js";
