// The library API: one method per verb. Every surface calls these and nothing else.
import type {
  CatalogOutline,
  CoordinatorStatistics,
  FetchProgress,
  HostTools,
  HttpSettings,
  Json,
  Language,
  OutputMode,
  RunMeter,
  RunRequest,
  RunResult,
  RunSummary,
  ShownOutput,
  StatisticsRequest,
  TrustRecord,
  UntrustedItem,
} from "../contracts/index.js";
import type { AuditVerbs } from "./audit/list-audit.js";
import type { CallerVerbs } from "./callers/callers.js";
import type { CheckCodeRequest, CheckCodeResult } from "./checks/check-code.js";
import type { DirectSession, OpenDirectRequest } from "./direct/direct-request.js";
import type { StayCurrentOptions } from "./host/stay-current.js";
import type { Completion, CompletionRequest } from "./library/complete-name.js";
import type { GenerateRequest, GenerateResult } from "./library/generate-library.js";
import type { ResourceTemplate } from "./library/library-addresses.js";
import type { PromptSummary, PromptText } from "./library/list-prompts.js";
import type { OfferedRequest } from "./library/read-offered.js";
import type { ResourcePage, ResourceText } from "./library/read-resource.js";
import type { ModelVerbs } from "./models/open-model.js";
import type { PolicyVerbs } from "./policies/explain-call.js";
import type { ShowAnswerRequest } from "./presenting/show-run.js";
import type { WaitingQuestion } from "./runs/answer-question.js";
import type { CommitRequest } from "./runs/commit-plan.js";
import type { ReplayRequest, ReplayResult } from "./runs/export-run.js";
import type { RunDetails, RunReference } from "./runs/list-runs.js";
import type { UndoPlan } from "./runs/read-undo.js";
import type { ResumeRequest } from "./runs/resume-run.js";
import type { ContinuedRun, RunState, WaitRequest } from "./runs/start-run.js";
import type { NoteSearchRequest } from "./runs/token-statistics.js";
import type { UndoRequest, UndoResult } from "./runs/undo-run.js";
import type { CallRequest } from "./servers/call-tool.js";
import type { DiagnoseRequest, Diagnosis } from "./servers/diagnose.js";
import type { FetchedServer, FetchServersRequest, RepairedServer } from "./servers/fetch-servers.js";
import type {
  AddedServer,
  AddServerRequest,
  FindServersRequest,
  OfferedServer,
} from "./servers/find-servers.js";
import type { ServerContents, ServerSummary } from "./servers/list-servers.js";
import type { ToolDescription, ToolSummary } from "./servers/list-tools.js";
import type { OutlineRequest } from "./servers/outline-catalog.js";
import type { PinVerbs } from "./servers/pinned-tools.js";
import type { SearchRequest, SearchResult } from "./servers/search-tools.js";
import type { ExportedShapes, ExportShapesRequest, ImportShapesRequest } from "./servers/share-shapes.js";
import type { Account, Accounts, LoginRequest, LogoutRequest } from "./servers/sign-in.js";
import type { SessionVerbs } from "./sessions/sessions.js";
import type { SetUpRequest, SetUpResult } from "./setup/set-up-sandbox.js";
import type { AcceptSkillRequest, ReviewedSkill } from "./skills/accept-skill.js";
import type { SkillName } from "./skills/find-skill.js";
import type {
  ListSkillsRequest,
  SearchSkillsRequest,
  SkillDescription,
  SkillFile,
  SkillSummary,
} from "./skills/list-skills.js";
import type { RunSkillRequest, SkillTest, TestSkillRequest, UpdateSkillRequest } from "./skills/run-skill.js";
import type { SaveSkillRequest } from "./skills/write-skill.js";
import type { WorkspaceVerbs } from "./workspaces/workspaces.js";

export interface LibraryVerbs {
  /** Lists the library's files and the known resources of servers, a page at a time. Starts no server. */
  readonly listResources: (options?: { readonly cursor?: string | undefined }) => Promise<ResourcePage>;
  /** Lists the URI templates of tools' files and of servers' resources. */
  readonly listResourceTemplates: () => Promise<readonly ResourceTemplate[]>;
  /** Reads a file of the library as `generateLibrary` writes it. If its server was never listed, starts it. */
  readonly readResource: (request: { readonly uri: string }) => Promise<ResourceText>;
  /** Reads a resource, prompt or completion of a server. Undefined if the name is not one of a server. */
  readonly readOffered: (request: OfferedRequest) => Promise<Json | undefined>;
  /** Lists the prompts and their arguments. */
  readonly listPrompts: () => Promise<readonly PromptSummary[]>;
  /** Fills in one prompt. */
  readonly getPrompt: (request: {
    readonly name: string;
    readonly arguments?: Readonly<Record<string, string>> | undefined;
  }) => Promise<PromptText>;
  /** Completes a name. Starts no server. */
  readonly completeName: (request: CompletionRequest) => Promise<Completion>;
}

export interface RunVerbs {
  /** Resumes a run that ended, paused or lost its host. Calls already made are answered from the journal and not repeated. */
  readonly resumeRun: (request: ResumeRequest) => Promise<RunResult>;
  /** Returns the question of a paused run, or undefined if it has none. */
  readonly readQuestion: (request: RunReference) => Promise<WaitingQuestion | undefined>;
  /** Returns the secret that authenticates questions on their way through a client. It never leaves the host. */
  readonly readStateKey: () => Promise<Uint8Array>;
  /** Lists the stored runs, newest first. */
  readonly listRuns: (options?: {
    readonly limit?: number | undefined;
    readonly workspace?: string | undefined;
  }) => Promise<readonly RunSummary[]>;
  /** Shows one stored run in full: its program, calls and result. */
  readonly showRun: (request: RunReference) => Promise<RunDetails>;
  /** Starts or resumes a run in the background. A run that is in progress, or completed and unchanged, is not started again. */
  readonly startRun: (request: RunRequest | ResumeRequest) => Promise<{ readonly runId: string }>;
  /** Returns the state of a run without waiting for it. */
  readonly runStatus: (request: RunReference) => Promise<RunState>;
  /** Waits until a run of this or another process ends. */
  readonly waitForRun: (request: WaitRequest) => Promise<RunState>;
  /** Cancels a run of this or another process. Calls that were made are not reverted, and the run can be resumed. */
  readonly cancelRun: (request: RunReference) => Promise<RunState>;
  /** After a sign-in: continues the stored runs that wait for it and whose process has ended. Resolves when they have ended. */
  readonly continueRuns: (request: { readonly server: string }) => Promise<readonly ContinuedRun[]>;
  /** Makes exactly the calls of a plan, in order. */
  readonly commitPlan: (request: CommitRequest) => Promise<RunResult>;
  /** Lists what undoing a run would do, the last call first. Throws UNDO_REFUSED. */
  readonly planUndo: (request: RunReference) => Promise<UndoPlan>;
  /** Undoes a run: makes the inverse calls in its journal, the last call first, and stops at the first failure. */
  readonly undoRun: (request: UndoRequest) => Promise<UndoResult>;
  /** Exports a stored run as one text that can be replayed anywhere. */
  readonly exportRun: (request: RunReference) => Promise<string>;
  /** Replays an exported run against its recorded answers. No server is called. */
  readonly replayRun: (request: ReplayRequest) => Promise<ReplayResult>;
}

/** The caller's name if none has been added. */
export const firstCaller = "default";

/** Settings of the tools that agents see. */
export interface SurfaceSettings {
  readonly kind: "default" | "minimal";
  readonly serves: "code" | "direct" | "both";
  /** For the catalog in the descriptions: the names of the servers and signatures. */
  readonly tokens: number;
  readonly hasCallTool: boolean;
  readonly hasRunPython: boolean;
  readonly hasAddServers: boolean;
  /** The global `memory` is ours, because no server has that name. */
  readonly hasMemory: boolean;
  /** Where people may approve calls. */
  readonly approvals: "anywhere" | "outside";
  /** How a returned value is rendered for a model. */
  readonly output: OutputMode;
  /** How long a client waits for a run before it gets the run's id. */
  readonly answerWithinMs: number;
}

export interface SkillVerbs {
  /** Saves a program as a skill, or as the next version of the skill with this name. */
  readonly saveSkill: (request: SaveSkillRequest) => Promise<SkillDescription>;
  /** Saves the next version of a skill with the given changes. */
  readonly updateSkill: (request: UpdateSkillRequest) => Promise<SkillDescription>;
  /** Lists the skills, most used first. */
  readonly listSkills: (request?: ListSkillsRequest) => Promise<readonly SkillSummary[]>;
  /** Searches the skills. */
  readonly searchSkills: (request: SearchSkillsRequest) => Promise<readonly SkillSummary[]>;
  /** Shows one skill in full: its code, parameters, state and an example. */
  readonly showSkill: (request: SkillName) => Promise<SkillDescription>;
  /** Runs a skill by name. A failing skill is a result. An unknown name, invalid parameters and a broken skill throw. */
  readonly runSkill: (request: RunSkillRequest) => Promise<RunResult>;
  /** Tests a skill against its recording, or against simulated servers if it has none. */
  readonly testSkill: (request: TestSkillRequest) => Promise<SkillTest>;
  /** Shows a skill with every program file beside it, for a person who decides whether to accept it. */
  readonly reviewSkill: (request: SkillName) => Promise<ReviewedSkill>;
  /** Signs a skill exactly as it was reviewed. Never let a model decide this. */
  readonly acceptSkill: (request: AcceptSkillRequest) => Promise<void>;
  /** Deletes one version of a skill, or all. Returns false if there is none. */
  readonly deleteSkill: (request: SkillName) => Promise<boolean>;
  /** Reads the files of a skill in the SKILL.md format. */
  readonly readSkillFiles: (request: Omit<SkillName, "version">) => Promise<readonly SkillFile[]>;
}

/** A set of MCP servers as code. `openCoordinator` returns one. */
export interface Coordinator
  extends LibraryVerbs,
    SkillVerbs,
    WorkspaceVerbs,
    RunVerbs,
    SessionVerbs,
    CallerVerbs,
    ModelVerbs,
    PolicyVerbs,
    AuditVerbs,
    PinVerbs {
  /** The enabled servers. */
  readonly serverNames: readonly string[];
  readonly surface: SurfaceSettings;
  readonly http: HttpSettings;
  /** The default workspace of runs. */
  readonly workspace: string;
  /** Runs a program in the sandbox. A failing program is a result, not an exception. */
  readonly runCode: (request: RunRequest) => Promise<RunResult>;
  /** Checks a program and lists the tools that it can call, without running it. */
  readonly checkCode: (request: CheckCodeRequest) => Promise<CheckCodeResult>;
  /** Calls one tool without a program and unwraps its result. */
  readonly callTool: (request: CallRequest) => Promise<Json>;
  /** Opens all servers as one MCP server for one client: requests are passed on and answered unchanged. */
  readonly openDirect: (request: OpenDirectRequest) => Promise<DirectSession>;
  /** Renders an answer for a model within its token budget. The rest is stored, with a note on how to read it. */
  readonly showAnswer: (request: ShowAnswerRequest) => Promise<ShownOutput>;
  /** Lists the configured servers. Starts none unless `connect` is set. */
  readonly listServers: (
    options?: { readonly connect?: boolean | undefined } | undefined,
  ) => Promise<readonly ServerSummary[]>;
  /** Lists the tools of one server or of all. Without a name, unreachable servers are left out. */
  readonly listTools: (options?: {
    readonly server?: string | undefined;
    readonly refresh?: boolean | undefined;
    /** How long to wait for servers whose tools are not known. @default until each has answered or failed */
    readonly waitMs?: number | undefined;
  }) => Promise<readonly ToolSummary[]>;
  /** Shows the tools, resources and prompts of one server. */
  readonly showServer: (options: { readonly server: string }) => Promise<ServerContents>;
  /** Shows one tool in full. */
  readonly showTool: (options: {
    readonly server: string;
    readonly tool: string;
  }) => Promise<ToolDescription>;
  /** Searches the tools of every configured server. */
  readonly searchTools: (request: SearchRequest) => Promise<SearchResult>;
  /** Exports the result types that were learned, to share them. Starts nothing. */
  readonly exportShapes: (request?: ExportShapesRequest) => Promise<ExportedShapes>;
  /** Adds result types that others have learned. */
  readonly importShapes: (request: ImportShapesRequest) => Promise<{ readonly tools: number }>;
  /** Outlines the catalog: the servers, and as many signatures as fit. Starts no server, unless `waitMs` allows it to list servers for the first time. The text changes only with the tools. */
  readonly outlineCatalog: (request: OutlineRequest) => Promise<CatalogOutline>;
  /** Installs missing packages of servers ahead of their first start. With `isRefreshed`, looks for newer versions. */
  readonly fetchServers: (request?: FetchServersRequest) => Promise<readonly FetchedServer[]>;
  /** Removes the installed package of a server. Its next start installs it again. */
  readonly repairServer: (request: { readonly server: string }) => Promise<RepairedServer>;
  /** Signs in to a remote server that requires it. */
  readonly login: (request: LoginRequest) => Promise<Account>;
  /** Removes a sign-in; false if there is none. */
  readonly logout: (request: LogoutRequest) => Promise<boolean>;
  /** Lists the sign-ins to the configured servers, without tokens. */
  readonly listAccounts: () => Promise<Accounts>;
  /** Calls a function while packages are installed. Returns a function that ends it. */
  readonly onFetchProgress: (listener: (progress: FetchProgress) => void) => () => void;
  /** Searches the servers that the configuration lets agents add. */
  readonly findServers: (request?: FindServersRequest) => Promise<readonly OfferedServer[]>;
  /** Starts one of these servers and makes it available in this process. */
  readonly addServer: (request: AddServerRequest) => Promise<AddedServer>;
  /** Registers functions of this process as tools, `{ server: { tool: … } }`. `openCoordinator` takes the same. */
  readonly addTools: (tools: HostTools) => Promise<void>;
  /** Starts every server, tests every sandbox and reports problems. */
  readonly diagnose: (request?: DiagnoseRequest) => Promise<Diagnosis>;
  /** Writes the servers as an importable library that people and agents can read. */
  readonly generateLibrary: (request: GenerateRequest) => Promise<GenerateResult>;
  /** Installs what a sandbox needs: a Python environment or a container image. */
  readonly setUpSandbox: (request: SetUpRequest) => Promise<SetUpResult>;
  /** Counts the tokens of a text with the o200k tokenizer. */
  readonly countTokens: (text: string) => Promise<number>;
  /** Reads the meter of a recent run of this coordinator, once it is counted. */
  readonly readMeter: (request: { readonly runId: string }) => Promise<RunMeter | undefined>;
  /** Records the tokens that a search cost the model. */
  readonly noteSearch: (request: NoteSearchRequest) => Promise<void>;
  /** Reports current counts and the totals of all runs. Starts no server. */
  readonly readStatistics: (request?: StatisticsRequest) => Promise<CoordinatorStatistics>;
  /** Warnings about the configuration, e.g. skipped entries. */
  readonly warnings: readonly string[];
  /** Lists approval rules that match no known tool. Starts no server. */
  readonly checkApprovals: () => Promise<readonly string[]>;
  /** Files named like a policy that were not read, because no configuration file is in their folder. */
  readonly ignoredPolicies: readonly string[];
  /** What is not used until a person trusts it. */
  readonly untrusted: readonly UntrustedItem[];
  /** What is used without a trust record, because the option `trust` or `config` allowed it. */
  readonly trusted: readonly TrustRecord[];
  /** Returns a command line for this configuration, e.g. for `["resume", runId]`, that a person can paste. */
  readonly toCommand: (words: readonly string[], workspace?: string | undefined) => string;
  readonly languages: readonly Language[];
  /** Calls a function when the known tools of a server change, e.g. when it is first listed. Returns a function that ends it. */
  readonly onToolsChanged: (listener: (server: string) => void) => () => void;
  /** Warms up what the first program needs: the sandbox, the parsers, then the compiler. Never starts a server. */
  readonly warm: (part?: "sandbox" | "run" | "all") => Promise<void>;
  /** For long-running processes: watches the configuration files and refreshes tool listings in the background. Returns a function that ends it. */
  readonly stayCurrent: (options?: StayCurrentOptions) => Promise<() => void>;
  /** Closes servers and sandboxes and waits for pending writes. */
  readonly close: () => Promise<void>;
}
